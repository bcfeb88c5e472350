"""BR-37: a stream of two gigabytes is answered before it is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from pytest_django.fixtures import Settings

from brain.body_limit import BodyLimit


class Inner:
    """An application that reads its body to the end."""

    def __init__(self) -> None:
        self.read = 0
        self.disconnected = False
        self.called = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.called = True
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.disconnected = True
                return
            self.read += len(message["body"])
            if not message.get("more_body"):
                return


def run(headers: list[tuple[bytes, bytes]], pieces: list[bytes]) -> tuple[Inner, list[Mapping[str, Any]]]:
    inner, sent = Inner(), []
    waiting = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    waiting.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive() -> Mapping[str, Any]:
        return waiting.pop(0)

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    async_to_sync(BodyLimit(inner))({"type": "http", "headers": headers}, receive, send)
    return inner, sent


@pytest.fixture(autouse=True)
def _limit(settings: Settings) -> None:
    settings.UPLOAD_LIMIT_MB = 1


@pytest.mark.parametrize(("language", "words"), [(b"en-US", "limit of 1 MB"), (b"ko-KR,ko", "1 MB보다 큽니다")])
def test_an_announced_length_above_the_limit_is_refused_unread(language: bytes, words: str) -> None:
    inner, sent = run([(b"Content-Length", b"2000000000"), (b"accept-language", language)], [b"x"])
    assert not inner.called
    assert sent[0]["status"] == 413
    assert words in json.loads(sent[1]["body"])["files"][0]["said"]


def test_a_body_without_a_length_is_cut_off_at_the_limit() -> None:
    inner, _sent = run([], [b"x" * 500_000] * 5)
    assert inner.disconnected
    assert inner.read <= 1024 * 1024 + 64 * 1024


def test_a_body_within_the_limit_passes() -> None:
    inner, _sent = run([(b"content-length", b"1000000")], [b"x" * 1_000_000])
    assert (inner.read, inner.disconnected) == (1_000_000, False)
