"""Vectors of another store instead of embedding again: an embedded installation that moves to servers, for example."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from brain.ledger.points import text_digest
from brain.ports import Embedder, VectorStore
from brain.values import PointFilter, Vector


class Reusing:
    """An embedder that knows the vectors of a brain in ``store``, made by the same model; what it lacks is embedded.

    Keeps them in memory: 1.5 KB a point of 384 numbers.
    """

    def __init__(self, embedder: Embedder, store: VectorStore, brain: str) -> None:
        self.model_id = embedder.model_id
        self.dimension = embedder.dimension
        self._embedder = embedder
        points = store.scan(PointFilter(brain=brain))
        self._known = {point.digest: point.dense for point in points if point.dense is not None}

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        wanted = [text_digest(text) for text in texts]
        missing = {key: text for key, text in zip(wanted, texts, strict=True) if key not in self._known}
        if missing:
            self._known.update(zip(missing, self._embedder.embed_passages([*missing.values()]), strict=True))
        return np.stack([self._known[key] for key in wanted])

    def embed_query(self, text: str) -> Vector:
        return self._embedder.embed_query(text)
