"""What an export holds: each table's fields, and how its rows name others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Q

from brain.models import (
    Alias,
    Audit,
    Brain,
    Chunk,
    ChunkLink,
    ChunkTerm,
    Citation,
    Conversation,
    Entity,
    Extraction,
    Feedback,
    Membership,
    Mention,
    Message,
    Relation,
    RelationMention,
    Segment,
    Source,
    SourceText,
    User,
)

# How a row is named from elsewhere: the lookups that lead to its name.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "user": ("username",),
    "chunk": ("source_id", "ordinal"),
    "entity": ("brain_id", "key"),
    "relation": ("brain_id", "key"),
}
# Who works on a row is a matter of the place it is in; the outbox and the fence start anew with the stores.
_NOT_MOVED = {
    *("lease_owner", "lease_until", "lease_token", "retry_at"),
    *("projector", "projector_until", "fence", "graph_to_make", "vectors_to_make"),
}
_USER_FIELDS = ("username", "first_name", "last_name", "email", "is_active", "language", "date_joined")
_USER_RIGHTS = ("password", "is_staff", "is_superuser")


@dataclass(frozen=True)
class Table:
    """``brain`` is the lookup to the brain's id. ``refs``: foreign keys that are written as names, and whose;
    other foreign keys hold ids that move along."""

    name: str
    model: type[models.Model]
    brain: str
    refs: Mapping[str, str] = field(default_factory=dict)

    def rows(self, brain_id: UUID) -> Iterator[dict[str, Any]]:
        """One dictionary per row, in the order of the primary key: the same ledger gives the same file."""
        lookups: list[str] = []
        for ref, kind in self.refs.items():
            lookups += [f"{ref}__{name}" for name in _NAMES[kind]]
        query = self.model._default_manager.filter(**{self.brain: brain_id}).order_by("pk")
        for row in query.values(*self.plain, *lookups).iterator(chunk_size=500):
            for ref, kind in self.refs.items():
                name = [row.pop(f"{ref}__{part}") for part in _NAMES[kind]]
                row[ref] = None if name[0] is None else name
            yield row

    @property
    def plain(self) -> list[str]:
        """Columns written as they are. A numbered primary key is not: it belongs to one database."""
        return [
            column.attname
            for column in self.model._meta.concrete_fields
            if column.name not in self.refs
            and column.name not in _NOT_MOVED
            and not isinstance(column, models.AutoField | models.BigAutoField)
        ]


_of_source = partial(Table, brain="source__brain")

# In the order in which they can be written.
TABLES = (
    Table("brains", Brain, "pk"),
    Table("memberships", Membership, "brain", {"user": "user"}),
    Table("sources", Source, "brain", {"uploaded_by": "user"}),
    _of_source("texts", SourceText),
    _of_source("segments", Segment),
    Table("chunks", Chunk, "brain"),
    Table("extractions", Extraction, "chunk__brain", {"chunk": "chunk"}),
    Table("links", ChunkLink, "brain", {"chunk": "chunk", "target": "chunk"}),
    Table("terms", ChunkTerm, "brain", {"chunk": "chunk"}),
    Table("entities", Entity, "brain"),
    Table("mentions", Mention, "entity__brain", {"entity": "entity", "chunk": "chunk"}),
    Table("relations", Relation, "brain", {"subject": "entity", "object": "entity"}),
    _of_source("relation_mentions", RelationMention, refs={"relation": "relation", "chunk": "chunk"}),
    Table("aliases", Alias, "brain", {"decided_by": "user"}),
    Table("conversations", Conversation, "brain", {"user": "user"}),
    Table("messages", Message, "conversation__brain"),
    Table("citations", Citation, "message__conversation__brain", {"chunk": "chunk"}),
    Table("feedback", Feedback, "message__conversation__brain"),
    Table("audit", Audit, "brain", {"user": "user"}),
)


def people(brain_ids: list[UUID], *, rights: bool) -> Iterator[dict[str, Any]]:
    """Everybody the brains' rows name. ``rights``: with hashed passwords and what they may administer."""
    named = (
        Q(memberships__brain__in=brain_ids)
        | Q(conversations__brain__in=brain_ids)
        | Q(pk__in=Source.objects.filter(brain__in=brain_ids).values("uploaded_by"))
        | Q(pk__in=Alias.objects.filter(brain__in=brain_ids).values("decided_by"))
        | Q(pk__in=Audit.objects.filter(brain__in=brain_ids).values("user"))
    )
    fields = (*_USER_FIELDS, *_USER_RIGHTS) if rights else _USER_FIELDS
    chosen = User.objects.all() if rights else User.objects.filter(named).distinct()
    yield from chosen.order_by("pk").values(*fields)
