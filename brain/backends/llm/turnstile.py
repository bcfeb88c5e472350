"""Who may use the one engine: chat before ingestion, one at a time.

Someone who waits for an answer holds the engine until the answer is there, over all requests that it takes
(``LLM.turn``). Ingestion asks before each step, and so stands aside between two tokens as soon as somebody waits.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import count

from brain.errors import Cancelled
from brain.values import Priority

_ASK_AGAIN_SECONDS = 0.1


class Turnstile:
    """``places``: so many answers at once; ingestion's steps are for one place only."""

    def __init__(self, places: int = 1) -> None:
        self._places = places
        self._changed = threading.Condition()
        self._own = threading.local()
        self._stepping = False
        self._answering = 0
        self._waiting: list[tuple[float, int]] = []
        self._arrivals = count()

    @property
    def chats_waiting(self) -> int:
        """Requests for an answer that wait or run now."""
        return len(self._waiting) + self._answering

    @contextmanager
    def chat(self, cancelled: Callable[[], bool] | None, asked: float = math.inf) -> Iterator[None]:
        """The engine for a whole answer; of those who wait, who ``asked`` first is first, then who came first: a
        question that is searched longer keeps its place. ``Cancelled`` if asked to stop in the queue. A thread that is
        inside already does not wait again."""
        if getattr(self._own, "inside", False):
            yield
            return
        with self._changed:
            ticket = (asked, next(self._arrivals))
            self._waiting.append(ticket)
            try:
                while self._stepping or self._answering >= self._places or ticket != min(self._waiting):
                    self._changed.wait(_ASK_AGAIN_SECONDS)
                    if cancelled is not None and cancelled():
                        raise Cancelled
                self._answering += 1
            finally:
                self._waiting.remove(ticket)
                self._changed.notify_all()
        self._own.inside = True
        try:
            yield
        finally:
            self._own.inside = False
            with self._changed:
                self._answering -= 1
                self._changed.notify_all()

    @contextmanager
    def step(self, cancelled: Callable[[], bool] | None) -> Iterator[None]:
        """The engine for one step of ingestion, once nobody waits for an answer."""
        with self._changed:
            while self._stepping or self.chats_waiting:
                self._changed.wait(_ASK_AGAIN_SECONDS)
                if cancelled is not None and cancelled():
                    raise Cancelled
            self._stepping = True
        try:
            yield
        finally:
            with self._changed:
                self._stepping = False
                self._changed.notify_all()


class Passes:
    """How one request goes through the turnstile: ``whole`` around it, ``step`` around each step in it."""

    def __init__(self, turnstile: Turnstile, priority: Priority, cancelled: Callable[[], bool] | None) -> None:
        self._turnstile = turnstile
        self._chat = priority is Priority.CHAT
        self._cancelled = cancelled

    @contextmanager
    def whole(self, lane: threading.Lock) -> Iterator[None]:
        """``lane`` is the state that requests of this kind share, one after the other."""
        # An answer waits in the turnstile, where the first comes first; a lock knows no order.
        with self._turnstile.chat(self._cancelled) if self._chat else nullcontext():
            while not lane.acquire(timeout=_ASK_AGAIN_SECONDS):
                if self._cancelled is not None and self._cancelled():
                    raise Cancelled
            try:
                yield
            finally:
                lane.release()

    @contextmanager
    def step(self) -> Iterator[None]:
        if self._chat:
            yield
            return
        with self._turnstile.step(self._cancelled):
            yield
