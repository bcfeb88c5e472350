"""Vectors in this process's memory, searched one by one: for tests, and the yardstick for the other adapters."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from django.utils.translation import gettext_noop as _

from brain.errors import ServiceRejected
from brain.values import PointFilter, PointKind, SparseVector, Vector, VectorHit, VectorPoint

WRONG_DIMENSION = _("The index holds vectors of %(expected)s numbers, and one of %(found)s came.")


def check_dimension(points: Sequence[VectorPoint], dimension: int) -> None:
    """Raise ``ServiceRejected`` for a vector of another length, before anything is written."""
    for point in points:
        if point.dense is not None and point.dense.shape != (dimension,):
            raise ServiceRejected(WRONG_DIMENSION, expected=dimension, found=int(point.dense.size))


def kind_of(where: PointFilter) -> PointKind:
    """Of a search: words are as rare as they are among the points of a kind."""
    if where.kind is None:
        raise ValueError("A search names the kind of its points.")
    return where.kind


def matches(point: VectorPoint, where: PointFilter) -> bool:
    return (
        point.brain == where.brain
        and (where.kind is None or point.kind == where.kind)
        and (not where.sources or point.source in where.sources)
        and point.source not in where.without_sources
    )


class MemoryVectorStore:
    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._points: dict[str, VectorPoint] = {}
        self._lock = threading.Lock()

    @classmethod
    def from_setting(cls, value: str, *, index: str, dimension: int) -> MemoryVectorStore:  # noqa: ARG003
        return cls(dimension)

    def upsert(self, points: Sequence[VectorPoint]) -> None:
        check_dimension(points, self._dimension)
        with self._lock:
            for point in points:
                dense = None if point.dense is None else _unit(point.dense)
                self._points[point.id] = replace(point, dense=dense)

    def remove(self, ids: Sequence[str]) -> None:
        with self._lock:
            for each in ids:
                self._points.pop(each, None)

    def remove_matching(self, where: PointFilter) -> None:
        self.remove([point.id for point in self._matching(where)])

    def search(self, query: Vector | SparseVector, where: PointFilter, *, limit: int) -> list[VectorHit]:
        kind = kind_of(where)
        if isinstance(query, SparseVector):
            # Words are as rare as they are in the brain, whatever part of it is searched.
            corpus = self._matching(PointFilter(where.brain, kind))
            scored = _lexical_scores(query, corpus)
        else:
            scored = self._dense_scores(query, where)
        hits = [(score, point) for score, point in scored if matches(point, where)]
        hits.sort(key=lambda hit: (-hit[0], hit[1].id))
        return [VectorHit(point.ref, point.source, point.kind, score) for score, point in hits[:limit]]

    def scan(self, where: PointFilter) -> Iterator[VectorPoint]:
        for point in self._matching(where):
            yield replace(point, lexical=None)

    def count(self, where: PointFilter) -> int:
        return len(self._matching(where))

    def close(self) -> None:
        self._points.clear()

    def _matching(self, where: PointFilter) -> list[VectorPoint]:
        with self._lock:
            return [point for point in self._points.values() if matches(point, where)]

    def _dense_scores(self, query: Vector, where: PointFilter) -> list[tuple[float, VectorPoint]]:
        if query.shape != (self._dimension,):
            raise ServiceRejected(WRONG_DIMENSION, expected=self._dimension, found=int(query.size))
        found: list[VectorPoint] = []
        rows: list[Vector] = []
        for point in self._matching(where):
            if point.dense is not None:
                found.append(point)
                rows.append(point.dense)
        if not rows:
            return []
        scores = np.stack(rows) @ _unit(query)
        return [(float(score), point) for score, point in zip(scores, found, strict=True)]


def _unit(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length if length else vector, dtype=np.float32)


def _lexical_scores(query: SparseVector, corpus: list[VectorPoint]) -> list[tuple[float, VectorPoint]]:
    """Qdrant's: sum over shared terms of query weight x passage weight x ln(1 + (N - n + 0.5) / (n + 0.5)).

    Points that share no term are no hits.
    """
    wanted = dict(zip(query.indices, query.values, strict=True))
    shared: list[tuple[VectorPoint, dict[int, float]]] = []
    seen: Counter[int] = Counter()
    total = 0
    for point in corpus:
        if point.lexical is None:
            continue
        total += 1
        weights = {i: v for i, v in zip(point.lexical.indices, point.lexical.values, strict=True) if i in wanted}
        seen.update(weights.keys())
        if weights:
            shared.append((point, weights))
    rarity = {term: math.log(1 + (total - n + 0.5) / (n + 0.5)) for term, n in seen.items()}
    return [(sum(wanted[i] * v * rarity[i] for i, v in weights.items()), point) for point, weights in shared]
