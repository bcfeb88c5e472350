"""A sentence must mean what its passages say; a model for entailment, where one is set, is asked about that."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from brain.backends.embedders.hashing import HashEmbedder
from brain.backends.entailment.nli import NliEntailment
from graphqa import tasks
from graphqa.grounding.check import check
from tests.graphqa.test_grounding import _shown
from tests.stubs import tiny_cross_encoder


class InOrder:
    """Says that a premise entails a hypothesis whose words stand in it in the same order."""

    model_id = "in-order"

    def __init__(self) -> None:
        self.premises: list[str] = []

    def entailed(self, premises: Sequence[str], hypothesis: str) -> list[float]:
        self.premises += premises
        return [float(_in_order(hypothesis.rstrip(".").split(), premise.split())) for premise in premises]


def _in_order(words: list[str], premise: list[str]) -> bool:
    rest = iter(word.rstrip(".") for word in premise)
    return all(word in rest for word in words)


@pytest.mark.parametrize(
    ("claim", "reason"),
    [("The valve opens before the pump stops [1].", ""), ("The pump stops before the valve opens [1].", "meaning")],
)
def test_what_words_cannot_tell_apart_is_seen_by_a_model_for_entailment(claim: str, reason: str) -> None:
    passage = "In winter The valve opens before the pump stops. Nobody knows why."
    assert check(claim, _shown(passage), "What comes first?", HashEmbedder()).sentences[0].supported
    found = check(claim, _shown(passage), "What comes first?", HashEmbedder(), InOrder())
    assert [each.reason for each in found.sentences] == [reason]


def test_the_model_reads_a_long_passage_in_stretches_of_sentences_that_overlap_by_one() -> None:
    lines = [
        f"Line {number} of the log says that pump {number} ran without a stop for the whole of day {number}."
        for number in range(30)
    ]
    model = InOrder()
    found = check("Line 29 of the log says that pump 29 ran [1].", _shown(" ".join(lines)), "?", HashEmbedder(), model)
    assert [each.supported for each in found.sentences] == [True]
    assert all(len(premise) <= 600 for premise in model.premises)
    for before, after in zip(model.premises, model.premises[1:], strict=False):
        last = before[before.rindex("Line") :]
        assert after.startswith(last)
    assert all(any(line in premise for premise in model.premises) for line in lines)


def test_one_sentence_longer_than_a_stretch_is_read_whole() -> None:
    passage = "The pump " + "and the valve " * 60 + "need a seal"
    model = InOrder()
    check("The pump need a seal [1].", _shown(passage), "?", HashEmbedder(), model)
    assert model.premises == [passage]


def test_answers_are_checked_by_the_model_that_the_setting_names(tmp_path: Path, settings: Settings, db: None) -> None:
    folder = tiny_cross_encoder.write(tmp_path / "nli", ["pump"], labels=("neutral", "entailment"))
    settings.BRAIN_ENTAILMENT = f"nli:{folder}"
    assert isinstance(tasks.ports().entailment, NliEntailment)
