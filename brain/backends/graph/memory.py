"""The graph in this process's memory: for tests, and the yardstick for the other adapters."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from brain.backends.graph.matching import best_first, folded_words, picture
from brain.errors import LeaseLost
from brain.values import GraphBatch, GraphChunk, GraphEntity, GraphRelation, GraphSource, Subgraph


@dataclass
class _Kept:
    fence: int = 0
    entities: dict[str, GraphEntity] = field(default_factory=dict)
    relations: dict[str, GraphRelation] = field(default_factory=dict)
    chunks: dict[str, GraphChunk] = field(default_factory=dict)
    sources: dict[str, GraphSource] = field(default_factory=dict)


class MemoryGraphStore:
    reads_ledger = False

    def __init__(self) -> None:
        self._brains: defaultdict[str, _Kept] = defaultdict(_Kept)
        self._lock = threading.RLock()

    @classmethod
    def from_setting(cls, value: str) -> MemoryGraphStore:  # noqa: ARG003
        return cls()

    def write(self, brain: str, batch: GraphBatch, *, fence: int) -> None:
        with self._lock:
            kept = self._brains[brain]
            if fence < kept.fence:
                raise LeaseLost
            kept.fence = fence
            kept.entities.update((each.key, each) for each in batch.entities)
            kept.relations.update((each.key, each) for each in batch.relations)
            kept.chunks.update((each.ref, each) for each in batch.chunks)
            kept.sources.update((each.id, each) for each in batch.sources)
            _forget(kept.entities, batch.gone_entities)
            _forget(kept.relations, batch.gone_relations)
            _forget(kept.chunks, batch.gone_chunks)
            _forget(kept.sources, batch.gone_sources)

    def neighbourhood(self, brain: str, keys: Sequence[str], *, hops: int = 1, limit: int = 200) -> Subgraph:
        with self._lock:
            kept = self._brains[brain]
            near = [key for key in dict.fromkeys(keys) if key in kept.entities][:limit]
            frontier = set(near)
            for _hop in range(hops):
                ends = {(each.subject, each.object) for each in kept.relations.values()}
                reached = {b for a, b in ends if a in frontier} | {a for a, b in ends if b in frontier}
                frontier = {key for key in reached - set(near) if key in kept.entities}
                near.extend(sorted(frontier)[: limit - len(near)])
            inside = set(near)
            among = (each for each in kept.relations.values() if each.subject in inside and each.object in inside)
            return picture((kept.entities[key] for key in inside), among)

    def find(self, brain: str, words: str, *, limit: int = 20) -> Subgraph:
        with self._lock:
            return Subgraph(tuple(best_first(self._brains[brain].entities.values(), folded_words(words))[:limit]), ())

    def dump(self, brain: str) -> GraphBatch:
        with self._lock:
            kept = self._brains[brain]
            return GraphBatch(
                entities=tuple(each for _key, each in sorted(kept.entities.items())),
                relations=tuple(each for _key, each in sorted(kept.relations.items())),
                chunks=tuple(each for _key, each in sorted(kept.chunks.items())),
                sources=tuple(each for _key, each in sorted(kept.sources.items())),
            )

    def remove_brain(self, brain: str) -> None:
        with self._lock:
            self._brains.pop(brain, None)

    def ping(self) -> None:
        """Always there."""


def _forget(kept: dict[str, Any], keys: Sequence[str]) -> None:
    for key in keys:
        kept.pop(key, None)
