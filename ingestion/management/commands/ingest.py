"""Put files into a brain without the web."""

from __future__ import annotations

import argparse
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from brain import bootstrap
from brain.commands import LedgerCommand, amount
from brain.errors import BrainError, DuplicateSource
from brain.models import Brain, Source, SourceState, User
from brain.setup import adopt_brains
from brain.startup import embedded_stores_held
from ingestion import uploads, worker
from ingestion.pipeline import Ports

_SEARCHABLE = (worker.READING, worker.EMBEDDING)
_LOOK_SECONDS = 1.0


class Command(LedgerCommand):
    help = (
        "Takes files into a brain, reads them and builds the graph. Ends when these files are done, with an error if "
        "one was refused or failed. Run it while the web server is stopped, unless the vectors are on a Qdrant server."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("brain", help="name or id of the brain; made if there is none of that name")
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument("--search-only", action="store_true", help="make searchable, leave the graph for later")

    def handle(self, *, brain: str, files: list[Path], search_only: bool, **_options: Any) -> None:
        if not any(path.is_file() for path in files):
            raise CommandError(f"No such file: {', '.join(map(str, files))}. Nothing was changed.")
        with embedded_stores_held():
            target = find_brain(brain) or self._make_brain(brain)
            taken = [source.pk for path in files if (source := self._accept(target, path))]
            _work_on(taken, search_only=search_only)
        done = Source.objects.filter(pk__in=taken).order_by("created_at", "id")
        for source in done:
            self.stdout.write(f"{source.title}: {_state(source)} {source.error_sentence}".rstrip())
        self.stdout.write(f"{len(taken)} of {amount(len(files), 'files')} taken into “{target.name}” ({target.pk}).")
        refused, failed = len(files) - len(taken), done.filter(state=SourceState.FAILED).count()
        if refused or failed:
            counts = {"refused": refused, "failed": failed, "files": amount(len(files), "files")}
            raise CommandError(
                _("Refused: %(refused)s, failed: %(failed)s of %(files)s. The lines above say why.") % counts
            )

    def _accept(self, brain: Brain, path: Path) -> Source | None:
        """The file's source, also where the brain holds it already; None for what cannot be had."""
        try:
            with path.open("rb") as file:
                return uploads.accept(brain, None, path.name, file)
        except OSError as error:
            self.stderr.write(f"{path}: {error.strerror}")
        except DuplicateSource as error:
            self.stderr.write(f"{path}: {error.sentence}")
            return Source.objects.filter(pk=error.source_id, trashed_at=None).first()
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


def _work_on(sources: Collection[UUID], *, search_only: bool) -> None:
    """Until these are as far as they get now, whatever else waits; workers beside this command may have some."""
    ports = Ports(llm=bootstrap.llm)
    kinds = _SEARCHABLE if search_only else (*_SEARCHABLE, worker.EXTRACTING)
    while any(worker.unfinished(kind, sources) for kind in kinds):
        if not any(worker.work(kind, ports, sources) for kind in kinds):
            time.sleep(_LOOK_SECONDS)


def _state(source: Source) -> str:
    on_its_way = source.state in {SourceState.QUEUED, SourceState.RUNNING}
    return _("searchable") if on_its_way and source.searchable_at else source.get_state_display()


def find_brain(name: str) -> Brain | None:
    """By id, or by name if only one is called that."""
    matching = [each for each in Brain.objects.filter(deleted_at=None) if name in {each.name, str(each.pk)}]
    if len(matching) > 1:
        raise CommandError(f"Several brains are called “{name}”. Use an id: {', '.join(str(b.pk) for b in matching)}")
    return matching[0] if matching else None
