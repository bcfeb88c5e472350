"""The journal of deletions: each kind walks through its steps, which can be repeated, until nothing is left.

A kill at any moment costs at most the step in hand; whoever finds the journal next goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from brain import bootstrap, originals
from brain.errors import ServiceUnavailable
from brain.ledger import facts, indexes, projection, quotes
from brain.ledger.deletion import chunk_refs_of, entity_keys_of, relation_keys_of
from brain.ledger.leases import PROCESS, free_now, heartbeat, lease_end
from brain.models import (
    Brain,
    Chunk,
    ChunkLink,
    ChunkTerm,
    Deletion,
    DeletionKind,
    Entity,
    Extraction,
    Mention,
    Relation,
    RelationMention,
    Segment,
    Source,
    User,
)
from brain.values import PointFilter

Step = Callable[[Deletion], None]


class NotYet(ServiceUnavailable):
    """The step has to wait for something that ends by itself."""


def _cancel_source(journal: Deletion) -> None:
    """Wait until no worker holds the source. Workers look once a second and let go; a dead one's lease ends."""
    held = Source.objects.filter(pk=journal.subject).exclude(free_now())
    if held.exists():
        raise NotYet(_("Waiting for the work on this file to stop."))


def _blank_quotes(journal: Deletion) -> None:
    _count(journal, quotes=quotes.blank(UUID(journal.subject)))


def _delete_rows(journal: Deletion) -> None:
    source_id = UUID(journal.subject)
    with transaction.atomic():
        source = Source.objects.select_for_update().filter(pk=source_id).first()
        if source is None:
            return
        entity_keys, relation_keys = entity_keys_of(source_id), relation_keys_of(source_id)
        chunk_refs = chunk_refs_of(source_id)
        affected = facts.affected_by(source=source_id)
        chunks = Chunk.objects.filter(source=source_id)
        _count(journal, passages=len(chunk_refs), mentions=Mention.objects.filter(source=source_id).count())
        # Children first, one statement each: Django's own cascade would read every row to find them.
        citing = ChunkLink.objects.filter(target__in=chunks).exclude(chunk__in=chunks)
        citing.update(target=None)
        for rows in (
            RelationMention.objects.filter(source=source_id),
            Mention.objects.filter(source=source_id),
            Extraction.objects.filter(chunk__in=chunks),
            ChunkTerm.objects.filter(chunk__in=chunks),
            ChunkLink.objects.filter(chunk__in=chunks),
            Segment.objects.filter(source=source_id),
            chunks,
        ):
            rows._raw_delete(rows.db)
        source.delete()
        projection.note_graph(
            source.brain_id,
            entities=entity_keys,
            relations=relation_keys,
            chunks=chunk_refs,
            sources=[str(source_id)],
        )
        facts.refresh(source.brain_id, affected, sources=set())
        _count(
            journal,
            entities=len(entity_keys) - Entity.objects.filter(brain=source.brain_id, key__in=entity_keys).count(),
            relations=len(relation_keys)
            - Relation.objects.filter(brain=source.brain_id, key__in=relation_keys).count(),
        )


def _project(journal: Deletion) -> None:
    """Carry out the outbox, so that the graph store forgets too."""
    if journal.brain is None or not Brain.objects.filter(pk=journal.brain).exists():
        return
    projection.carry_out(journal.brain)
    if projection.pending(journal.brain):
        raise NotYet(_("Waiting for the graph to take the deletion."))


def _remove_points(journal: Deletion) -> None:
    where = PointFilter(brain=str(journal.brain), sources=frozenset({journal.subject}))
    removed = 0
    for index in indexes.every():
        store = indexes.store_of(index)
        removed += store.count(where)
        store.remove_matching(where)
        if store.count(where):
            raise NotYet(_("Waiting for the search index to take the deletion."))
    _count(journal, points=removed)


def _remove_files(journal: Deletion) -> None:
    if not journal.sha256:
        return
    # In one transaction with the question whether anybody else has these bytes: an upload of them puts its row and
    # its file in place within one, too. Outside, the row of an upload was not yet to be seen, and its file went.
    with transaction.atomic():
        originals.hold(journal.sha256)
        if not Source.objects.filter(sha256=journal.sha256).exists():
            _count(journal, files=int(originals.remove(journal.sha256)))


def _wait_for_sources(journal: Deletion) -> None:
    if Source.objects.filter(brain=journal.brain).exists():
        raise NotYet(_("Waiting for the files of this brain to be deleted."))


def _delete_brain_rows(journal: Deletion) -> None:
    Brain.objects.filter(pk=journal.subject).delete()


def _forget_brain(journal: Deletion) -> None:
    bootstrap.graph_store().remove_brain(journal.subject)
    for index in indexes.every():
        indexes.store_of(index).remove_matching(PointFilter(brain=journal.subject))
    projection.forget(UUID(journal.subject))


def _wait_for_brains(journal: Deletion) -> None:
    if Brain.objects.filter(memberships__user=int(journal.subject), deleted_at__isnull=False).exists():
        raise NotYet(_("Waiting for this person's brains to be deleted."))


def _delete_user_rows(journal: Deletion) -> None:
    User.objects.filter(pk=int(journal.subject)).delete()


def _scrub(journal: Deletion) -> None:  # noqa: ARG001
    """Leave no bytes of deleted rows in SQLite's files: pages are overwritten (secure_delete), then the log is."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy, _log, _done = cursor.fetchone()
        if busy:
            raise NotYet(_("Waiting for readers of the database to finish."))


STEPS: dict[str, dict[str, Step]] = {
    DeletionKind.SOURCE: {
        "cancel": _cancel_source,
        "quotes": _blank_quotes,
        "rows": _delete_rows,
        "graph": _project,
        "vectors": _remove_points,
        "files": _remove_files,
        "scrub": _scrub,
    },
    DeletionKind.BRAIN: {
        "cancel": _wait_for_sources,
        "rows": _delete_brain_rows,
        "stores": _forget_brain,
        "scrub": _scrub,
    },
    DeletionKind.USER: {"cancel": _wait_for_brains, "rows": _delete_user_rows, "scrub": _scrub},
}


def advance(journal: Deletion) -> bool:
    """Walk through the steps that are left; True when the deletion is finished.

    False when another worker holds the journal or a step has to be tried again later (``error`` says why).
    """
    taken = Deletion.objects.filter(free_now(), pk=journal.pk, finished_at=None).update(
        lease_owner=PROCESS, lease_until=lease_end(), tries=F("tries") + 1
    )
    if not taken:
        return False
    mine = Deletion.objects.filter(pk=journal.pk, lease_owner=PROCESS)
    journal.refresh_from_db()
    steps = STEPS[journal.kind]
    names = list(steps)
    try:
        with heartbeat.keeping(lambda: mine.update(lease_until=lease_end())):
            for name in names[names.index(journal.step) :]:
                journal.step = name
                mine.update(step=name)
                steps[name](journal)
    except ServiceUnavailable as error:
        wait = 1 if isinstance(error, NotYet) else min(60, 2**journal.tries)
        mine.update(
            error=error.notice.english,
            retry_at=timezone.now() + timedelta(seconds=wait),
            lease_owner="",
            lease_until=None,
        )
        return False
    finished = mine.update(
        step="done",
        error="",
        sha256="",
        finished_at=timezone.now(),
        receipt=journal.receipt,
        lease_owner="",
        lease_until=None,
    )
    return bool(finished)


def _count(journal: Deletion, **counts: int) -> None:
    """Add to the receipt. A repeated step that finds nothing left keeps what was counted before."""
    for name, count in counts.items():
        journal.receipt[name] = max(count, journal.receipt.get(name, 0))
    Deletion.objects.filter(pk=journal.pk).update(receipt=journal.receipt)


def due() -> list[Deletion]:
    """Journals that may be taken up now."""
    now = timezone.now()
    waiting = Deletion.objects.filter(free_now(), finished_at=None).order_by("requested_at", "id")
    return [journal for journal in waiting if journal.retry_at is None or journal.retry_at <= now]
