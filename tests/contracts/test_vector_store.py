"""Every vector store finds, counts and forgets alike."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from pytest_django import Settings

from brain.backends.vectors.edge import EdgeVectorStore
from brain.backends.vectors.memory import MemoryVectorStore
from brain.backends.vectors.qdrant import QdrantVectorStore
from brain.backends.vectors.stored_points import best_first
from brain.errors import ServiceRejected, ServiceUnavailable
from brain.ports import VectorStore
from brain.values import PointFilter, PointKind, SparseVector, Vector, VectorHit, VectorPoint

ONE = "brain one"
ALL = PointFilter(ONE)


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


def vector(*numbers: float) -> Vector:
    return np.array(numbers, dtype=np.float32)


def point(
    number: int,
    dense: tuple[float, ...] | None = (1.0, 0.0, 0.0),
    terms: dict[int, float] | None = None,
    *,
    brain: str = ONE,
    source: str = "s1",
    kind: PointKind = PointKind.CHUNK,
) -> VectorPoint:
    return VectorPoint(
        id=str(uuid.UUID(int=number)),
        brain=brain,
        source=source,
        kind=kind,
        ref=f"ref {number}",
        digest=f"digest {number}",
        dense=None if dense is None else vector(*dense),
        lexical=None if terms is None else SparseVector(tuple(terms), tuple(terms.values())),
    )


def found(hits: list[VectorHit]) -> list[tuple[str, float]]:
    return [(hit.ref, round(hit.score, 4)) for hit in hits]


def kept(store: VectorStore, where: PointFilter = ALL) -> set[str]:
    return {each.ref for each in store.scan(where)}


def test_dense_search_gives_cosines_best_first(store: VectorStore) -> None:
    store.upsert([point(1, (0.0, 5.0, 0.0)), point(2, (3.0, 4.0, 0.0)), point(3, (-1.0, 0.0, 0.0)), point(4, None)])
    hits = store.search(vector(2, 0, 0), ALL, limit=10)
    assert found(hits) == [("ref 2", 0.6), ("ref 1", 0.0), ("ref 3", -1.0)]
    assert hits[0] == VectorHit("ref 2", "s1", PointKind.CHUNK, hits[0].score)
    assert found(store.search(vector(2, 0, 0), ALL, limit=1)) == [("ref 2", 0.6)]


def test_lexical_search_weighs_rare_words_of_the_brain_and_gives_only_points_that_share_one(
    store: VectorStore,
) -> None:
    store.upsert([point(1, None, {7: 1.0, 8: 2.0}), point(2, None, {7: 3.0}), point(3, None, {9: 1.0}), point(4)])
    # Of three passages two hold 7 and one holds 8; the point without words does not count.
    seven, eight = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)
    assert found(store.search(SparseVector((7, 8), (1.0, 0.5)), ALL, limit=10)) == [
        ("ref 1", round(seven + eight, 4)),
        ("ref 2", round(3 * seven, 4)),
    ]


def test_words_of_other_brains_do_not_make_a_word_common(store: VectorStore) -> None:
    store.upsert([point(1, None, {7: 1.0}), point(2, None, {8: 1.0})])
    alone = found(store.search(SparseVector((7,), (1.0,)), ALL, limit=5))
    store.upsert([point(number, None, {7: 1.0}, brain="brain two") for number in range(10, 60)])
    assert found(store.search(SparseVector((7,), (1.0,)), ALL, limit=5)) == alone


def test_a_search_within_sources_scores_as_one_over_all(store: VectorStore) -> None:
    store.upsert([point(n, None, {7: 1.0 + n}, source=f"s{n % 2}") for n in range(1, 7)])
    everywhere = found(store.search(SparseVector((7,), (1.0,)), ALL, limit=9))
    inside = found(store.search(SparseVector((7,), (1.0,)), PointFilter(ONE, sources=frozenset({"s1"})), limit=9))
    assert inside == [hit for hit in everywhere if hit[0] in {"ref 1", "ref 3", "ref 5"}]


def test_equal_scores_come_in_the_order_of_ids_however_many(store: VectorStore) -> None:
    numbers = list(range(1, 121))
    store.upsert([point(number, terms={5: 1.0}) for number in numbers[::-1]])
    for query in (vector(1, 0, 0), SparseVector((5,), (1.0,))):
        assert [hit.ref for hit in store.search(query, ALL, limit=5)] == [f"ref {n}" for n in numbers[:5]]


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
            assert {hit.ref for hit in store.search(query, where, limit=9)} == refs


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
    assert store.search(vector(1, 0, 0), ALL, limit=5) == []
    assert store.search(SparseVector((5,), (1.0,)), ALL, limit=5) == []
    assert [hit.source for hit in store.search(SparseVector((6,), (1.0,)), ALL, limit=5)] == ["s2"]


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
        store.search(vector(1, 0, 0, 0), ALL, limit=1)


def test_more_points_than_one_request_carries_are_all_there(store: VectorStore) -> None:
    store.upsert([point(number) for number in range(1, 2502)])
    assert store.count(ALL) == 2501
    assert len(kept(store)) == 2501
    store.remove([point(number).id for number in range(1, 2501)])
    assert kept(store) == {"ref 2501"}


def test_nothing_is_found_in_an_empty_store(store: VectorStore) -> None:
    store.upsert([])
    assert store.search(vector(1, 0, 0), ALL, limit=3) == []
    assert store.search(SparseVector((), ()), ALL, limit=3) == []
    assert store.search(SparseVector((1,), (1.0,)), ALL, limit=3) == []


# --- Edge alone: one folder on disk ---------------------------------------------------------------------------

_WRITER = """
import sys, uuid
import numpy as np
from pathlib import Path
from brain.backends.vectors.edge import EdgeVectorStore
from brain.values import PointKind, VectorPoint
store = EdgeVectorStore(Path(sys.argv[1]), 3)
for number in range(int(sys.argv[2]), 10**6):
    made = VectorPoint(str(uuid.UUID(int=number)), "b", "s", PointKind.CHUNK, str(number), "d", np.ones(3, np.float32))
    store.upsert([made])
    if number % 2 == 0:
        store.remove([made.id])
    print(number, flush=True)
