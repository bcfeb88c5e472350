"""A reranker scores passages by the question, in their order."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django.fixtures import Settings

from brain import bootstrap
from brain.backends.rerankers.cross_encoder import CrossEncoderReranker
from brain.errors import ModelMissing, ServiceRejected
from brain.ports import Reranker
from tests.stubs import tiny_cross_encoder

WORDS = ["who", "built", "the", "bridge", "ada", "다리", "누가"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny_cross_encoder.write(tmp_path / "overlap", WORDS)


@pytest.fixture
def reranker(folder: Path) -> Reranker:
    return CrossEncoderReranker.from_setting(f"cross-encoder:{folder}")


def test_passages_are_scored_by_the_question_in_their_order(reranker: Reranker) -> None:
    passages = ["zebra", "ada built the bridge", "the zebra"]
    assert reranker.score("who built the bridge", passages) == [0.0, 3.0, 1.0]
    assert reranker.score("zebra", passages[::-1]) == [1.0, 0.0, 1.0]


def test_more_passages_than_a_batch_are_scored_alike(reranker: Reranker) -> None:
    assert reranker.score("다리 누가", ["다리", "the 누가 다리", "ada"] * 9) == [1.0, 2.0, 0.0] * 9


def test_a_long_passage_is_cut_and_the_question_is_not(reranker: Reranker) -> None:
    assert reranker.score("bridge", ["ada " * 3000 + "bridge", "bridge " * 3000]) == [0.0, 509.0]


def test_no_passages_have_no_scores(reranker: Reranker) -> None:
    assert reranker.score("who", []) == []


def test_the_setting_names_the_folder(folder: Path, settings: Settings) -> None:
    settings.BRAIN_RERANKER = f"cross-encoder:{folder}"
    found = bootstrap.reranker()
    assert isinstance(found, CrossEncoderReranker)
    assert found.model_id == "overlap"


def test_without_a_setting_there_is_none(settings: Settings) -> None:
    settings.BRAIN_RERANKER = ""
    assert bootstrap.reranker() is None


def test_a_setting_without_a_folder_says_what_is_expected() -> None:
    with pytest.raises(ImproperlyConfigured, match="cross-encoder:FOLDER"):
        CrossEncoderReranker.from_setting("cross-encoder")


def test_a_folder_without_a_model_is_a_missing_model(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"model\.onnx and tokenizer\.json"):
        CrossEncoderReranker(tmp_path)


def test_a_broken_model_is_refused_with_its_folder(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(ServiceRejected, match="overlap"):
        CrossEncoderReranker(folder)
