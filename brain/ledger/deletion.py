"""Deleting, so that afterwards nothing was ever there.

A source in the trash is out of every answer at once and can be taken back. A purge cannot: it opens a journal
row, which ``brain.ledger.journal`` walks through to its end.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, QuerySet
from django.utils import timezone

from brain import bell
from brain.ledger import projection, quotes, streams
from brain.models import (
    Audit,
    Brain,
    Chunk,
    Conversation,
    Deletion,
    DeletionKind,
    Entity,
    Mention,
    Message,
    Relation,
    RelationMention,
    Source,
    User,
)


@dataclass(frozen=True, slots=True)
class Survivor:
    """A source that keeps some of the entities alive."""

    source_id: str
    title: str
    entities: int


@dataclass(frozen=True, slots=True)
class DeletionPreview:
    """What deleting a source would take. ``facts`` are relations that only it states."""

    passages: int
    facts: int
    entities_gone: int
    entities_kept: int
    kept_thanks_to: tuple[Survivor, ...]
    quotes: int


def preview(source: Source) -> DeletionPreview:
    """Counts only; nothing is changed."""
    mine = set(Mention.objects.filter(source=source).values_list("entity_id", flat=True))
    others = (
        Mention.objects.filter(entity__in=Mention.objects.filter(source=source).values("entity"))
        .exclude(source=source)
        .filter(source__purge_requested_at=None, source__trashed_at=None)
    )
    kept = set(others.values_list("entity_id", flat=True))
    thanks: Counter[tuple[UUID, str]] = Counter()
    for source_id, title, count in others.values_list("source_id", "source__title").annotate(
        count=Count("entity", distinct=True)
    ):
        thanks[source_id, title] += count
    stated = Relation.objects.filter(mentions__source=source).distinct()
    shared = stated.filter(pk__in=RelationMention.objects.exclude(source=source).values("relation"))
    return DeletionPreview(
        passages=Chunk.objects.filter(source=source).count(),
        facts=stated.count() - shared.count(),
        entities_gone=len(mine - kept),
        entities_kept=len(mine & kept),
        kept_thanks_to=tuple(Survivor(str(pk), title, count) for (pk, title), count in thanks.most_common(5)),
        quotes=source.citations.count(),
    )


# --- trash ---------------------------------------------------------------------------------------------------


def trash(source: Source, user: User | None) -> None:
    """Out of every answer from now on; work on it stops within seconds. Undone by ``restore``."""
    with transaction.atomic():
        if Source.objects.filter(pk=source.pk, trashed_at=None).update(trashed_at=timezone.now()):
            _note_all(source)
            _audit("trash", source, user)
    transaction.on_commit(bell.ring_outbox)


def restore(source: Source, user: User | None) -> None:
    """Take a source back from the trash; unfinished work goes on."""
    with transaction.atomic():
        taken_back = Source.objects.filter(pk=source.pk, purge_requested_at=None).exclude(trashed_at=None)
        if taken_back.update(trashed_at=None):
            _note_all(source)
            _audit("restore", source, user)
    transaction.on_commit(bell.ring_outbox)


def _note_all(source: Source) -> None:
    """Everything of this source may differ in the graph store now."""
    projection.note_graph(
        source.brain_id,
        entities=entity_keys_of(source.pk),
        relations=relation_keys_of(source.pk),
        chunks=chunk_refs_of(source.pk),
        sources=[str(source.pk)],
    )
    Brain.objects.filter(pk=source.brain_id).update(revision=F("revision") + 1)


def entity_keys_of(source_id: UUID) -> list[str]:
    return list(Entity.objects.filter(mentions__source=source_id).distinct().values_list("key", flat=True))


def relation_keys_of(source_id: UUID) -> list[str]:
    return list(Relation.objects.filter(mentions__source=source_id).distinct().values_list("key", flat=True))


def chunk_refs_of(source_id: UUID) -> list[str]:
    return [
        f"{source_id}:{ordinal}" for ordinal in Chunk.objects.filter(source=source_id).values_list("ordinal", flat=True)
    ]


def empty_trash() -> int:
    """Purge what has been in the trash for ``TRASH_DAYS``; how many sources."""
    old = timezone.now() - timedelta(days=settings.TRASH_DAYS)
    expired = Source.objects.filter(trashed_at__lt=old, purge_requested_at=None)
    for source in expired:
        purge(source, None)
    return len(expired)


# --- purge ---------------------------------------------------------------------------------------------------


def purge(source: Source, user: User | None) -> Deletion:
    """Ask for a source to be gone for good. It is out of every answer when this returns."""
    journal = _purge(source, user)
    transaction.on_commit(partial(quotes.hush, source.pk))
    return journal


def _purge(source: Source, user: User | None) -> Deletion:
    with transaction.atomic():
        Source.objects.filter(pk=source.pk, purge_requested_at=None).update(purge_requested_at=timezone.now())
        Brain.objects.filter(pk=source.brain_id).update(revision=F("revision") + 1)
        journal, made = Deletion.objects.get_or_create(
            kind=DeletionKind.SOURCE,
            subject=str(source.pk),
            defaults={"brain": source.brain_id, "sha256": source.sha256, "requested_by": user},
        )
        if made:
            _audit("purge", source, user)
    transaction.on_commit(bell.ring_deletions)
    return journal


def purge_brain(brain: Brain, user: User | None) -> Deletion:
    """Ask for a brain and all it owns to be gone."""
    with transaction.atomic():
        Brain.objects.filter(pk=brain.pk, deleted_at=None).update(deleted_at=timezone.now())
        for source in Source.objects.filter(brain=brain):
            _purge(source, user)
        journal, made = Deletion.objects.get_or_create(
            kind=DeletionKind.BRAIN, subject=str(brain.pk), defaults={"brain": brain.pk, "requested_by": user}
        )
        if made:
            Audit.objects.create(action="purge brain", brain=brain.pk, subject=str(brain.pk), user=user)
    transaction.on_commit(partial(_silence, Message.objects.filter(conversation__brain=brain.pk)))
    transaction.on_commit(bell.ring_deletions)
    return journal


def purge_user(user: User, by: User | None) -> Deletion:
    """Ask for a person to be gone, with the brains that nobody else owns and the person's conversations."""
    with transaction.atomic():
        User.objects.filter(pk=user.pk).update(is_active=False)
        for brain in Brain.objects.owned_by(user):
            if not brain.memberships.filter(role="owner").exclude(user=user).exists():
                purge_brain(brain, by)
        journal, made = Deletion.objects.get_or_create(
            kind=DeletionKind.USER, subject=str(user.pk), defaults={"requested_by": None if by == user else by}
        )
        if made:
            Audit.objects.create(action="purge user", subject=str(user.pk), user=None if by == user else by)
    transaction.on_commit(partial(_silence, Message.objects.filter(conversation__user=user.pk)))
    transaction.on_commit(bell.ring_deletions)
    return journal


def delete_conversation(conversation: Conversation) -> None:
    """Its rows are gone when this returns; a worker at one of its questions finds none and stops."""
    told = list(conversation.messages.values_list("pk", flat=True))
    conversation.delete()
    transaction.on_commit(partial(streams.forget, told))


def _silence(messages: QuerySet[Message]) -> None:
    """None of them is answered any more, and what was told of them is forgotten."""
    streams.stop(messages)
    streams.forget(messages.values_list("pk", flat=True))


def _audit(action: str, source: Source, user: User | None) -> None:
    Audit.objects.create(action=action, brain=source.brain_id, subject=str(source.pk), user=user)
