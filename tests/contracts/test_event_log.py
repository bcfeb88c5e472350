"""Every event log replays in order, waits and forgets alike."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
import redis

from brain.backends.events.memory import CHANNEL_EVENTS, MemoryEventLog
from brain.backends.events.redis_streams import RedisEventLog
from brain.ports import EventLog


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.server)])
def log(request: pytest.FixtureRequest) -> Iterator[EventLog]:
    if request.param == "memory":
        yield MemoryEventLog()
        return
    url = request.getfixturevalue("redis_url")
    with redis.Redis.from_url(url) as client:
        client.flushdb()
    made = RedisEventLog.from_setting(url)
    yield made
    made.close()


def said(log: EventLog, channel: str, after: str = "") -> list[object]:
    return [event.data["n"] for event in log.read(channel, after=after)]


def test_events_come_back_in_order_and_from_any_point(log: EventLog) -> None:
    ids = [log.append("message:1", {"n": n}) for n in range(12)]
    assert [event.id for event in log.read("message:1")] == ids
    assert said(log, "message:1") == list(range(12))
    assert said(log, "message:1", ids[8]) == [9, 10, 11]
    assert said(log, "message:1", ids[-1]) == []


def test_an_event_keeps_its_words_whole(log: EventLog) -> None:
    data = {"type": "token", "text": '한국어 "quoted"\n', "items": [{"page": 3, "second": None}], "ok": True}
    log.append("c", data)
    assert [dict(event.data) for event in log.read("c")] == [data]


def test_channels_are_apart_and_dropped_alone(log: EventLog) -> None:
    log.append("a", {"n": 1})
    log.append("b", {"n": 2})
    log.drop("a")
    log.drop("never")
    assert (said(log, "a"), said(log, "b")) == ([], [2])


def test_a_reader_that_waits_gets_the_event_when_it_comes(log: EventLog) -> None:
    first = log.append("c", {"n": 1})
    later = threading.Timer(0.2, lambda: log.append("c", {"n": 2}))
    later.start()
    start = time.monotonic()
    events = log.read("c", after=first, wait_seconds=10)
    assert [event.data for event in events] == [{"n": 2}]
    assert time.monotonic() - start < 5
    later.join()


def test_a_reader_that_waits_in_vain_gets_nothing(log: EventLog) -> None:
    start = time.monotonic()
    assert log.read("c", wait_seconds=0.2) == []
    assert 0.15 < time.monotonic() - start < 5


def test_a_channel_keeps_its_newest_events(log: EventLog) -> None:
    for n in range(CHANNEL_EVENTS + 200):
        log.append("c", {"n": n})
    kept = said(log, "c")
    assert kept[-1] == CHANNEL_EVENTS + 199
    assert CHANNEL_EVENTS <= len(kept) <= CHANNEL_EVENTS + 200


def test_events_of_many_writers_all_arrive(log: EventLog) -> None:
    def write(start: int) -> None:
        for n in range(start, start + 50):
            log.append("c", {"n": n})

    writers = [threading.Thread(target=write, args=(k * 50,)) for k in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert sorted(map(int, map(str, said(log, "c")))) == list(range(200))
