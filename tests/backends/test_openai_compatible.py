"""The model server as it really behaves: busy, away, picky, breaking off."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from brain.backends.llm.openai_compatible import OpenAICompatibleLLM
from brain.backends.llm.openai_tokens import estimate
from brain.backends.llm.scripted import ScriptedLLM
from brain.errors import ServiceRejected, ServiceUnavailable
from brain.values import CompletionRequest, Priority, Turn
from tests.stubs.openai_server import StubServer, stub_server

ASKED = CompletionRequest((Turn("user", "안녕하세요?"),), 100, stop=("END",))
SCHEMA = {"type": "object", "properties": {}, "required": []}


@pytest.fixture
def server() -> Iterator[StubServer]:
    with stub_server(ScriptedLLM(lambda _request: "강은 바다로 흐른다. Rivers run to the sea.")) as running:
        yield running


@pytest.fixture
def llm(server: StubServer) -> Iterator[OpenAICompatibleLLM]:
    adapter = OpenAICompatibleLLM(server.url)
    yield adapter
    adapter.close()


def test_the_setting_names_address_model_key_and_context(server: StubServer, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("secret\n")
    llm = OpenAICompatibleLLM.from_setting(f"{server.url}?model=big&key_file={tmp_path / 'key'}&context=4096")
    assert (llm.model_id, llm.context_tokens, llm.url) == ("big", 4096, server.url)
    llm.complete(ASKED)
    assert server.keys == ["Bearer secret"]
    llm.close()


def test_without_a_name_the_first_model_is_used_and_the_server_tells_its_room(llm: OpenAICompatibleLLM) -> None:
    llm.complete(ASKED)
    assert (llm.model_id, llm.context_tokens) == ("stub-model", 8192)


def test_what_is_asked_reaches_the_server(llm: OpenAICompatibleLLM, server: StubServer) -> None:
    llm.complete(ASKED)
    assert server.bodies == [
        {
            "model": "stub-model",
            "messages": [{"role": "user", "content": "안녕하세요?"}],
            "max_tokens": 100,
            "temperature": 0.0,
            "stream": True,
            "stream_options": {"include_usage": True},
            "stop": ["END"],
        }
    ]


@pytest.mark.parametrize(("takes", "ways"), [("response_format", 1), ("guided_json", 3), ("format", 4), ("nothing", 5)])
def test_a_schema_is_asked_for_in_the_way_the_server_takes(
    llm: OpenAICompatibleLLM, server: StubServer, takes: str, ways: int
) -> None:
    server.takes = {takes}
    request = CompletionRequest(ASKED.turns, 100, SCHEMA)
    llm.complete(request)
    assert len(server.bodies) == ways
    llm.complete(request)
    assert len(server.bodies) == ways + 1


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_server_is_tried_later(llm: OpenAICompatibleLLM, server: StubServer, status: int) -> None:
    server.answers = [(status, "loading model")]
    with pytest.raises(ServiceUnavailable, match=f"busy or starting \\(status {status}\\)"):
        llm.complete(ASKED)
    assert llm.complete(ASKED).finish == "stop"


@pytest.mark.parametrize(("status", "sentence"), [(401, "wants another key"), (404, "refused the request")])
def test_a_server_that_says_no_is_not_tried_again(
    llm: OpenAICompatibleLLM, server: StubServer, status: int, sentence: str
) -> None:
    server.answers = [(status, "no such model")]
    with pytest.raises(ServiceRejected, match=f"{sentence} \\(status {status}\\): no such model"):
        llm.complete(ASKED)


def test_a_server_that_is_away_is_tried_later() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    llm = OpenAICompatibleLLM(f"http://127.0.0.1:{port}/v1", model="big")
    with pytest.raises(ServiceUnavailable, match=f"127.0.0.1:{port} does not answer"):
        llm.complete(ASKED)
    assert (llm.count_tokens("six letters"), llm.context_tokens) == (4, 8192)
    llm.close()


def test_a_stream_that_breaks_off_is_no_reply(llm: OpenAICompatibleLLM, server: StubServer) -> None:
    server.breaks_off = 3
    with pytest.raises(ServiceUnavailable):
        llm.complete(ASKED)


def test_a_silent_server_is_given_up_on(server: StubServer) -> None:
    server.hold.clear()
    llm = OpenAICompatibleLLM(server.url, timeout=httpx.Timeout(5.0), request_seconds=0.3)
    with pytest.raises(ServiceUnavailable):
        llm.complete(ASKED)
    assert server.gone.wait(5)
    llm.close()


def test_stopping_cuts_the_connection_so_that_the_slot_is_free(llm: OpenAICompatibleLLM, server: StubServer) -> None:
    server.hold.clear()
    told = threading.Event()
    completion = llm.complete(ASKED, on_text=lambda _text: told.set(), cancelled=told.is_set)
    assert (completion.finish, completion.text) == ("cancelled", "강은 ")
    assert server.gone.wait(5)


def test_without_a_tokenizer_tokens_are_estimated_on_the_safe_side(
    llm: OpenAICompatibleLLM, server: StubServer
) -> None:
    server.tokenizes = False
    assert [llm.count_tokens(text) for text in ("", "abc def", "강물")] == [0, 3, 3]
    assert estimate("강물 abc") == 5


@pytest.mark.parametrize("counts", [False, True])
def test_threads_that_find_a_tokenizer_missing_at_once_give_up_that_one_alone(
    llm: OpenAICompatibleLLM, server: StubServer, counts: bool
) -> None:
    text = "six letters and more of them"
    server.tokenizes, server.counts, server.meets = False, counts, threading.Barrier(8)
    told = server.llm.count_tokens(text) if counts else estimate(text)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(llm.count_tokens, [text] * 8)) == [told] * 8
    server.meets = None
    assert llm.count_tokens(text) == told


CHOICE = CompletionRequest((Turn("user", "Is water wet?"),), 4, options=("yes", "no"))


def test_a_choice_is_weighed_by_what_the_reply_might_have_begun_with(
    llm: OpenAICompatibleLLM, server: StubServer
) -> None:
    completion = llm.complete(CHOICE)
    assert completion.text == "yes"
    assert completion.shares == pytest.approx((0.7 / 0.9, 0.2 / 0.9))
    assert (server.bodies[-1]["logprobs"], server.bodies[-1]["top_logprobs"]) == (True, 20)


@pytest.mark.parametrize(
    ("reply", "shares"), [("No, it is not.", (0.0, 1.0)), ("Yes", (1.0, 0.0)), ("Perhaps", (0.5, 0.5))]
)
def test_a_server_that_tells_no_probabilities_is_taken_at_its_word(reply: str, shares: tuple[float, float]) -> None:
    with stub_server(ScriptedLLM([reply] * 2)) as server:
        server.likely = None
        llm = OpenAICompatibleLLM(server.url)
        assert [llm.complete(CHOICE).shares, llm.complete(CHOICE).shares] == [shares] * 2
        assert ["logprobs" in body for body in server.bodies] == [True, False, False]
        llm.close()


@pytest.mark.parametrize(("setting", "at_once"), [("?slots=5", 4), ("?slots=1", 1), ("", 2)])
def test_one_slot_is_left_for_a_question(server: StubServer, setting: str, at_once: int) -> None:
    llm = OpenAICompatibleLLM.from_setting(server.url + setting)
    assert llm.side_by_side == at_once
    llm.close()


def test_extraction_waits_for_its_slots_and_a_question_does_not(server: StubServer) -> None:
    server.hold.clear()
    llm = OpenAICompatibleLLM(server.url, slots=2)
    passage = CompletionRequest(ASKED.turns, 100, priority=Priority.INGEST)
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(llm.complete, passage)
        seen(server, 1)
        given_up = pool.submit(llm.complete, passage, cancelled=lambda: first.running() and bool(server.bodies[1:]))
        question = pool.submit(llm.complete, ASKED)
        seen(server, 2)
        assert given_up.result().finish == "cancelled"
        assert [body.get("stop") for body in server.bodies] == [None, ["END"]]
        server.hold.set()
        assert [first.result().finish, question.result().finish] == ["stop", "stop"]
    llm.close()


def seen(server: StubServer, requests: int) -> None:
    until = time.monotonic() + 5
    while len(server.bodies) < requests:
        assert time.monotonic() < until
        time.sleep(0.01)
