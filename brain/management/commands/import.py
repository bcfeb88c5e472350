"""Read brains from a file that an installation has exported."""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from brain.commands import LedgerCommand, amount
from brain.errors import BrainError
from brain.ledger import indexes, rebuild
from brain.models import Audit, Brain
from brain.portability import load
from brain.startup import embedded_stores_held
from brain.text import clean_line


class Command(LedgerCommand):
    help = "Imports the brains of an export, then makes their graph and vectors. No language model is asked."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--name", default="", help="what the brain is to be called here (of an export of one brain)"
        )
        parser.add_argument("--rows-only", action="store_true", help='leave graph and vectors to "manage.py rebuild"')

    def handle(self, *, file: Path, name: str, rows_only: bool, **_: Any) -> str:
        if not file.exists():
            raise CommandError(f"{file} does not exist.")
        try:
            with nullcontext() if rows_only else embedded_stores_held():
                brains = load(file, clean_line(name, limit=200))
                for brain in brains:
                    Audit.objects.create(action="import", brain=brain.pk, counts={"sources": brain.sources.count()})
                    if not rows_only:
                        self._make_stores(brain)
        except BrainError as error:
            raise CommandError(error.sentence) from error
        return (
            "\n".join(f"{brain.name}: {amount(brain.sources.count(), 'sources')}" for brain in brains)
            or "No brain in it."
        )

    def _make_stores(self, brain: Brain) -> None:
        rebuild.rebuild_graph(brain)
        rebuild.rebuild_vectors(brain, indexes.configured(), self._report)

    def _report(self, what: str, done: int, total: int) -> None:
        self.stderr.write(f"\r{what} {min(done, total)}/{total}", ending="")
