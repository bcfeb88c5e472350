"""Several passages at a time, for a model server with several slots."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

_LOOK_SECONDS = 0.5


def run(
    work: Callable[[T, Callable[[], bool]], R], items: Sequence[T], cancelled: Callable[[], bool]
) -> Iterator[tuple[T, R]]:
    """Each item with what ``work`` made of it, in order; an error is raised after what the others made was given.

    Whether to stop is asked in this thread, which has the database; ``work`` gets a question that costs nothing. One
    item alone needs no other thread.
    """
    if len(items) == 1:
        yield items[0], work(items[0], cancelled)
        return
    stop = threading.Event()
    with ThreadPoolExecutor(len(items)) as pool:
        futures = [pool.submit(work, item, stop.is_set) for item in items]
        try:
            while wait(futures, timeout=_LOOK_SECONDS).not_done:
                if cancelled():
                    stop.set()
        finally:
            stop.set()
    errors = [error for future in futures if (error := future.exception())]
    for item, future in zip(items, futures, strict=True):
        if future.exception() is None:
            yield item, future.result()
    if errors:
        raise errors[0]
