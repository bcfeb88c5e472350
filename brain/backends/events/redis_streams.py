"""Events in Redis Streams: many processes write and read, and a reload replays."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis
from django.utils.translation import gettext_noop as _

from brain.backends.events.memory import CHANNEL_EVENTS
from brain.errors import ServiceUnavailable
from brain.values import Event

_AWAY = _("Redis does not answer for now. Work goes on by itself when it is back.")

# A channel nobody writes to is forgotten: the answer itself is a row.
_KEEP_SECONDS = 3600
# Longest wait of one request; shorter than the socket's patience, so that a lost connection is noticed.
_WAIT_SECONDS = 5.0
_SOCKET_SECONDS = 10.0


class RedisEventLog:
    def __init__(self, client: redis.Redis) -> None:
        self._client = client

    @classmethod
    def from_setting(cls, value: str) -> RedisEventLog:
        """``redis://[:password@]host:6379/0`` or ``rediss://``."""
        client = redis.Redis.from_url(
            value,
            socket_timeout=_SOCKET_SECONDS,
            socket_connect_timeout=3,
            socket_keepalive=True,
            health_check_interval=15,
            decode_responses=True,
        )
        return cls(client)

    def append(self, channel: str, data: dict[str, Any]) -> str:
        key = _key(channel)
        with _translated(), self._client.pipeline(transaction=True) as pipeline:
            pipeline.xadd(key, {"data": json.dumps(data, ensure_ascii=False)}, maxlen=CHANNEL_EVENTS, approximate=True)
            pipeline.expire(key, _KEEP_SECONDS)
            return str(pipeline.execute()[0])

    def read(self, channel: str, *, after: str = "", wait_seconds: float = 0.0) -> list[Event]:
        start: dict[Any, Any]
        start, until = {_key(channel): after or "0-0"}, time.monotonic() + wait_seconds
        while True:
            remaining = min(until - time.monotonic(), _WAIT_SECONDS)
            # Blocking for 0 ms would mean for ever.
            block = max(1, int(remaining * 1000)) if remaining > 0 else None
            with _translated():
                found: Any = self._client.xread(start, block=block)
            if events := [event for _key_, entries in _pairs(found) for event in map(_event, entries)]:
                return events
            if time.monotonic() >= until:
                return []

    def drop(self, channel: str) -> None:
        with _translated():
            self._client.delete(_key(channel))

    def ping(self) -> None:
        """Return if the server answers."""
        with _translated():
            self._client.ping()

    def close(self) -> None:
        self._client.close()


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except redis.RedisError as error:
        raise ServiceUnavailable(_AWAY) from error


def _key(channel: str) -> str:
    return f"brain:events:{channel}"


def _pairs(found: Any) -> list[Any]:
    """Streams and their entries; a mapping under the newer protocol, where entries come one list deeper."""
    if isinstance(found, dict):
        return [(key, [entry for entries in lists for entry in entries]) for key, lists in found.items()]
    return list(found or [])


def _event(entry: Any) -> Event:
    number, fields = entry
    return Event(str(number), json.loads(fields["data"]))
