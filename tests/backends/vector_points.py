"""Points that are easily told apart, and what a store holds or finds of them."""

from __future__ import annotations

import uuid

import numpy as np

from brain.ports import VectorStore
from brain.values import PointFilter, PointKind, SparseVector, Vector, VectorHit, VectorPoint

ONE = "brain one"
ALL = PointFilter(ONE)
CHUNKS = PointFilter(ONE, PointKind.CHUNK)


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
