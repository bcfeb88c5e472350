"""Every vector store finds, counts and forgets alike."""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from brain.backends.vectors.edge import EdgeVectorStore
from brain.backends.vectors.memory import MemoryVectorStore
from brain.backends.vectors.qdrant import QdrantVectorStore
from brain.errors import ServiceRejected
from brain.ports import VectorStore
from brain.values import PointFilter, PointKind, SparseVector, VectorHit
from tests.backends.vector_points import ALL, CHUNKS, ONE, found, kept, point, vector


@pytest.fixture(params=["memory", "edge", "qdrant-local", pytest.param("qdrant", marks=pytest.mark.server)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorStore]:
    made: MemoryVectorStore | EdgeVectorStore | QdrantVectorStore
    if request.param == "memory":
        made = MemoryVectorStore(3)
    elif request.param == "edge":
        made = EdgeVectorStore(tmp_path / "index", 3)
    else:
        local = request.param == "qdrant-local"
        url = "qdrant-local::memory:" if local else request.getfixturevalue("qdrant_url")
        made = QdrantVectorStore.from_setting(url, index="contract", dimension=3)
        made.remove_matching(ALL)
        made.remove_matching(PointFilter("brain two"))
    yield made
    made.close()


def test_dense_search_gives_cosines_best_first(store: VectorStore) -> None:
    store.upsert([point(1, (0.0, 5.0, 0.0)), point(2, (3.0, 4.0, 0.0)), point(3, (-1.0, 0.0, 0.0)), point(4, None)])
    hits = store.search(vector(2, 0, 0), CHUNKS, limit=10)
    assert found(hits) == [("ref 2", 0.6), ("ref 1", 0.0), ("ref 3", -1.0)]
    assert hits[0] == VectorHit("ref 2", "s1", PointKind.CHUNK, hits[0].score)
    assert found(store.search(vector(2, 0, 0), CHUNKS, limit=1)) == [("ref 2", 0.6)]


def test_lexical_search_weighs_rare_words_of_the_brain_and_gives_only_points_that_share_one(
    store: VectorStore,
) -> None:
    store.upsert([point(1, None, {7: 1.0, 8: 2.0}), point(2, None, {7: 3.0}), point(3, None, {9: 1.0}), point(4)])
    # Of three passages two hold 7 and one holds 8; the point without words does not count.
    seven, eight = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)
    assert found(store.search(SparseVector((7, 8), (1.0, 0.5)), CHUNKS, limit=10)) == [
        ("ref 1", round(seven + eight, 4)),
        ("ref 2", round(3 * seven, 4)),
    ]


def test_words_of_other_brains_do_not_make_a_word_common(store: VectorStore) -> None:
    store.upsert([point(1, None, {7: 1.0}), point(2, None, {8: 1.0})])
    alone = found(store.search(SparseVector((7,), (1.0,)), CHUNKS, limit=5))
    store.upsert([point(number, None, {7: 1.0}, brain="brain two") for number in range(10, 60)])
    assert found(store.search(SparseVector((7,), (1.0,)), CHUNKS, limit=5)) == alone


def test_a_search_within_sources_scores_as_one_over_all(store: VectorStore) -> None:
    store.upsert([point(n, None, {7: 1.0 + n}, source=f"s{n % 2}") for n in range(1, 7)])
    everywhere = found(store.search(SparseVector((7,), (1.0,)), CHUNKS, limit=9))
    inside = found(store.search(SparseVector((7,), (1.0,)), replace(CHUNKS, sources=frozenset({"s1"})), limit=9))
    assert inside == [hit for hit in everywhere if hit[0] in {"ref 1", "ref 3", "ref 5"}]


def test_equal_scores_come_in_the_order_of_ids_however_many(store: VectorStore) -> None:
    numbers = list(range(1, 121))
    store.upsert([point(number, terms={5: 1.0}) for number in numbers[::-1]])
    for query in (vector(1, 0, 0), SparseVector((5,), (1.0,))):
        assert [hit.ref for hit in store.search(query, CHUNKS, limit=5)] == [f"ref {n}" for n in numbers[:5]]


