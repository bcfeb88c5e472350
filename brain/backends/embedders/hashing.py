"""Stand-in embedder: a bag of hashed words, no model. Texts that share words are near each other.

For tests and for trying the product without weights. It knows no synonyms and no second language.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Self

import numpy as np

from brain.language import terms
from brain.values import Vector

DIMENSION = 256


class HashEmbedder:
    """Deterministic on every machine: each term adds its frequency's root at a place and sign given by its hash."""

    def __init__(self, dimension: int = DIMENSION) -> None:
        self.dimension = dimension
        self.model_id = f"hash-{dimension}"

    @classmethod
    def from_setting(cls, value: str) -> Self:
        """``hash`` or ``hash:DIMENSION``."""
        _name, _colon, dimension = value.partition(":")
        return cls(int(dimension) if dimension else DIMENSION)

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self._embed(text)
        return rows

    def embed_query(self, text: str) -> Vector:
        return self._embed(text)

    def _embed(self, text: str) -> Vector:
        vector = np.zeros(self.dimension, dtype=np.float64)
        for term, count in sorted(terms(text).items()):
            hashed = int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "big")
            sign = 1.0 if hashed >> 63 else -1.0
            vector[hashed % self.dimension] += sign * count**0.5
        length = float(np.linalg.norm(vector))
        if length == 0.0:
            # No words, or words that cancel: a unit vector all the same, as the port promises.
            vector[0] = length = 1.0
        return (vector / length).astype(np.float32)
