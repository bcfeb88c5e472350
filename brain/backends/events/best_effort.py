"""An event log that costs whoever writes nothing while it is away: the rows have the outcome."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from brain.backends.events.redis_streams import RedisEventLog
from brain.errors import ServiceUnavailable
from brain.ports import EventLog
from brain.values import Event

logger = logging.getLogger(__name__)

# A server that hangs takes seconds to be given up on, and an answer has hundreds of events.
_REST_SECONDS = 5.0


class BestEffortEventLog:
    """``append`` and ``drop`` do nothing while the log is away; it is asked again after a few seconds."""

    def __init__(self, log: EventLog, *, now: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._now = now
        self._rests_until = 0.0

    @classmethod
    def from_setting(cls, value: str) -> BestEffortEventLog:
        return cls(RedisEventLog.from_setting(value))

    def append(self, channel: str, data: dict[str, Any]) -> str:
        return self._tried(lambda: self._log.append(channel, data))

    def read(self, channel: str, *, after: str = "", wait_seconds: float = 0.0) -> list[Event]:
        return self._log.read(channel, after=after, wait_seconds=wait_seconds)

    def drop(self, channel: str) -> None:
        self._tried(lambda: self._log.drop(channel))

    def close(self) -> None:
        if close := getattr(self._log, "close", None):
            close()

    def _tried(self, write: Callable[[], str | None]) -> str:
        if self._now() < self._rests_until:
            return ""
        try:
            return write() or ""
        except ServiceUnavailable:
            self._rests_until = self._now() + _REST_SECONDS
            logger.warning("the event log is away: readers look at the rows")
            return ""
