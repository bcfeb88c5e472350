"""An entailment model says how likely each premise says what a hypothesis claims, in the order of the premises."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django.fixtures import Settings

from brain import bootstrap
from brain.backends.entailment.nli import NliEntailment
from brain.errors import ModelMissing, ServiceRejected
from brain.ports import Entailment
from tests.stubs import tiny_cross_encoder

WORDS = ["ada", "built", "the", "bridge", "다리"]
LABELS = ("contradiction", "neutral", "ENTAILMENT")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny_cross_encoder.write(tmp_path / "overlap", WORDS, labels=LABELS)


@pytest.fixture
def entailment(folder: Path) -> Entailment:
    return NliEntailment.from_setting(f"nli:{folder}")


def test_premises_are_weighed_in_their_order(entailment: Entailment) -> None:
    found = entailment.entailed(["zebra", "ada built the bridge", "the 다리"], "ada built the bridge")
    assert found == pytest.approx([_share(0), _share(4), _share(1)], abs=1e-6)


def test_more_premises_than_a_batch_are_weighed_alike(entailment: Entailment) -> None:
    assert entailment.entailed(["다리", "ada"] * 9, "다리") == pytest.approx([_share(1), _share(0)] * 9, abs=1e-6)


def test_a_long_premise_is_cut_and_the_hypothesis_is_not(entailment: Entailment) -> None:
    found = entailment.entailed(["ada " * 3000], "the the ada")
    assert found == pytest.approx([_share(512 - 3 - 2)], abs=1e-6)


def test_no_premises_say_nothing(entailment: Entailment) -> None:
    assert entailment.entailed([], "ada") == []


def test_entailment_may_be_any_of_the_labels(tmp_path: Path) -> None:
    swapped = tiny_cross_encoder.write(tmp_path / "swapped", WORDS, labels=("entailment", "not_entailment"))
    assert NliEntailment(swapped).entailed(["ada"], "ada") == pytest.approx([1 / (1 + math.exp(1 - 1.5))], abs=1e-6)


def test_the_setting_names_the_folder(folder: Path, settings: Settings) -> None:
    settings.BRAIN_ENTAILMENT = f"nli:{folder}"
    found = bootstrap.entailment()
    assert isinstance(found, NliEntailment)
    assert found.model_id == "overlap"


def test_without_a_setting_there_is_none(settings: Settings) -> None:
    settings.BRAIN_ENTAILMENT = ""
    assert bootstrap.entailment() is None


def test_a_setting_without_a_folder_says_what_is_expected() -> None:
    with pytest.raises(ImproperlyConfigured, match="nli:FOLDER"):
        NliEntailment.from_setting("nli")


@pytest.mark.parametrize("config", [None, "{}", '{"id2label": {"0": "yes"}}', "no json"])
def test_a_folder_that_names_no_entailment_is_a_missing_model(folder: Path, config: str | None) -> None:
    (folder / "config.json").unlink()
    if config is not None:
        (folder / "config.json").write_text(config)
    with pytest.raises(ModelMissing, match="id2label"):
        NliEntailment(folder)


def test_a_folder_without_a_model_names_the_setting(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="BRAIN_ENTAILMENT"):
        NliEntailment(tmp_path)


def test_a_broken_model_is_refused_with_its_folder(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(ServiceRejected, match="overlap"):
        NliEntailment(folder)


def _share(count: int) -> float:
    """Of the last of three labels, the others scoring 1.5 (see ``tiny_cross_encoder``)."""
    return math.exp(count) / (math.exp(count) + 2 * math.exp(1.5)) if count < 300 else 1.0
