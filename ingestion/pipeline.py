"""The order of work, from an original to facts.

    read     original -> document (in a cage) -> passages -> rows                       one transaction
    index    rows -> lexical points: found by words                                      searchable
    embed    rows -> dense points, a few passages at a time: found by meaning
    extract  passages -> model -> facts -> rows and outbox -> graph and vectors          as many as it has slots
    finish   counts, state

Every stage can be repeated: it writes whole states under fixed ids, and starts with what is not done yet. The
worker holds a lease on the source throughout; each write checks it in its own transaction.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from brain import originals
from brain.errors import ServiceUnavailable
from brain.ledger import facts, indexes, projection
from brain.ledger.leases import SourceLease
from brain.ledger.points import chunk_points
from brain.models import Brain, Chunk, ChunkState, Source, SourceStage, SourceState
from brain.models.sources import FAILED_CHUNKS, NO_ERROR
from brain.ports import LLM
from brain.values import Document, PointFilter
from ingestion import reader, reading, side_by_side
from ingestion.extraction import extract
from ingestion.extraction.values import Extracted

logger = logging.getLogger(__name__)

INDEX_BATCH = 200
EMBED_BATCH = 8
#: A large file gives way to others after this long: to files that cannot be found yet, and to other people's.
EMBED_SLICE_SECONDS = 5
EXTRACT_SLICE_SECONDS = 120
#: Phrasings are embedded in batches: after each passage they would take a tenth of the model's time.
OUTBOX_BATCH = 64


@dataclass(frozen=True, slots=True)
class Ports:
    """What the stages need from outside the ledger. ``llm`` is asked for only when there is a passage for it;
    ``read`` turns a file into a document (see ``ingestion.reader.read``). ``gives_way`` is asked between passages
    whether extraction should leave the processor to other work."""

    llm: Callable[[], LLM]
    read: Callable[..., Document] = reader.read
    gives_way: Callable[[], bool] = lambda: False
    now: Callable[[], float] = time.monotonic


def advance(source: Source, lease: SourceLease, ports: Ports, *, until: SourceStage = SourceStage.FINISHED) -> bool:
    """Carry a source through its stages up to ``until`` (not included). False if its time slice ran out."""
    while source.stage not in {until, SourceStage.FINISHED}:
        started = ports.now()
        stage = SourceStage(source.stage)
        finished = STAGES[stage](source, lease, ports)
        seconds = source.stage_seconds.get(stage, 0.0) + ports.now() - started
        source.stage_seconds = {**source.stage_seconds, stage: round(seconds, 3)}
        if not finished:
            lease.save(stage_seconds=source.stage_seconds, **NO_ERROR)
            return False
        following = _ORDER[_ORDER.index(stage) + 1]
        source.stage = following
        # What it waited for on the way is over.
        lease.save(stage=following, stage_seconds=source.stage_seconds, progress=0.0, tries=0, **NO_ERROR)
        logger.info("source=%s stage=%s seconds=%.1f", source.pk, stage, seconds)
    if source.stage == SourceStage.FINISHED:
        finish(source, lease)
    return True


def read(source: Source, lease: SourceLease, ports: Ports) -> bool:
    original = originals.path_of(source.sha256)
    if not original.exists():
        raise ServiceUnavailable(_("The original of this file is missing from the disk. Upload the same file again."))
    document = ports.read(
        original,
        source.media_type,
        title=source.title,
        on_progress=lambda share: lease.save(progress=share),
        cancelled=lease.cancelled,
    )
    prepared = reading.prepare(document)
    lease.check()
    forget_points(source)
    with transaction.atomic():
        lease.hold()
        reading.replace_rows(source, prepared)
    return True


def index(source: Source, lease: SourceLease, _ports: Ports) -> bool:
    # A passage with its dense vector has its words in the index too: writing words alone would take the vector away.
    chunks = Chunk.objects.filter(source=source, embedded=False).select_related("source")
    for start in range(0, chunks.count(), INDEX_BATCH):
        lease.check()
        points = chunk_points(list(chunks[start : start + INDEX_BATCH]), None)
        for each in indexes.every():
            indexes.store_of(each).upsert(points)
    source.searchable_at = timezone.now()
    lease.save(searchable_at=source.searchable_at)
    Brain.objects.filter(pk=source.brain_id).update(revision=F("revision") + 1)
    return True


def embed(source: Source, lease: SourceLease, ports: Ports) -> bool:
    total = Chunk.objects.filter(source=source).count()
    waiting = Chunk.objects.filter(source=source, embedded=False).select_related("source")
    slice_ends = ports.now() + EMBED_SLICE_SECONDS
    while batch := list(waiting[:EMBED_BATCH]):
        lease.check()
        if ports.now() > slice_ends:
            return False
        for each in indexes.every():
            indexes.store_of(each).upsert(chunk_points(batch, indexes.embedder_of(each)))
        with transaction.atomic():
            lease.hold()
            Chunk.objects.filter(pk__in=[chunk.pk for chunk in batch]).update(embedded=True)
            lease.save(progress=1 - waiting.count() / total, tries=0)
    return True


def extract_facts(source: Source, lease: SourceLease, ports: Ports) -> bool:
    total = Chunk.objects.filter(source=source).count()
    waiting = Chunk.objects.filter(source=source, state=ChunkState.PENDING)
    slice_ends = ports.now() + EXTRACT_SLICE_SECONDS
    while waiting.exists():
        lease.check()
        if ports.now() > slice_ends or ports.gives_way():
            return False
        llm = ports.llm()
        batch = list(waiting[: getattr(llm, "side_by_side", 1)])
        for chunk, found in side_by_side.run(partial(_ask, source, llm), batch, lease.cancelled):
            _keep(chunk, found, lease)
        lease.save(progress=1 - waiting.count() / total, tries=0)
        if projection.pending(source.brain_id) >= OUTBOX_BATCH:
            projection.carry_out(source.brain_id)
    projection.carry_out(source.brain_id)
    return True


def _ask(source: Source, llm: LLM, chunk: Chunk, cancelled: Callable[[], bool]) -> Extracted:
    """Touches no row: passages are asked about side by side."""
    return extract(
        chunk.text,
        language=chunk.language,
        heading=tuple(chunk.heading),
        llm=llm,
        entity_types=source.brain.entity_types,
        relation_names=source.brain.relation_names,
        cancelled=cancelled,
    )


def _keep(chunk: Chunk, found: Extracted, lease: SourceLease) -> None:
    """Make the ledger hold what the model said about a passage."""
    with transaction.atomic():
        lease.hold()
        facts.replace_chunk_facts(chunk, found.entities, found.relations, found.calls)
        Chunk.objects.filter(pk=chunk.pk).update(state=found.state, reason=found.reason)


def extract_chunk(source: Source, chunk: Chunk, lease: SourceLease, llm: LLM) -> None:
    """One passage by itself."""
    _keep(chunk, _ask(source, llm, chunk, lease.cancelled), lease)


def finish(source: Source, lease: SourceLease) -> None:
    failed = Chunk.objects.filter(source=source, state__in=[ChunkState.FAILED, ChunkState.TRUNCATED])
    broken = failed.count()
    source.state = SourceState.PARTIAL if broken or source.warnings else SourceState.DONE
    source.finished_at = timezone.now()
    changes: dict[str, object] = {"state": source.state, "finished_at": source.finished_at}
    if broken:
        changes |= {
            "error_code": FAILED_CHUNKS,
            "error": _("%(count)s passages could not be turned into facts completely. You can try them again."),
            "error_params": {"count": broken},
        }
    lease.save(**changes)


Stage = Callable[[Source, SourceLease, Ports], bool]

_ORDER = list(SourceStage)
#: The last stage, ``finished``, is a place to rest.
STAGES: dict[SourceStage, Stage] = {
    SourceStage.READ: read,
    SourceStage.INDEX: index,
    SourceStage.EMBED: embed,
    SourceStage.EXTRACT: extract_facts,
}


def forget_points(source: Source) -> None:
    """Take away what an earlier reading of this source left in the vectors."""
    where = PointFilter(brain=str(source.brain_id), sources=frozenset({str(source.pk)}))
    for each in indexes.every():
        store = indexes.store_of(each)
        store.remove_matching(where)
