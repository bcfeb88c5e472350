"""Comparing the stores with the rows, item by item, and mending what differs.

A finding names the store, the kind of fault and the item. Mending never invents: rows win, stores follow; what
the rows themselves lack is reported for a person.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import Count
from django.utils import timezone

from brain import bootstrap, originals
from brain.language import searchable
from brain.ledger import indexes, phrasings
from brain.ledger.points import point_id, text_digest
from brain.ledger.state import whole_graph
from brain.models import (
    Brain,
    Chunk,
    Entity,
    Mention,
    Projection,
    ProjectionTarget,
    Relation,
    RelationMention,
    Source,
    SourceState,
)
from brain.text import digest
from brain.values import GraphBatch, PointFilter, PointKind, VectorPoint


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """``store``: rows, originals, graph or vectors. ``fault``: missing, ghost, stale, changed, orphan or stuck.

    ``item`` names it in the store's own terms, ``mendable`` says whether ``mend`` can help.
    """

    store: str
    fault: str
    item: str
    brain: str = ""
    mendable: bool = True


def check(brain: Brain) -> list[Finding]:
    """All differences of one brain, sorted. Reads everything; writes nothing."""
    return sorted([*_rows(brain), *_originals(brain), *_graph(brain), *_vectors(brain)])


def check_shared() -> list[Finding]:
    """What belongs to no brain: files without a row, points and graphs of brains that are gone."""
    known = set(Source.objects.values_list("sha256", flat=True))
    found = [
        Finding("originals", "ghost", path.name)
        for path in settings.ORIGINALS_DIR.glob("??/*")
        if path.is_file() and path.name not in known
    ]
    return sorted(found)


def _rows(brain: Brain) -> Iterator[Finding]:
    mine = str(brain.pk)
    for key in Entity.objects.filter(brain=brain, mentions=None).values_list("key", flat=True):
        yield Finding("rows", "orphan", f"entity {key}", mine)
    for key in Relation.objects.filter(brain=brain, mentions=None).values_list("key", flat=True):
        yield Finding("rows", "orphan", f"relation {key}", mine)
    now = timezone.now()
    held = Source.objects.filter(brain=brain, state=SourceState.RUNNING, lease_until__lt=now)
    for pk in held.values_list("pk", flat=True):
        yield Finding("rows", "stuck", f"source {pk}", mine)
    done = Source.objects.filter(brain=brain, state__in=[SourceState.DONE, SourceState.PARTIAL])
    for pk in done.annotate(n=Count("chunks")).filter(n=0).values_list("pk", flat=True):
        yield Finding("rows", "missing", f"passages of source {pk}", mine, mendable=False)
    for pk, ordinal, text, sha in (
        Chunk.objects.filter(brain=brain).values_list("source_id", "ordinal", "text", "digest").iterator()
    ):
        if digest(text) != sha:
            yield Finding("rows", "changed", f"chunk {pk}:{ordinal}", mine, mendable=False)


def _originals(brain: Brain) -> Iterator[Finding]:
    for sha in Source.objects.filter(brain=brain).values_list("sha256", flat=True):
        path = originals.path_of(sha)
        if not path.exists():
            yield Finding("originals", "missing", sha, str(brain.pk), mendable=False)
            continue
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != sha:
                yield Finding("originals", "changed", sha, str(brain.pk), mendable=False)


def _graph(brain: Brain) -> Iterator[Finding]:
    store = bootstrap.graph_store()
    if store.reads_ledger:
        return
    wanted, kept = whole_graph(brain.pk), store.dump(str(brain.pk))
    noted = set(Projection.objects.filter(brain=brain.pk, target=ProjectionTarget.GRAPH).values_list("kind", "key"))
    for kind, should, does in _pairs(wanted, kept):
        for key in sorted(should.keys() | does.keys()):
            if (kind, key) in noted:
                continue
            if key not in does:
                yield Finding("graph", "missing", f"{kind} {key}", str(brain.pk))
            elif key not in should:
                yield Finding("graph", "ghost", f"{kind} {key}", str(brain.pk))
            elif should[key] != does[key]:
                yield Finding("graph", "stale", f"{kind} {key}", str(brain.pk))


def _pairs(wanted: GraphBatch, kept: GraphBatch) -> Iterator[tuple[str, dict[str, object], dict[str, object]]]:
    yield "entity", {each.key: each for each in wanted.entities}, {each.key: each for each in kept.entities}
    yield "relation", {each.key: each for each in wanted.relations}, {each.key: each for each in kept.relations}
    yield "chunk", {each.ref: each for each in wanted.chunks}, {each.ref: each for each in kept.chunks}
    yield "source", {each.id: each for each in wanted.sources}, {each.id: each for each in kept.sources}


@dataclass(frozen=True, slots=True)
class _Expected:
    """A point as the rows want it. ``dense`` None: either way is right, its source is still being embedded."""

    source: str
    kind: str
    ref: str
    digest: str
    dense: bool | None


def _vectors(brain: Brain) -> Iterator[Finding]:
    wanted, noted, leaving = _expected_points(brain), _noted_points(brain), _leaving(brain)
    for index in indexes.every():
        if not index.active:
            continue
        seen: set[str] = set()
        for point in indexes.store_of(index).scan(PointFilter(brain=str(brain.pk))):
            seen.add(point.id)
            item = f"{index.name} {point.kind} {point.ref} {point.id}"
            if point.id in noted or point.source in leaving:
                continue
            if point.id not in wanted:
                yield Finding("vectors", "ghost", item, str(brain.pk))
            elif _differs(point, wanted[point.id]):
                yield Finding("vectors", "stale", item, str(brain.pk))
        for missing in sorted(wanted.keys() - seen - noted):
            each = wanted[missing]
            if each.dense:
                yield Finding("vectors", "missing", f"{index.name} {each.kind} {each.ref} {missing}", str(brain.pk))


def _expected_points(brain: Brain) -> dict[str, _Expected]:
    found: dict[str, _Expected] = {}
    chunks = Chunk.objects.filter(brain=brain, source__purge_requested_at=None).select_related("source")
    for chunk in chunks.iterator(chunk_size=500):
        text = searchable(chunk.source.title, chunk.heading, chunk.text)
        found[point_id(PointKind.CHUNK, brain.pk, chunk.source_id, chunk.ref)] = _Expected(
            str(chunk.source_id), PointKind.CHUNK, chunk.ref, text_digest(text), chunk.embedded or None
        )
    for (kind, source, key), texts in phrasings.of(brain.pk, stated_items(brain.pk)).items():
        for number, text in enumerate(texts):
            found[point_id(kind, brain.pk, source, key, number)] = _Expected(source, kind, key, text_digest(text), True)
    return found


def stated_items(brain_id: UUID) -> Iterator[phrasings.Item]:
    """All that must have phrasings: what each source that stays mentions and states."""
    staying = {"source__brain": brain_id, "source__purge_requested_at": None}
    for source, key in Mention.objects.filter(**staying).values_list("source_id", "entity__key").distinct():
        yield (PointKind.ENTITY, str(source), key)
    stated = RelationMention.objects.filter(**staying, relation__isnull=False)
    for source, key in stated.values_list("source_id", "relation__key").distinct():
        yield (PointKind.RELATION, str(source), str(key))


def _noted_points(brain: Brain) -> set[str]:
    """Points that the outbox is about to write: not a fault."""
    rows = Projection.objects.filter(brain=brain.pk, target=ProjectionTarget.VECTORS)
    return {
        point_id(kind, brain.pk, source, key, number)
        for kind, source, key in rows.values_list("kind", "source", "key")
        for number in range(phrasings.MOST)
    }


def _leaving(brain: Brain) -> set[str]:
    """Sources that a deletion is taking away right now."""
    leaving = Source.objects.filter(brain=brain).exclude(purge_requested_at=None)
    return {str(pk) for pk in leaving.values_list("pk", flat=True)}


def _differs(kept: VectorPoint, wanted: _Expected) -> bool:
    if (kept.source, kept.kind, kept.ref, kept.digest) != (wanted.source, wanted.kind, wanted.ref, wanted.digest):
        return True
    return wanted.dense is not None and (kept.dense is not None) != wanted.dense
