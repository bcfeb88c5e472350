"""Several ranked lists into one.

Weighted reciprocal rank: sum of weight / (k + rank); Cormack, Clarke and Buettcher 2009. Ranks, not scores, because
a cosine and a BM25 sum have no common scale.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fused:
    """``ranks``: the place in each list that holds it, from 1."""

    ref: str
    score: float
    ranks: Mapping[str, int]


def fuse(lists: Mapping[str, Sequence[str]], weights: Mapping[str, float], *, k: int = 60) -> list[Fused]:
    """Best first, ties by ref. Lists without a weight do not count."""
    scores: dict[str, float] = defaultdict(float)
    ranks: dict[str, dict[str, int]] = defaultdict(dict)
    for name, refs in lists.items():
        if weight := weights.get(name, 0.0):
            for rank, ref in enumerate(dict.fromkeys(refs), start=1):
                scores[ref] += weight / (k + rank)
                ranks[ref][name] = rank
    fused = [Fused(ref, score, ranks[ref]) for ref, score in scores.items()]
    return sorted(fused, key=lambda each: (-each.score, each.ref))
