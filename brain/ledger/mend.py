"""Mending what ``brain.ledger.verify`` found: the rows win, the stores follow.

Nothing is invented. A finding that the rows cannot answer (a lost original, a changed text) stays for a person.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from brain import originals
from brain.ledger import facts, indexes, projection
from brain.ledger.points import chunk_points
from brain.ledger.state import split_ref
from brain.ledger.verify import Finding
from brain.models import Brain, Chunk, Entity, Projection, ProjectionTarget, Relation, Source, VectorIndex
from brain.values import PointKind

_HOUR = 3600


def mend(findings: Sequence[Finding]) -> int:
    """Mend what can be mended; how many findings were."""
    mended = 0
    for finding in findings:
        if finding.mendable:
            mended += _MENDERS[finding.store](finding)
    for brain in Brain.objects.filter(pk__in={UUID(each.brain) for each in findings if each.brain}):
        projection.carry_out(brain.pk)
    return mended


def _rows(finding: Finding) -> int:
    kind, key = finding.item.split(" ", 1)
    if finding.fault == "stuck":
        return Source.objects.filter(pk=key).update(lease_owner="", lease_until=None)
    brain_id = UUID(finding.brain)
    with transaction.atomic():
        affected = facts.Affected()
        if kind == "entity":
            affected.entities.update(Entity.objects.filter(brain=brain_id, key=key).values_list("pk", flat=True))
        else:
            affected.relations.update(Relation.objects.filter(brain=brain_id, key=key).values_list("pk", flat=True))
        facts.refresh(brain_id, affected, sources=set())
    return 1


def _originals(finding: Finding) -> int:
    path = originals.path_of(finding.item)
    # A younger one may belong to an upload whose row is not committed yet.
    if not path.exists() or time.time() - path.stat().st_mtime < _HOUR:
        return 0
    return int(originals.remove(finding.item))


def _graph(finding: Finding) -> int:
    kind, key = finding.item.split(" ", 1)
    Projection.objects.create(brain=finding.brain, target=ProjectionTarget.GRAPH, kind=kind, key=key)
    return 1


def _vectors(finding: Finding) -> int:
    name, kind, ref, point = finding.item.split(" ")
    index = VectorIndex.objects.get(name=name)
    indexes.store_of(index).remove([point])
    if finding.fault == "ghost":
        return 1
    if kind == PointKind.CHUNK:
        return _write_chunk(index, ref)
    sources = _sources_of(UUID(finding.brain), kind, ref)
    for source in sources:
        projection.note_vectors(
            UUID(finding.brain),
            source,
            entities=[ref] if kind == PointKind.ENTITY else [],
            relations=[ref] if kind == PointKind.RELATION else [],
        )
    return int(bool(sources))


def _write_chunk(index: VectorIndex, ref: str) -> int:
    place = split_ref(ref)
    if place is None:
        return 0
    chunks = list(Chunk.objects.filter(source=place[0], ordinal=place[1]).select_related("source"))
    indexes.store_of(index).upsert(chunk_points(chunks, indexes.embedder_of(index)))
    return len(chunks)


def _sources_of(brain_id: UUID, kind: str, key: str) -> list[str]:
    rows = Entity if kind == PointKind.ENTITY else Relation
    sources = rows.objects.filter(brain=brain_id, key=key).values_list("mentions__source", flat=True).distinct()
    return [str(source) for source in sources if source is not None]


_MENDERS = {"rows": _rows, "originals": _originals, "graph": _graph, "vectors": _vectors}
