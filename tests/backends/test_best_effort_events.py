"""A writer is not held up by an event log that is away."""

from __future__ import annotations

from typing import Any

import pytest

from brain.backends.events.best_effort import BestEffortEventLog
from brain.backends.events.memory import MemoryEventLog
from brain.errors import ServiceUnavailable
from brain.values import Event


class Flaky(MemoryEventLog):
    """Away while told so; counts how often it is asked."""

    away = False
    asked = 0

    def append(self, channel: str, data: dict[str, Any]) -> str:
        self.asked += 1
        if self.away:
            raise ServiceUnavailable
        return super().append(channel, data)

    def read(self, channel: str, *, after: str = "", wait_seconds: float = 0.0) -> list[Event]:
        if self.away:
            raise ServiceUnavailable
        return super().read(channel, after=after, wait_seconds=wait_seconds)


def test_events_are_left_out_while_the_log_is_away_and_it_is_not_asked_for_each() -> None:
    clock, flaky = [0.0], Flaky()
    log = BestEffortEventLog(flaky, now=lambda: clock[0])
    log.append("c", {"n": 1})
    flaky.away = True
    assert [log.append("c", {"n": 2}), log.append("c", {"n": 3})] == ["", ""]
    assert flaky.asked == 2
    flaky.away, clock[0] = False, 5.0
    log.append("c", {"n": 4})
    assert [event.data["n"] for event in log.read("c")] == [1, 4]
    log.drop("c")
    assert log.read("c") == []


def test_a_reader_is_told_that_it_is_away() -> None:
    flaky = Flaky()
    flaky.away = True
    with pytest.raises(ServiceUnavailable):
        BestEffortEventLog(flaky).read("c")
