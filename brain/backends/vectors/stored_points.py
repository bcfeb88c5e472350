"""Points, filters and hits between this product's words and those of Qdrant.

The embedded engine and the server's client name their types alike: ``types`` is the module that has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from brain.values import PointFilter, PointKind, VectorHit, VectorPoint


def point_struct(point: VectorPoint, types: Any, *, struct: str) -> Any:
    """``struct``: the one name that differs."""
    vectors: dict[str, Any] = {}
    if point.dense is not None:
        vectors["dense"] = point.dense.tolist()
    if point.lexical is not None:
        vectors["lexical"] = types.SparseVector(indices=list(point.lexical.indices), values=list(point.lexical.values))
    payload = {
        "brain": point.brain,
        "source": point.source,
        "kind": str(point.kind),
        "ref": point.ref,
        "digest": point.digest,
    }
    return getattr(types, struct)(id=point.id, vector=vectors, payload=payload)


def conditions(where: PointFilter, types: Any, *, any_brain: bool = False) -> Any:
    def field(key: str, match: Any) -> Any:
        return types.FieldCondition(key=key, match=match)

    must = [] if any_brain else [field("brain", types.MatchValue(value=where.brain))]
    if where.kind is not None:
        must.append(field("kind", types.MatchValue(value=str(where.kind))))
    if where.sources:
        must.append(field("source", types.MatchAny(any=sorted(where.sources))))
    must_not = []
    if where.without_sources:
        must_not.append(field("source", types.MatchAny(any=sorted(where.without_sources))))
    return types.Filter(must=must, must_not=must_not)


def best_first(found: Sequence[Any], brain: str, limit: int) -> list[VectorHit]:
    """Ties by id. Where a filter for the brain was left out, another one's first point may have come in meanwhile."""
    own = sorted((each for each in found if each.payload["brain"] == brain), key=lambda point: -point.score)
    # An id becomes a UUID each time it is asked for, which takes as long as all the rest.
    if any(one.score == other.score for one, other in pairwise(own)):
        own.sort(key=lambda point: (-point.score, str(point.id)))
    return [hit(each) for each in own[:limit]]


def hit(found: Any) -> VectorHit:
    payload = found.payload
    return VectorHit(payload["ref"], payload["source"], PointKind(payload["kind"]), float(found.score))


def vector_point(record: Any) -> VectorPoint:
    payload = record.payload
    dense = (record.vector or {}).get("dense")
    return VectorPoint(
        id=str(record.id),
        brain=payload["brain"],
        source=payload["source"],
        kind=PointKind(payload["kind"]),
        ref=payload["ref"],
        digest=payload["digest"],
        dense=None if dense is None else np.asarray(dense, dtype=np.float32),
    )
