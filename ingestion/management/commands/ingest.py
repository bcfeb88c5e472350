"""Put files into a brain without the web."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from brain import bootstrap
from brain.commands import LedgerCommand
from brain.errors import BrainError, DuplicateSource
from brain.models import Brain, Source, User
from brain.setup import adopt_brains
from ingestion import uploads, worker
from ingestion.pipeline import Ports


class Command(LedgerCommand):
    help = "Takes files into a brain, reads them and builds the graph. Run it while the web server is stopped."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("brain", help="name or id of the brain; made if there is none of that name")
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument("--search-only", action="store_true", help="make searchable, leave the graph for later")

    def handle(self, *, brain: str, files: list[Path], search_only: bool, **_: Any) -> str:
        if not any(path.is_file() for path in files):
            raise CommandError(f"No such file: {', '.join(map(str, files))}. Nothing was changed.")
        target = find_brain(brain) or self._make_brain(brain)
        accepted = [source for path in files if (source := self._accept(target, path))]
        ports = Ports(llm=bootstrap.llm)
        while worker.work(worker.READING, ports) or worker.work(worker.EMBEDDING, ports):
            pass
        while not search_only and worker.work(worker.EXTRACTING, ports):
            pass
        for source in Source.objects.filter(pk__in=[each.pk for each in accepted]):
            self.stdout.write(f"{source.title}: {source.get_state_display()} {source.error_sentence}".rstrip())
        return f"{len(accepted)} of {len(files)} files taken into “{target.name}” ({target.pk})."

    def _accept(self, brain: Brain, path: Path) -> Source | None:
        try:
            with path.open("rb") as file:
                return uploads.accept(brain, None, path.name, file)
        except OSError as error:
            self.stderr.write(f"{path}: {error.strerror}")
        except DuplicateSource as error:
            self.stderr.write(f"{path}: {error.sentence}")
            return Source.objects.get(pk=error.source_id)
        except BrainError as error:
            self.stderr.write(f"{path}: {error.sentence}")
        return None

    def _make_brain(self, name: str) -> Brain:
        """A brain for the first administrator; before there is one it waits for the set-up."""
        made = Brain.objects.create(name=name)
        if administrator := User.objects.filter(is_active=True, is_superuser=True).order_by("pk").first():
            adopt_brains(administrator)
        self.stdout.write(f"No brain is called “{name}”: a new one was made.")
        return made


def find_brain(name: str) -> Brain | None:
    """By id, or by name if only one is called that."""
    matching = [each for each in Brain.objects.filter(deleted_at=None) if name in {each.name, str(each.pk)}]
    if len(matching) > 1:
        raise CommandError(f"Several brains are called “{name}”. Use an id: {', '.join(str(b.pk) for b in matching)}")
    return matching[0] if matching else None
