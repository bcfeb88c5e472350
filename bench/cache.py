"""Passage vectors kept on disk by text, so that measuring twice does not embed twice."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from brain.ports import Embedder
from brain.text import digest
from brain.values import Vector


class CachedEmbedder:
    """Passages come from the file where they are known; questions are always embedded."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self._inner = inner
        self.model_id, self.dimension = inner.model_id, inner.dimension
        folder.mkdir(parents=True, exist_ok=True)
        self._rows = sqlite3.connect(folder / f"vectors-{digest(inner.model_id)[:12]}.sqlite3", timeout=60)
        self._rows.execute("create table if not exists vectors (text text primary key, vector blob) without rowid")

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        keys = [digest(text) for text in texts]
        found = self._known(keys)
        missing = [index for index, key in enumerate(keys) if key not in found]
        for first in range(0, len(missing), 32):
            batch = missing[first : first + 32]
            rows = self._inner.embed_passages([texts[index] for index in batch])
            with self._rows:
                for index, row in zip(batch, rows, strict=True):
                    found[keys[index]] = row
                    self._rows.execute("insert or replace into vectors values (?, ?)", (keys[index], row.tobytes()))
            if first % 320 == 0:
                print(f"embedded {first + len(batch)} of {len(missing)}", file=sys.stderr, flush=True)
        return np.stack([found[key] for key in keys]) if keys else np.empty((0, self.dimension), dtype=np.float32)

    def embed_query(self, text: str) -> Vector:
        return self._inner.embed_query(text)

    def _known(self, keys: Sequence[str]) -> dict[str, Vector]:
        found = {}
        for first in range(0, len(keys), 500):
            some = keys[first : first + 500]
            marks = ",".join("?" * len(some))
            for key, blob in self._rows.execute(f"select text, vector from vectors where text in ({marks})", some):
                found[key] = np.frombuffer(blob, dtype=np.float32)
        return found
