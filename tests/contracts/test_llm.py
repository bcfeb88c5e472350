"""What every language model must do, whichever adapter stands before it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from brain.backends.llm.openai_compatible import OpenAICompatibleLLM
from brain.backends.llm.recorded import RecordedLLM, RecordingLLM
from brain.backends.llm.scripted import ScriptedLLM, harmless
from brain.errors import ServiceRejected
from brain.ports import LLM
from brain.values import CompletionRequest, Priority, Turn
from tests.stubs.openai_server import stub_server

YES_OR_NO = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
FREE = CompletionRequest((Turn("system", "You answer in one sentence."), Turn("user", "What is a river?")), 40)
KOREAN = CompletionRequest(
    (Turn("user", "서울은 어느 나라의 수도인가? 한 문장으로 답하라.\n[1] 서울은 한국의 수도이다."),), 40
)
CUT = CompletionRequest((Turn("user", "Write ten sentences about rivers."),), 4)
BOUND = CompletionRequest((Turn("user", "Is water wet? Answer as JSON."),), 40, YES_OR_NO, priority=Priority.INGEST)
CHOICE = CompletionRequest((Turn("user", "Is water wet? Reply only yes or no."),), 4, options=("yes", "no"))
EVERY = (FREE, KOREAN, CUT, BOUND, CHOICE)


@pytest.fixture(
    params=[
        "scripted",
        "recorded",
        "openai-compatible",
        pytest.param("llama-cpp", marks=pytest.mark.model),
        pytest.param("llama-server", marks=pytest.mark.server),
    ]
)
def llm(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LLM]:
    if request.param == "scripted":
        yield ScriptedLLM(harmless)
    elif request.param == "recorded":
        recording = RecordingLLM(ScriptedLLM(harmless), tmp_path / "replies.jsonl")
        for one in EVERY:
            recording.complete(one)
        yield RecordedLLM(tmp_path / "replies.jsonl")
    elif request.param == "openai-compatible":
        with stub_server(ScriptedLLM(harmless)) as server:
            adapter = OpenAICompatibleLLM(server.url)
            yield adapter
            adapter.close()
    elif request.param == "llama-cpp":
        yield request.getfixturevalue("small_model")
    else:
        adapter = OpenAICompatibleLLM(request.getfixturevalue("model_server_url"))
        yield adapter
        adapter.close()


def test_a_reply_is_told_piece_by_piece_and_returned_whole(llm: LLM) -> None:
    told: list[str] = []
    completion = llm.complete(FREE, on_text=told.append)
    assert "".join(told) == completion.text != ""
    assert completion.finish in {"stop", "length"}
    assert completion.prompt_tokens > 0
    assert completion.completion_tokens > 0
    assert 0 <= completion.prompt_seconds <= completion.seconds


def test_letters_spread_over_tokens_come_out_whole(llm: LLM) -> None:
    told: list[str] = []
    completion = llm.complete(KOREAN, on_text=told.append)
    assert "".join(told) == completion.text
    assert "\ufffd" not in completion.text


def test_the_same_request_gives_the_same_text(llm: LLM) -> None:
    assert llm.complete(FREE).text == llm.complete(FREE).text


def test_a_reply_longer_than_allowed_is_cut_and_says_so(llm: LLM) -> None:
    completion = llm.complete(CUT)
    assert (completion.finish, completion.completion_tokens <= 4) == ("length", True)


def test_a_reply_keeps_to_its_schema(llm: LLM) -> None:
    completion = llm.complete(BOUND)
    found: Any = json.loads(completion.text)
    assert found in ({"answer": "yes"}, {"answer": "no"})
    assert completion.finish == "stop"


def test_one_of_several_words_is_chosen_and_each_is_weighed(llm: LLM) -> None:
    completion = llm.complete(CHOICE)
    yes, no = completion.shares
    assert yes + no == pytest.approx(1.0)
    assert (completion.text, completion.finish) == ("yes" if yes >= no else "no", "stop")
    assert llm.complete(CHOICE).shares == completion.shares


def test_free_text_is_not_weighed(llm: LLM) -> None:
    assert llm.complete(FREE).shares == ()


def test_a_request_that_is_cancelled_before_it_starts_says_nothing(llm: LLM) -> None:
    completion = llm.complete(FREE, cancelled=lambda: True)
    assert (completion.text, completion.finish) == ("", "cancelled")


def test_a_prompt_that_does_not_fit_is_rejected(llm: LLM) -> None:
    long = Turn("user", "river " * 2 * llm.context_tokens)
    with pytest.raises(ServiceRejected):
        llm.complete(CompletionRequest((long,), 10))


def test_tokens_are_counted(llm: LLM) -> None:
    assert llm.count_tokens("") == 0
    assert 0 < llm.count_tokens("a river") <= llm.count_tokens("a river and another river")


def test_it_has_a_name_and_a_size(llm: LLM) -> None:
    assert llm.model_id
    assert llm.context_tokens >= 1024


def test_how_fast_it_reads_is_known_after_the_first_prompt_or_never(llm: LLM) -> None:
    llm.complete(FREE)
    assert llm.prompt_tokens_per_second is None or llm.prompt_tokens_per_second > 0


def test_several_requests_of_one_turn_follow_each_other(llm: LLM) -> None:
    def ask(_number: int) -> tuple[str, str]:
        with llm.turn():
            return llm.complete(CHOICE).text, llm.complete(FREE).text

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(ask, range(4))) == {(llm.complete(CHOICE).text, llm.complete(FREE).text)}


def test_many_threads_may_call_at_once(llm: LLM) -> None:
    expected = [llm.complete(FREE).text, llm.complete(BOUND).text]
    start = threading.Barrier(8)

    def ask(one: CompletionRequest) -> str:
        start.wait()
        return llm.complete(one).text

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, [FREE, BOUND] * 4)) == expected * 4
