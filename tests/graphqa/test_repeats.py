"""An answer that says the same again and again."""

from __future__ import annotations

import pytest

from brain.values import Completion
from graphqa.answer.repeats import RepeatWatch, told_once
from tests.graphqa.conftest import Library

LEAVE = "Employees have fifteen days of leave in each year of their work [1]."
ENUMERATIONS = [
    "The Osprey costs 310 dollars [1]. The Harrier costs 145 dollars [1]. The Merlin costs 90 dollars [1].",
    "1. The fee for adults is 9 pounds [1].\n2. The fee for pupils is 4 pounds [1].\n3. The fee for dogs is 1 [1].",
    "제1조에 따라 과태료를 부과한다 [1]. 제2조에 따라 과태료를 부과한다 [1]. 제3조에 따라 과태료를 부과한다 [1].",
    "It is very, very, very old [1].",
    "Monday: closed, Tuesday: closed, Wednesday: closed, Thursday: closed.",
    f"{LEAVE} It is paid [1]. {LEAVE}",
]


def _reply(text: str, finish: str = "stop") -> Completion:
    return Completion(text, finish, 10, 10, 0.1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("법은 소음을 정한다 [1]. 또 체제의 변경 등록 등 " + "체제의 변경 등록 등 " * 9, "법은 소음을 정한다 [1]."),
        ("체제의 변경 등록 등 " * 9, ""),
        (f"{LEAVE} {LEAVE} Employees have", LEAVE),
        (f"{LEAVE} " * 2 + LEAVE.replace("[1]", "[2]"), LEAVE),
        ("It is new. It was sold. He left early. It was sold. He left early. It was sold. He left early. It",
         "It is new. It was sold. He left early."),
        ("Rent and loan. The loan. The loan. The loan. The loan. The loan.", "Rent and loan. The loan."),
        ("1. The fee is nine pounds [1].\n2. The fee is nine pounds [1].\n3. The fee is nine pounds [1].",
         "1. The fee is nine pounds [1]."),
    ],
)  # fmt: skip
def test_what_comes_back_word_for_word_is_said_once(said: str, kept: str) -> None:
    assert told_once(_reply(said, "length")) == kept


@pytest.mark.parametrize("said", ENUMERATIONS)
def test_an_enumeration_with_like_beginnings_stays_whole(said: str) -> None:
    watch = RepeatWatch(None, lambda: False)
    for letter in said:
        watch.hear(letter)
    assert (told_once(_reply(said)), watch.stop()) == (said, False)


def test_a_sentence_cut_by_the_limit_is_dropped_unless_it_is_the_only_one() -> None:
    assert told_once(_reply("It opened in 1932 [1]. It was des", "length")) == "It opened in 1932 [1]."
    assert told_once(_reply("It was des", "length")) == "It was des"


def test_a_model_that_repeats_itself_is_stopped_and_what_it_said_before_stays(library: Library) -> None:
    said = "Ada Kim was born in Busan [1]. She studied stone and bridges, " + "stone and bridges, " * 60
    answer = library.ask("Where was Ada Kim born?", [said])
    number = next(each.number for each in library.shown if each.evidence.title == "architect.txt")
    assert (answer.status, answer.text) == ("answered", f"Ada Kim was born in Busan [{number}].")
    assert [answer.details["calls"][0][name] for name in ("finish", "repeating")] == ["cancelled", True]
    assert len("".join(library.said)) < len(said) / 5


def test_a_model_that_only_repeats_itself_is_asked_once_more(library: Library) -> None:
    answer = library.ask("Where was Ada Kim born?", ["stone and bridges, " * 60, "Ada Kim was born in Busan [1]."])
    assert (answer.status, len(answer.details["calls"])) == ("answered", 2)
