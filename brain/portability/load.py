"""Brains from a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import models, transaction
from django.utils.translation import gettext_noop as _

from brain import originals
from brain.models import Brain, Chunk, DatedBy, Entity, MessageStatus, Relation, Source, SourceState, User
from brain.portability.archive import BadArchive, Reader
from brain.portability.tables import TABLES, Table

_HERE = _('The brain "%(name)s" is here already. Delete it first, or import on another installation.')
_TAKEN = _(
    'Another brain is called "%(name)s" here. Import this one under a name of its own: '
    'manage.py import FILE --name "NEW NAME"'
)
_MANY = _("This export holds %(n)s brains. Only an export of one brain can be given another name.")
_DAMAGED = _("The file of a source differs from its recorded hash. Export again.")
_BATCH = 500


def load(path: Path, name: str = "") -> list[Brain]:
    """Write all brains of an export as rows, or none; their graph and vectors are still to be made. ``name``: what its
    one brain is to be called here.

    People are found by their user name; who is unknown here is added, without a password unless the export holds
    it, and cannot log in until an administrator allows it.
    """
    archive = Reader(path)
    try:
        _check_names(archive, name)
        for sha256 in archive.originals():
            _keep(archive, sha256)
        with transaction.atomic():
            rows = _Rows(archive)
            for table in TABLES:
                rows.write(table)
            with_stores = Brain.objects.filter(pk__in=rows.brains, sources__isnull=False)
            with_stores.update(graph_to_make=True, vectors_to_make=True)
            if name:
                Brain.objects.filter(pk=UUID(archive.manifest["brains"][0]["id"])).update(name=name)
        return [Brain.objects.get(pk=UUID(named["id"])) for named in archive.manifest["brains"]]
    finally:
        archive.close()


def _check_names(archive: Reader, name: str) -> None:
    """Names need not differ, but every command calls a brain by its own."""
    brains = archive.manifest["brains"]
    if name and len(brains) != 1:
        raise BadArchive(_MANY, n=len(brains))
    for each in brains:
        if Brain.objects.filter(pk=UUID(each["id"])).exists():
            raise BadArchive(_HERE, name=each["name"])
        if Brain.objects.filter(name=name or each["name"], deleted_at=None).exists():
            raise BadArchive(_TAKEN, name=name or each["name"])


def _keep(archive: Reader, sha256: str) -> None:
    if originals.path_of(sha256).exists():
        return
    with archive.original(sha256) as stream:
        received = originals.receive(stream)  # type: ignore[arg-type]
    if received.sha256 != sha256:
        received.temporary.unlink(missing_ok=True)
        raise BadArchive(_DAMAGED)
    originals.keep(received)


@dataclass
class _Rows:
    """Writes tables in order and knows the row numbers that names have got here."""

    archive: Reader
    known: dict[str, dict[tuple[str, ...], int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.known["user"] = _people(self.archive)
        self.brains = [UUID(named["id"]) for named in self.archive.manifest["brains"]]

    def write(self, table: Table) -> None:
        for some in _parts(self.archive.rows(table.name)):
            made = [self._instance(table, row) for row in some]
            stamps = {
                column.attname
                for column in table.model._meta.concrete_fields
                if getattr(column, "auto_now_add", False) and not column.primary_key
            }
            kept = [{name: getattr(each, name) for name in stamps} for each in made]
            table.model._default_manager.bulk_create(made)
            if stamps:  # creation sets them to now
                for each, values in zip(made, kept, strict=True):
                    for name, value in values.items():
                        setattr(each, name, value)
                table.model._default_manager.bulk_update(made, sorted(stamps))
        self._learn(table.name)

    def _instance(self, table: Table, row: dict[str, Any]) -> models.Model:
        values = {name: _value(table.model, name, row[name]) for name in table.plain if name in row}
        for ref, kind in table.refs.items():
            name = row[ref]
            values[f"{ref}_id"] = None if name is None else self.known[kind].get(tuple(map(str, name)))
        if table.model is Source and "dated_by" not in row and row.get("document_date") is None:
            values["dated_by"] = DatedBy.LATER
        if values.get("state") == SourceState.RUNNING:
            values["state"] = SourceState.QUEUED
        if values.get("status") == MessageStatus.RUNNING:
            values["status"] = MessageStatus.QUEUED
        return table.model(**values)

    def _learn(self, table: str) -> None:
        if table == "chunks":
            rows = Chunk.objects.filter(brain__in=self.brains).values_list("source_id", "ordinal", "pk")
            self.known["chunk"] = {(str(source), str(ordinal)): pk for source, ordinal, pk in rows.iterator()}
        elif table == "entities":
            self.known["entity"] = _by_key(Entity.objects.filter(brain__in=self.brains))
        elif table == "relations":
            self.known["relation"] = _by_key(Relation.objects.filter(brain__in=self.brains))


def _by_key(rows: models.QuerySet[Any]) -> dict[tuple[str, ...], int]:
    found = rows.values_list("brain_id", "key", "pk").iterator()
    return {(str(brain), key): pk for brain, key, pk in found}


def _value(model: type[models.Model], name: str, written: Any) -> Any:
    column: Any = model._meta.get_field(name)
    return column.to_python(written)


def _people(archive: Reader) -> dict[tuple[str, ...], int]:
    known = set(User.objects.values_list("username", flat=True))
    for row in archive.rows("people"):
        if row["username"] in known:
            continue
        user = User(**{name: _value(User, name, value) for name, value in row.items()})
        if "password" not in row:
            user.set_unusable_password()
            user.is_active = False
        user.save()
    return {(name,): pk for name, pk in User.objects.values_list("username", "pk")}


def _parts(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    remaining = iter(rows)
    while some := list(islice(remaining, _BATCH)):
        yield some
