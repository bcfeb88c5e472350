"""A real model server: who stops or waits too long holds no slot, and one that comes back is used again."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from brain.backends.llm.openai_compatible import OpenAICompatibleLLM
from brain.errors import ServiceUnavailable
from brain.stack.model_server import ModelServer
from brain.stack.programs import ProgramMissing
from brain.values import CompletionRequest, Turn
from tests.real_models import SMALL

pytestmark = pytest.mark.server

LONG = CompletionRequest((Turn("user", "Count from 1 to 1000, one number a line."),), 1500)
SHORT = CompletionRequest((Turn("user", "Say yes."),), 8)


@pytest.fixture
def llm(model_server_url: str) -> Iterator[OpenAICompatibleLLM]:
    adapter = OpenAICompatibleLLM(model_server_url)
    yield adapter
    adapter.close()


def busy_slots(url: str) -> int:
    return sum(slot["is_processing"] for slot in httpx.get(f"{url.removesuffix('/v1')}/slots", trust_env=False).json())


def free_within(url: str, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while busy_slots(url):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def test_stopping_frees_the_slot(llm: OpenAICompatibleLLM) -> None:
    told = threading.Event()
    completion = llm.complete(LONG, on_text=lambda _text: told.set(), cancelled=told.is_set)
    assert completion.finish == "cancelled"
    assert completion.completion_tokens < 100
    assert free_within(llm.url, 3)


def test_a_request_past_its_time_frees_the_slot(model_server_url: str) -> None:
    hasty = OpenAICompatibleLLM(model_server_url, request_seconds=1.0)
    started = time.monotonic()
    with pytest.raises(ServiceUnavailable, match="does not answer"):
        hasty.complete(LONG)
    assert time.monotonic() - started < 5
    assert free_within(model_server_url, 3)
    hasty.close()


def test_the_room_and_the_tokens_are_the_servers_own(llm: OpenAICompatibleLLM) -> None:
    assert llm.context_tokens == 2048
    assert [llm.count_tokens(text) for text in ("", "a river", "강은 흐른다")] == [0, 2, 7]
    assert llm.complete(SHORT).completion_tokens <= 8
    assert (llm.tokens_per_second or 0) > 1


@pytest.mark.slow
def test_a_server_that_dies_in_mid_reply_is_away_and_is_used_again_when_it_is_back(tmp_path: Path) -> None:
    program = ModelServer(SMALL, slots=1, context_tokens=2048)
    try:
        program.require()
    except ProgramMissing as error:
        pytest.skip(error.notice.english)
    server = program.start(tmp_path)
    llm = OpenAICompatibleLLM.from_setting(server.url)
    with pytest.raises(ServiceUnavailable, match="does not answer"):
        llm.complete(LONG, on_text=lambda _text: server.stop(kill=True))
    with pytest.raises(ServiceUnavailable, match="does not answer"):
        llm.complete(SHORT)
    again = program.start(tmp_path, port=httpx.URL(server.url).port or 0)
    assert llm.complete(SHORT).finish in {"stop", "length"}
    llm.close()
    again.stop(kill=True)
