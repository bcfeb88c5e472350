"""The vector engine in this process: one folder on disk, and what a kill, a full disk or an older version leave."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import uuid
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from pytest_django import Settings

from brain.backends.vectors.edge import EdgeVectorStore
from brain.backends.vectors.edge_shard import Shard
from brain.backends.vectors.memory import MemoryVectorStore
from brain.backends.vectors.stored_points import best_first
from brain.errors import ServiceUnavailable
from brain.values import PointFilter, PointKind, SparseVector, VectorPoint
from tests.backends.vector_points import ALL, CHUNKS, ONE, found, kept, point, vector

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
    config = tmp_path / "index" / "chunk" / "edge_config.json"
    config.parent.mkdir(parents=True)
    config.write_text("{")
    with pytest.raises(ServiceUnavailable, match="rebuild"):
        EdgeVectorStore(tmp_path / "index", 3)
    config.unlink()
    EdgeVectorStore(tmp_path / "index", 3).close()


def test_a_nearly_full_disk_stops_writing_with_a_sentence_and_lets_search_go_on(
    tmp_path: Path, settings: Settings
) -> None:
    store = EdgeVectorStore(tmp_path / "index", 3)
    store.upsert([point(1)])
    settings.FREE_DISK_MB = 10**9
    with pytest.raises(ServiceUnavailable, match="nearly full"):
        store.upsert([point(2)])
    assert found(store.search(vector(1, 0, 0), CHUNKS, limit=5)) == [("ref 1", 1.0)]
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
    assert [hit.ref for hit in store.search(SparseVector((5,), (1.0,)), CHUNKS, limit=2)] == ["ref 5001", "ref 5002"]
    store.close()


def test_many_points_are_found_alike_once_they_are_copied_in_bytes(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((14_000, 384)).astype(np.float32) + 0.2
    asked = rng.standard_normal((10, 384)).astype(np.float32) + 0.2
    store = EdgeVectorStore(tmp_path / "index", 384)
    store.upsert([point(number, tuple(row)) for number, row in enumerate(rows / np.linalg.norm(rows, axis=1)[:, None])])
    before = [found(store.search(each, CHUNKS, limit=80)) for each in asked]
    assert store.tidy()
    assert [found(store.search(each, CHUNKS, limit=80)) for each in asked] == before
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


# So did the version before keep them: all kinds in one.
def _kept_in_one(folder: Path) -> list[VectorPoint]:
    kinds = list(PointKind)
    points = [
        point(number, (1.0, number, 0.0), {5 + number % 7: (1 + number % 50) / 50}, kind=kinds[number % 3])
        for number in range(1, 2500)
    ]
    points += [point(5000, None, {6: 1.0}), point(5001, brain="brain two", kind=PointKind.RELATION)]
    former = Shard(folder, 3)
    former.upsert(points)
    former.close()
    return points


def _all_are_found(folder: Path, points: list[VectorPoint]) -> None:
    memory, edge = MemoryVectorStore(3), EdgeVectorStore(folder, 3)
    memory.upsert(points)
    for where in (ALL, PointFilter("brain two")):
        assert kept(edge, where) == kept(memory, where)
        for kind in PointKind:
            for query in (vector(1, 700, 0), SparseVector((5,), (1.0,)), SparseVector((6, 7), (1.0, 2.0))):
                narrow = replace(where, kind=kind)
                assert found(edge.search(query, narrow, limit=9)) == found(memory.search(query, narrow, limit=9))
    edge.close()


def test_an_index_of_the_version_before_is_found_whole(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    points = _kept_in_one(tmp_path / "index")
    _all_are_found(tmp_path / "index", points)
    told = [record.getMessage() for record in caplog.records]
    _all_are_found(tmp_path / "index", points)
    # Whoever waits for the first start is told why, and only once.
    assert ["put in order by kind" in told[0], "2501 points" in told[1]] == [True, True]
    assert len(caplog.records) == len(told) == 2
    assert sorted(each.name for each in tmp_path.iterdir()) == ["index", "index.lock"]


def test_an_index_of_the_version_before_is_moved_again_if_that_was_cut_short(tmp_path: Path) -> None:
    points = _kept_in_one(tmp_path / "index.former")
    half = EdgeVectorStore(tmp_path / "other", 3)
    half.upsert([point(9999)])
    half.close()
    (tmp_path / "other").rename(tmp_path / "index")
    _all_are_found(tmp_path / "index", points)
    # Moved, and not yet removed.
    (tmp_path / "index.former" / "wal").mkdir(parents=True)
    _all_are_found(tmp_path / "index", points)
    assert not (tmp_path / "index.former").exists()


def test_what_came_in_for_another_brain_meanwhile_is_not_given_out() -> None:
    def scored(number: int, brain: str) -> SimpleNamespace:
        payload = {"brain": brain, "ref": f"ref {number}", "source": "s1", "kind": "chunk"}
        return SimpleNamespace(id=uuid.UUID(int=number), score=1.0 / number, payload=payload)

    hits = best_first([scored(3, ONE), scored(1, "brain two"), scored(2, ONE)], ONE, 5)
    assert found(hits) == [("ref 2", 0.5), ("ref 3", 0.3333)]
