"""Personalised PageRank over passages and the terms they share.

x <- (1 - d) * seeds + d * x * P, P the row-normalised weights of the edges (Page et al. 1998, Haveliwala 2002).
Only nodes that hold mass are touched, so the cost follows what the seeds reach and not the size of the brain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# Mass is passed on where each edge of its node gets this share of it all: in a graph of 120,000 nodes and 1,260,000
# edges, the first 100 passages are 98.9 of those that a threshold of 1e-8 gives, from 58,000 edges. As many as with a
# threshold of 1e-5 for any node, which took 877,000: most of them a hub's, each for next to nothing.
_LEAST_PER_EDGE = 2e-6


class Edge(IntEnum):
    """Kinds of edges, by what they say; each direction has a kind of its own."""

    NAMES = 0  # term -> a passage that names it
    OWNER = 1  # term -> a passage that is about it
    TERM = 2  # passage -> a term in it
    LINK = 3  # passage -> a term in it that another passage is about
    MENTION = 4  # passage -> extracted entity
    MENTIONED = 5  # extracted entity -> passage
    RELATES = 6  # entity -> entity
    NEXT = 7
    SECTION = 8
    CITES = 9
    CITED = 10


@dataclass(frozen=True, slots=True)
class Edges:
    """Parallel arrays. ``base`` is the edge's own weight (inverse document frequency of its term, else 1)."""

    heads: Ints
    tails: Ints
    kinds: npt.NDArray[np.int8]
    base: Floats


@dataclass(frozen=True, slots=True)
class Transitions:
    """Compressed rows: node ``i`` passes on to ``tails[starts[i]:starts[i + 1]]``, shares summing to one, if it holds
    more than ``least[i]``."""

    starts: Ints
    tails: Ints
    shares: Floats
    least: Floats

    @property
    def nodes(self) -> int:
        return len(self.starts) - 1


def transitions(edges: Edges, nodes: int, weights: Mapping[Edge, float]) -> Transitions:
    """The matrix P for these weights per kind of edge; parallel edges add up."""
    by_kind = np.array([weights.get(kind, 1.0) for kind in Edge])
    weight = edges.base * by_kind[edges.kinds]
    order = np.argsort(edges.heads, kind="stable")
    heads, weight = edges.heads[order], weight[order]
    out = np.bincount(heads, weights=weight, minlength=nodes)
    starts = np.zeros(nodes + 1, dtype=np.int64)
    np.cumsum(np.bincount(heads, minlength=nodes), out=starts[1:])
    shares = weight / np.maximum(out[heads], 1e-12)
    return Transitions(starts, edges.tails[order], shares, _LEAST_PER_EDGE * np.diff(starts))


def walk(over: Transitions, seeds: Mapping[int, float], *, damping: float) -> Floats:
    """The share of each node. ``seeds`` are weights of nodes, any scale; none give zeros.

    What still has to move is pushed along from all nodes that hold enough of it for their edges (Andersen, Chung and
    Lang 2006): the same shares as by moving everything thirty times, in a thirtieth of the time in a large graph.
    """
    moving = np.zeros(over.nodes)
    for node, weight in seeds.items():
        moving[node] = weight
    total = moving.sum()
    shares = np.zeros(over.nodes)
    if total <= 0:
        return shares
    moving /= total
    while (holding := np.flatnonzero(moving > over.least)).size:
        held = moving[holding]
        shares[holding] += (1 - damping) * held
        moving[holding] = 0.0
        moving += _pass_on(over, holding, damping * held)
    return shares + (1 - damping) * moving


def _pass_on(over: Transitions, holding: Ints, mass: Floats) -> Floats:
    counts = over.starts[holding + 1] - over.starts[holding]
    total = int(counts.sum())
    if not total:
        return np.zeros(over.nodes)
    ends = np.cumsum(counts)
    edges = np.arange(total) + np.repeat(over.starts[holding] - (ends - counts), counts)
    carried = np.repeat(mass, counts) * over.shares[edges]
    return np.bincount(over.tails[edges], weights=carried, minlength=over.nodes).astype(np.float64, copy=False)


def concatenate(parts: Sequence[Edges]) -> Edges:
    return Edges(
        np.concatenate([part.heads for part in parts]),
        np.concatenate([part.tails for part in parts]),
        np.concatenate([part.kinds for part in parts]),
        np.concatenate([part.base for part in parts]),
    )
