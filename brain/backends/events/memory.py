"""Events in this process's memory, with the same bounds as the server's: a channel forgets its oldest events."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from typing import Any

from brain.values import Event

#: Events a channel keeps. An answer of 2,000 tokens and its progress fit.
CHANNEL_EVENTS = 5000
#: Channels kept; the one that was written to longest ago goes first.
_CHANNELS = 1000


class MemoryEventLog:
    def __init__(self) -> None:
        self._channels: OrderedDict[str, deque[Event]] = OrderedDict()
        self._number = 0
        self._more = threading.Condition()

    @classmethod
    def from_setting(cls, value: str) -> MemoryEventLog:  # noqa: ARG003
        return cls()

    def append(self, channel: str, data: dict[str, Any]) -> str:
        with self._more:
            self._number += 1
            event = Event(f"{self._number:016d}", dict(data))
            self._channels.setdefault(channel, deque(maxlen=CHANNEL_EVENTS)).append(event)
            self._channels.move_to_end(channel)
            while len(self._channels) > _CHANNELS:
                self._channels.popitem(last=False)
            self._more.notify_all()
            return event.id

    def read(self, channel: str, *, after: str = "", wait_seconds: float = 0.0) -> list[Event]:
        until = time.monotonic() + wait_seconds
        with self._more:
            while not (found := [each for each in self._channels.get(channel, ()) if each.id > after]):
                remaining = until - time.monotonic()
                if remaining <= 0:
                    return []
                self._more.wait(remaining)
            return found

    def drop(self, channel: str) -> None:
        with self._more:
            self._channels.pop(channel, None)