"""


def _kill_while_writing(folder: Path, start: int) -> int:
    """Let another process write from ``start`` and kill it; the last number it said was written."""
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(folder), str(start)], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    assert writer.stdout is not None
    with writer.stdout as said:
        for line in said:
            if int(line) >= start + 20:
                break
        writer.send_signal(signal.SIGKILL)
        last = int((said.read().split() or [line])[-1])
    writer.wait()
    return last


@pytest.mark.slow
def test_what_was_acknowledged_is_there_after_a_kill(tmp_path: Path) -> None:
    last = 0
    for _round in range(3):
        start = last + 1
        last = _kill_while_writing(tmp_path / "index", start)
        store = EdgeVectorStore(tmp_path / "index", 3)
        there = {int(each.ref) for each in store.scan(PointFilter("b")) if int(each.ref) <= last}
        assert there == {number for number in range(1, last + 1) if number % 2}
        store.remove_matching(PointFilter("b", sources=frozenset({"nobody"})))
        store.remove([str(uuid.UUID(int=last + 1))])
        store.close()


def test_a_second_owner_of_the_folder_is_refused_with_a_sentence_and_does_no_harm(tmp_path: Path) -> None:
    store = EdgeVectorStore(tmp_path / "index", 3)
    store.upsert([point(number, terms={number: 1.0}) for number in range(1, 50)])
    with pytest.raises(ServiceUnavailable, match="in use by another process"):
        EdgeVectorStore(tmp_path / "index", 3)
    store.upsert([point(number, terms={number: 1.0}) for number in range(50, 99)])
    store.close()
    again = EdgeVectorStore(tmp_path / "index", 3)
    assert again.count(ALL) == 98
    again.close()


def test_a_damaged_folder_says_how_to_mend_it(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "edge_config.json").write_text("{")
    with pytest.raises(ServiceUnavailable, match="rebuild"):
        EdgeVectorStore(tmp_path / "index", 3)
    (tmp_path / "index" / "edge_config.json").unlink()
    EdgeVectorStore(tmp_path / "index", 3).close()


def test_a_nearly_full_disk_stops_writing_with_a_sentence_and_lets_search_go_on(
    tmp_path: Path, settings: Settings
) -> None:
    store = EdgeVectorStore(tmp_path / "index", 3)
    store.upsert([point(1)])
    settings.FREE_DISK_MB = 10**9
    with pytest.raises(ServiceUnavailable, match="nearly full"):
        store.upsert([point(2)])
    assert found(store.search(vector(1, 0, 0), ALL, limit=5)) == [("ref 1", 1.0)]
    store.remove([point(1).id])
    settings.FREE_DISK_MB = 0
    store.upsert([point(2)])
    assert kept(store) == {"ref 2"}
    store.close()


def test_the_space_of_deleted_points_is_reclaimed(tmp_path: Path) -> None:
    store = EdgeVectorStore(tmp_path / "index", 3)
    store.upsert([point(number, terms={5: 1.0}) for number in range(1, 6001)])
    store.tidy()
    store.remove([point(number).id for number in range(1, 5001)])
    assert store.tidy()
    assert not store.tidy()
    assert store.count(ALL) == 1000
    assert [hit.ref for hit in store.search(SparseVector((5,), (1.0,)), ALL, limit=2)] == ["ref 5001", "ref 5002"]
    store.close()


def test_many_points_are_found_alike_once_they_are_copied_in_bytes(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((14_000, 384)).astype(np.float32) + 0.2
    asked = rng.standard_normal((10, 384)).astype(np.float32) + 0.2
    store = EdgeVectorStore(tmp_path / "index", 384)
    store.upsert([point(number, tuple(row)) for number, row in enumerate(rows / np.linalg.norm(rows, axis=1)[:, None])])
    before = [found(store.search(each, ALL, limit=80)) for each in asked]
    assert store.tidy()
    assert [found(store.search(each, ALL, limit=80)) for each in asked] == before
    store.remove([point(number).id for number in range(100)])
    assert kept(store) == {f"ref {number}" for number in range(100, 14_000)}
    store.close()


def test_the_best_of_a_kind_are_found_whatever_share_of_the_points_it_has(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    rows = rng.standard_normal((900, 16)).astype(np.float32)
    kinds = [PointKind.ENTITY if number % 4 else PointKind.CHUNK for number in range(len(rows))]
    points = [point(number, tuple(row), kind=kinds[number]) for number, row in enumerate(rows)]
    asked = rng.standard_normal(16).astype(np.float32)
    memory, edge = MemoryVectorStore(16), EdgeVectorStore(tmp_path / "index", 16)
    for each in (memory, edge):
        each.upsert(points)
    for kind in PointKind:
        where = PointFilter(ONE, kind)
        assert found(edge.search(asked, where, limit=80)) == found(memory.search(asked, where, limit=80))
    edge.upsert([point(1000, tuple(asked), brain="brain two", kind=PointKind.ENTITY)])
    where = PointFilter(ONE, PointKind.ENTITY)
    assert found(edge.search(asked, where, limit=80)) == found(memory.search(asked, where, limit=80))
    edge.close()


def test_what_came_in_for_another_brain_meanwhile_is_not_given_out() -> None:
    def scored(number: int, brain: str) -> SimpleNamespace:
        payload = {"brain": brain, "ref": f"ref {number}", "source": "s1", "kind": "chunk"}
        return SimpleNamespace(id=uuid.UUID(int=number), score=1.0 / number, payload=payload)

    hits = best_first([scored(3, ONE), scored(1, "brain two"), scored(2, ONE)], ONE, 5)
    assert found(hits) == [("ref 2", 0.5), ("ref 3", 0.3333)]
