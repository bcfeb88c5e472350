"""Differences between the rows and the stores are found, each once, and mended where the rows can answer."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from brain import bootstrap, originals
from brain.ledger import dump, indexes, mend, verify
from brain.ledger.points import point_id
from brain.models import Brain, Chunk, Entity, Relation, Source, SourceState
from brain.values import GraphBatch, GraphEntity, PointFilter, PointKind, VectorPoint

pytestmark = pytest.mark.django_db(transaction=True)

A = "Ada Byron (person) advises Engine Works (organization). It is written here."
B = "Ada Byron (person) visits Difference Hall (place). It is written there."


@pytest.fixture
def two_sources(
    plain_facts: None, settings: object, upload: Callable[..., Source], drain: Callable[[], None]
) -> tuple[Source, Source]:
    settings.BRAIN_GRAPH = "memory"  # type: ignore[attr-defined]
    bootstrap.close_all()
    from bench.plain_facts import model

    bootstrap.use("BRAIN_LLM", model())
    sources = upload(A, "a.txt"), upload(B, "b.txt")
    drain()
    return sources


def found(brain: Brain) -> set[tuple[str, str]]:
    return {(each.store, each.fault) for each in [*verify.check(brain), *verify.check_shared()]}


def test_an_undisturbed_brain_gives_no_alarm(two_sources: tuple[Source, Source], brain: Brain) -> None:
    assert verify.check(brain) == []
    assert verify.check_shared() == []


def _lose_original(brain: Brain, sources: tuple[Source, Source]) -> None:
    originals.remove(sources[0].sha256)


def _change_original(brain: Brain, sources: tuple[Source, Source]) -> None:
    path = originals.path_of(sources[0].sha256)
    path.write_bytes(path.read_bytes().replace(b"Ada", b"Eda"))


def _forget_row_of_original(brain: Brain, sources: tuple[Source, Source]) -> None:
    path = originals.path_of("ab" * 32)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"nobody's")
    os.utime(path, (0, 0))


def _change_passage(brain: Brain, sources: tuple[Source, Source]) -> None:
    Chunk.objects.filter(source=sources[0]).update(text="somebody else's words")


def _orphan_entity(brain: Brain, sources: tuple[Source, Source]) -> None:
    Entity.objects.create(brain=brain, key="f" * 32, name="Nobody", folded="nobody", type="person")


def _orphan_relation(brain: Brain, sources: tuple[Source, Source]) -> None:
    one, two = Entity.objects.filter(brain=brain)[:2]
    Relation.objects.create(brain=brain, key="e" * 32, subject=one, predicate="likes", object=two)


def _stuck_source(brain: Brain, sources: tuple[Source, Source]) -> None:
    past = timezone.now() - timedelta(minutes=5)
    Source.objects.filter(pk=sources[0].pk).update(state=SourceState.RUNNING, lease_until=past, lease_owner="gone")


def _chunk_point(brain: Brain, source: Source) -> VectorPoint:
    where = PointFilter(brain=str(brain.pk), kind=PointKind.CHUNK, sources=frozenset({str(source.pk)}))
    return next(iter(indexes.active().scan(where)))


def _ghost_point(brain: Brain, sources: tuple[Source, Source]) -> None:
    point = _chunk_point(brain, sources[0])
    ghost_ref = f"{sources[0].pk}:99"
    indexes.active().upsert(
        [
            VectorPoint(
                point_id("chunk", brain.pk, sources[0].pk, ghost_ref),
                point.brain,
                point.source,
                point.kind,
                ghost_ref,
                point.digest,
                point.dense,
            )
        ]
    )


def _missing_point(brain: Brain, sources: tuple[Source, Source]) -> None:
    indexes.active().remove([_chunk_point(brain, sources[0]).id])


def _stale_point(brain: Brain, sources: tuple[Source, Source]) -> None:
    point = _chunk_point(brain, sources[0])
    indexes.active().upsert(
        [VectorPoint(point.id, point.brain, point.source, point.kind, point.ref, "another text", point.dense)]
    )


def _missing_phrasing(brain: Brain, sources: tuple[Source, Source]) -> None:
    where = PointFilter(brain=str(brain.pk), kind=PointKind.ENTITY)
    indexes.active().remove([next(iter(indexes.active().scan(where))).id])


def _write(brain: Brain, batch: GraphBatch) -> None:
    brain.refresh_from_db()
    bootstrap.graph_store().write(str(brain.pk), batch, fence=brain.fence)


def _ghost_in_graph(brain: Brain, sources: tuple[Source, Source]) -> None:
    _write(brain, GraphBatch(entities=(GraphEntity("d" * 32, "Ghost", "person", (), ()),)))


def _missing_in_graph(brain: Brain, sources: tuple[Source, Source]) -> None:
    _write(brain, GraphBatch(gone_entities=(Entity.objects.get(name="Difference Hall").key,)))


def _stale_in_graph(brain: Brain, sources: tuple[Source, Source]) -> None:
    key = Entity.objects.get(name="Ada Byron").key
    _write(brain, GraphBatch(entities=(GraphEntity(key, "Ada", "person", (), ()),)))


FAULTS = [
    (_lose_original, ("originals", "missing"), False),
    (_change_original, ("originals", "changed"), False),
    (_forget_row_of_original, ("originals", "ghost"), True),
    (_change_passage, ("rows", "changed"), False),
    (_orphan_entity, ("rows", "orphan"), True),
    (_orphan_relation, ("rows", "orphan"), True),
    (_stuck_source, ("rows", "stuck"), True),
    (_ghost_point, ("vectors", "ghost"), True),
    (_missing_point, ("vectors", "missing"), True),
    (_stale_point, ("vectors", "stale"), True),
    (_missing_phrasing, ("vectors", "missing"), True),
    (_ghost_in_graph, ("graph", "ghost"), True),
    (_missing_in_graph, ("graph", "missing"), True),
    (_stale_in_graph, ("graph", "stale"), True),
]


@pytest.mark.parametrize(("plant", "kind", "mendable"), FAULTS, ids=[each[0].__name__[1:] for each in FAULTS])
def test_a_planted_fault_is_found_and_mended(
    plant: Callable[[Brain, tuple[Source, Source]], None],
    kind: tuple[str, str],
    mendable: bool,
    two_sources: tuple[Source, Source],
    brain: Brain,
) -> None:
    before = dump.canonical(brain.pk)
    plant(brain, two_sources)
    assert kind in found(brain)
    findings = [*verify.check(brain), *verify.check_shared()]
    mend.mend(findings)
    if mendable:
        assert found(brain) == set()
        Source.objects.update(state=SourceState.DONE)
        assert dump.canonical(brain.pk) == before
    else:
        assert kind in found(brain)


def test_work_in_the_outbox_is_no_fault(
    two_sources: tuple[Source, Source], upload: Callable[..., Source], brain: Brain
) -> None:
    from brain.ledger import deletion

    deletion.trash(two_sources[0], None)
    assert verify.check(brain) == []
