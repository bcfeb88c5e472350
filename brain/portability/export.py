"""Brains into a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from brain import originals
from brain.errors import InputError, ServiceUnavailable
from brain.models import Brain, Deletion, Source
from brain.portability.archive import Writer
from brain.portability.tables import TABLES, people

_EXISTS = _('"%(file)s" exists already. Choose another name.')
_NOWHERE = _('There is no folder "%(folder)s". Make it, or choose another one.')
_UNWRITABLE = _('"%(file)s" cannot be written: %(reason)s. Choose another place.')
_LEAVING = _("A deletion is still being carried out. Export again when it is done, in a moment.")
_LOST = _('The original of "%(title)s" is missing or damaged. Run "manage.py verify", then export again.')


def export(path: Path, brains: Sequence[Brain], *, rights: bool = False) -> dict[str, int]:
    """Write ``brains`` to ``path``; how many rows of each table. ``rights``: with hashed passwords and what people
    may administer, for moving a whole installation.

    One moment of the ledger is written, whatever goes on meanwhile. What is being deleted is never exported.
    """
    if path.exists():
        raise InputError(_EXISTS, file=str(path))
    if not path.parent.is_dir():
        raise InputError(_NOWHERE, folder=str(path.parent))
    partial = path.with_name(f"{path.name}.partial")
    ids = [brain.pk for brain in brains]
    try:
        partial.unlink(missing_ok=True)
        with _one_moment(), Writer(partial) as writer:
            if Source.objects.filter(brain__in=ids).exclude(purge_requested_at=None).exists() or (
                Deletion.objects.filter(brain__in=ids, finished_at=None).exists()
            ):
                raise ServiceUnavailable(_LEAVING)
            counts = {"people": writer.lines("people", people(ids, rights=rights))}
            for table in TABLES:
                rows = (row for brain_id in ids for row in table.rows(brain_id))
                counts[table.name] = writer.lines(table.name, rows)
            counts["originals"] = _originals(writer, brains)
            named = [{"id": brain.pk, "name": brain.name} for brain in brains]
            writer.finish(brains=named, rights=rights, written_at=timezone.now(), counts=counts)
        partial.rename(path)
    except OSError as error:
        raise InputError(_UNWRITABLE, file=str(path), reason=error.strerror or str(error)) from error
    finally:
        with suppress(OSError):
            partial.unlink()
    return counts


def _originals(writer: Writer, brains: Sequence[Brain]) -> int:
    titles = dict(Source.objects.filter(brain__in=brains).order_by("sha256").values_list("sha256", "title"))
    for sha256, title in titles.items():
        kept = originals.path_of(sha256)
        if not kept.exists():
            raise InputError(_LOST, title=title)
        writer.original(sha256, kept)
    return len(titles)


@contextmanager
def _one_moment() -> Iterator[None]:
    """Reads see one moment, and keep nobody from writing."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # The settings begin transactions with the write lock; a reader of a snapshot needs none.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield
