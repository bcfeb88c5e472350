"""Taking the next source and carrying it on, whatever happens to it on the way."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import BooleanField, ExpressionWrapper, Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from brain.errors import BrainError, Cancelled, InputError, LeaseLost, ServiceError
from brain.ledger import leases
from brain.ledger.leases import SourceLease, claim_source, free_now, heartbeat
from brain.models import Chunk, ChunkState, Source, SourceStage, SourceState
from ingestion import pipeline, reading
from ingestion.pipeline import Ports
from ingestion.reader import ReaderKilled

logger = logging.getLogger(__name__)

#: In the order of their urgency: found by words, found by meaning, known as facts.
READING = (SourceStage.READ, SourceStage.INDEX)
EMBEDDING = (SourceStage.EMBED,)
EXTRACTING = (SourceStage.EXTRACT, SourceStage.FINISHED)
_UNTIL = {READING: SourceStage.EMBED, EMBEDDING: SourceStage.EXTRACT, EXTRACTING: SourceStage.FINISHED}
# A person's large files are read behind the small ones, which are read in a second: a book takes a minute.
_LARGE = 2_000_000
_WAIT_SECONDS = (5, 10, 20, 30)


def due(stages: tuple[SourceStage, ...], only: Collection[UUID] | None = None) -> QuerySet[Source]:
    """Sources, ``only`` of these ids, that somebody may take now; the person whose turn was longest ago comes first
    (fair share), and of one person's what was uploaded first."""
    now = timezone.now()
    waiting = (
        Source.objects.filter(free_now(), state__in=leases.WORKABLE, stage__in=stages)
        .filter(Q(retry_at=None) | Q(retry_at__lte=now), trashed_at=None, purge_requested_at=None)
        .filter(brain__deleted_at=None)
    )
    if only is not None:
        waiting = waiting.filter(pk__in=only)
    last_turn = dict(
        Source.objects.filter(stage_started_at__isnull=False)
        .values_list("uploaded_by")
        .annotate(at=Max("stage_started_at"))
    )
    people = sorted(
        set(waiting.order_by().values_list("uploaded_by", flat=True)),
        key=lambda person: (person in last_turn, last_turn.get(person, now), person or 0),
    )
    if not people:
        return waiting.none()
    large = Q(size__gte=_LARGE) if stages == READING else Q(pk=None)
    return (
        waiting.filter(uploaded_by=people[0])
        .annotate(large=ExpressionWrapper(large, BooleanField()))
        .order_by("large", "created_at", "id")
    )


def unfinished(stages: tuple[SourceStage, ...], only: Collection[UUID] | None = None) -> bool:
    """True while a source in these stages is being worked on or due."""
    held = Source.objects.filter(state=SourceState.RUNNING, stage__in=stages, lease_until__gt=timezone.now())
    if only is not None:
        held = held.filter(pk__in=only)
    return held.exists() or due(stages, only).exists()


def work_all(ports: Ports) -> None:
    """Work, in this thread, until nothing is due."""
    while any(work(stages, ports) for stages in (READING, EMBEDDING, EXTRACTING)):
        pass


def work(stages: tuple[SourceStage, ...], ports: Ports, only: Collection[UUID] | None = None) -> bool:
    """Take one due source, ``only`` of these ids, through these stages. False if nothing was due."""
    claimed = claim_source(due(stages, only))
    if claimed is None:
        return False
    source, lease = claimed
    with leases.freed_later(lease.release):
        _advance(source, lease, ports, stages)
    return True


def _advance(source: Source, lease: SourceLease, ports: Ports, stages: tuple[SourceStage, ...]) -> None:
    try:
        with heartbeat.keeping(lease.renew):
            finished = pipeline.advance(source, lease, ports, until=_UNTIL[stages])
    except LeaseLost:
        logger.warning("source=%s lease lost at stage=%s", source.pk, source.stage)
    except Cancelled:
        lease.release(state=SourceState.QUEUED, tries=0)
    except (InputError, ServiceError) as error:
        _stop(source, lease, error)
    else:
        # Between two time slices a source counts as running; before its next kind of work it is queued.
        queued = finished and source.state == SourceState.RUNNING
        lease.release(**({"state": SourceState.QUEUED} if queued else {}), tries=0)
        logger.info("source=%s state=%s finished=%s", source.pk, source.state, finished)
    finally:
        # After a mistake of our own: free the row, so that the counted tries decide what becomes of it.
        lease.release()


def _stop(source: Source, lease: SourceLease, error: BrainError) -> None:
    said = {"error_code": error.code, "error": error.notice.text, "error_params": dict(error.notice.params)}
    # A reader that was killed may have been killed for this file's memory: that is counted, all else is waited for.
    counted = isinstance(error, ReaderKilled)
    if error.retryable and not (counted and source.tries >= settings.MAX_TRIES):
        wait = timedelta(seconds=_WAIT_SECONDS[min(source.tries, len(_WAIT_SECONDS)) - 1])
        lease.release(
            state=SourceState.WAITING, retry_at=timezone.now() + wait, tries=source.tries if counted else 0, **said
        )
        return
    fail(source, lease, said)


def fail(source: Source, lease: SourceLease | None, said: Mapping[str, object]) -> None:
    """End with a reason and leave nothing behind: no passages, no facts, no points."""
    pipeline.forget_points(source)
    with transaction.atomic():
        if lease is not None:
            lease.hold()
        reading.forget_rows(source)
        Source.objects.filter(pk=source.pk).update(
            state=SourceState.FAILED,
            stage=SourceStage.READ,
            progress=0.0,
            searchable_at=None,
            finished_at=timezone.now(),
            lease_owner="",
            lease_until=None,
            **said,
        )
    logger.info("source=%s failed code=%s", source.pk, said["error_code"])


def quarantine() -> int:
    """Sources whose worker died ``MAX_TRIES`` times without any progress; how many were dealt with.

    While facts are extracted only the passage in hand is given up; before that, the file.
    """
    stuck = Source.objects.filter(free_now(), state=SourceState.RUNNING, tries__gte=settings.MAX_TRIES)
    for source in stuck:
        said: dict[str, object] = {
            "error_code": "stopped",
            "error": _("The work on this file stopped the program %(count)s times. Try again, or upload another copy."),
            "error_params": {"count": source.tries},
        }
        chunk = Chunk.objects.filter(source=source, state=ChunkState.PENDING).first()
        if source.stage == SourceStage.EXTRACT and chunk is not None:
            Chunk.objects.filter(pk=chunk.pk).update(
                state=ChunkState.FAILED, reason=_("The work on this passage stopped the program several times.")
            )
            Source.objects.filter(pk=source.pk).update(tries=0)
        else:
            fail(source, None, said)
    return len(stuck)