def test_filters_narrow_searches_counts_and_scans_alike(store: VectorStore) -> None:
    store.upsert(
        [
            point(1, terms={5: 1.0}),
            point(2, terms={5: 1.0}, source="s2"),
            point(3, terms={5: 1.0}, kind=PointKind.ENTITY),
            point(4, terms={5: 1.0}, brain="brain two"),
        ]
    )
    for where, refs in [
        (ALL, {"ref 1", "ref 2", "ref 3"}),
        (PointFilter(ONE, PointKind.CHUNK), {"ref 1", "ref 2"}),
        (PointFilter(ONE, sources=frozenset({"s2", "s9"})), {"ref 2"}),
        (PointFilter(ONE, without_sources=frozenset({"s2"})), {"ref 1", "ref 3"}),
        (PointFilter(ONE, PointKind.CHUNK, frozenset({"s1", "s2"}), frozenset({"s2"})), {"ref 1"}),
        (PointFilter("nobody's"), set()),
    ]:
        assert kept(store, where) == refs
        assert store.count(where) == len(refs)
        for query in (vector(1, 0, 0), SparseVector((5,), (1.0,))):
            hits = [
                hit
                for kind in PointKind
                if where.kind in {None, kind}
                for hit in store.search(query, replace(where, kind=kind), limit=9)
            ]
            assert {hit.ref for hit in hits} == refs


def test_a_point_comes_back_whole_but_for_its_words(store: VectorStore) -> None:
    store.upsert([point(1, (0.6, 0.8, 0.0), {5: 1.0}, kind=PointKind.RELATION), point(2, None, {5: 1.0})])
    first, second = sorted(store.scan(ALL), key=lambda each: each.id)
    assert first.dense is not None
    assert np.allclose(first.dense, [0.6, 0.8, 0.0])
    assert (first.id, first.brain, first.source, first.kind, first.ref, first.digest, first.lexical) == (
        str(uuid.UUID(int=1)),
        ONE,
        "s1",
        PointKind.RELATION,
        "ref 1",
        "digest 1",
        None,
    )
    assert second == point(2, None)


def test_a_point_of_the_same_id_is_replaced_whole(store: VectorStore) -> None:
    store.upsert([point(1, terms={5: 1.0})])
    store.upsert([point(1, None, {6: 1.0}, source="s2")])
    assert store.count(ALL) == 1
    assert store.search(vector(1, 0, 0), CHUNKS, limit=5) == []
    assert store.search(SparseVector((5,), (1.0,)), CHUNKS, limit=5) == []
    assert [hit.source for hit in store.search(SparseVector((6,), (1.0,)), CHUNKS, limit=5)] == ["s2"]


def test_removed_points_are_gone_and_unknown_ones_are_gone_already(store: VectorStore) -> None:
    store.upsert([point(number, source=f"s{number}") for number in range(1, 7)])
    store.remove([point(1).id, str(uuid.UUID(int=999))])
    store.remove([])
    store.remove_matching(PointFilter(ONE, sources=frozenset({"s2"})))
    store.remove_matching(PointFilter("brain two"))
    assert kept(store) == {"ref 3", "ref 4", "ref 5", "ref 6"}
    store.remove_matching(ALL)
    store.remove_matching(ALL)
    assert store.count(ALL) == 0


def test_a_vector_of_another_length_is_refused_and_nothing_is_written(store: VectorStore) -> None:
    with pytest.raises(ServiceRejected, match="3 numbers, and one of 2"):
        store.upsert([point(1), point(2, (1.0, 0.0))])
    assert store.count(ALL) == 0
    with pytest.raises(ServiceRejected, match="3 numbers, and one of 4"):
        store.search(vector(1, 0, 0, 0), CHUNKS, limit=1)


def test_more_points_than_one_request_carries_are_all_there(store: VectorStore) -> None:
    store.upsert([point(number) for number in range(1, 2502)])
    assert store.count(ALL) == 2501
    assert len(kept(store)) == 2501
    store.remove([point(number).id for number in range(1, 2501)])
    assert kept(store) == {"ref 2501"}


def test_nothing_is_found_in_an_empty_store(store: VectorStore) -> None:
    store.upsert([])
    assert store.search(vector(1, 0, 0), CHUNKS, limit=3) == []
    assert store.search(SparseVector((), ()), CHUNKS, limit=3) == []
    assert store.search(SparseVector((1,), (1.0,)), CHUNKS, limit=3) == []
