"""Write brains to a file that any installation can import."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from brain.commands import LedgerCommand, amount
from brain.errors import BrainError
from brain.models import Audit, Brain
from brain.portability import export


class Command(LedgerCommand):
    help = (
        "Writes one brain, or all, to a file: ledger and originals, checksummed. The file holds the documents' text: "
        "keep it as carefully as the documents."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--brain", default="", help="name or id of one brain (default: all)")
        parser.add_argument(
            "--with-accounts",
            action="store_true",
            help="also every account with its hashed password and rights: for moving a whole installation",
        )

    def handle(self, *, file: Path, brain: str, with_accounts: bool, **_: Any) -> str:
        chosen = _chosen(brain)
        try:
            counts = export(file, chosen, rights=with_accounts)
        except BrainError as error:
            raise CommandError(error.sentence) from error
        for each in chosen:
            Audit.objects.create(action="export", brain=each.pk, counts={"sources": each.sources.count()})
        written = {
            "brains": len(chosen),
            "sources": counts["sources"],
            "passages": counts["chunks"],
            "mentions": counts["mentions"],
            "originals": counts["originals"],
        }
        return f"{file}: {', '.join(amount(number, noun) for noun, number in written.items())}."


def _chosen(brain: str) -> list[Brain]:
    kept = Brain.objects.filter(deleted_at=None)
    if not brain:
        return list(kept)
    try:
        return [kept.get(pk=UUID(brain))]
    except (ValueError, Brain.DoesNotExist):
        found = list(kept.filter(name=brain))
    if len(found) != 1:
        raise CommandError(f'{len(found)} brains are called "{brain}". Name one by its id.')
    return found
