"""The stand-ins: scripted and recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from brain.backends.llm.recorded import RecordedLLM, RecordingLLM
from brain.backends.llm.scripted import ScriptedLLM
from brain.errors import ServiceRejected, ServiceUnavailable
from brain.values import Completion, CompletionRequest, Turn
from ingestion.extraction.schema import bounds, reply_schema


def _asked(text: str) -> CompletionRequest:
    return CompletionRequest((Turn("user", text),), 50)


def test_replies_come_in_order_and_the_requests_are_kept() -> None:
    llm = ScriptedLLM(["one", Completion("two", "length", 1, 2, 3.0), ServiceUnavailable("away")])
    assert llm.complete(_asked("a")).text == "one"
    assert llm.complete(_asked("b")) == Completion("two", "length", 1, 2, 3.0)
    with pytest.raises(ServiceUnavailable, match="away"):
        llm.complete(_asked("c"))
    with pytest.raises(ServiceRejected, match="no reply left"):
        llm.complete(_asked("d"))
    assert [request.turns[0].text for request in llm.history] == ["a", "b", "c", "d"]


def test_alone_it_cites_the_first_sentence_of_the_first_source() -> None:
    llm = ScriptedLLM.from_setting("scripted")
    assert llm.complete(_asked("[1] Rivers run. They are wet.\n[2] No.")).text == "Rivers run [1]."
    assert llm.complete(_asked("[1] (River, page 3)\n서울은 수도이다.\n\nQ")).text == "서울은 수도이다 [1]."
    assert llm.complete(_asked("no sources")).text == "The documents say so [1]."


def test_alone_it_extracts_nothing() -> None:
    schema = reply_schema(bounds("a passage"), ("person",), ())
    reply = ScriptedLLM.from_setting("scripted").complete(CompletionRequest((Turn("user", "x"),), 50, schema)).text
    assert not any(json.loads(reply).values())


def test_a_file_of_replies_is_a_list_or_a_choice_by_what_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "replies.json"
    path.write_text(json.dumps(["one", "two"]))
    llm = ScriptedLLM.from_setting(f"scripted:{path}")
    assert [llm.complete(_asked("x")).text for _ in range(2)] == ["one", "two"]
    path.write_text(json.dumps({"river": "wet", "": "dry"}))
    llm = ScriptedLLM.from_setting(f"scripted:{path}")
    assert [llm.complete(_asked(text)).text for text in ("a river", "a road")] == ["wet", "dry"]


def test_a_recording_plays_what_was_said_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    recording = RecordingLLM(ScriptedLLM(["강은 젖어 있다."], model_id="real"), path)
    said = recording.complete(_asked("river?"))
    llm = RecordedLLM.from_setting(f"recorded:{path}")
    assert (llm.complete(_asked("river?")), llm.model_id) == (said, "real")
    with pytest.raises(ServiceRejected, match="holds no reply"):
        llm.complete(_asked("road?"))


def test_a_choice_takes_no_reply_and_is_weighed_as_told() -> None:
    choice = CompletionRequest((Turn("user", "Is water wet?"),), 4, options=("yes", "no"))
    llm = ScriptedLLM(["first"], weighs=lambda _request: (0.25, 0.75))
    assert (llm.complete(choice).text, llm.complete(choice).shares) == ("no", (0.25, 0.75))
    assert llm.complete(_asked("a")).text == "first"
