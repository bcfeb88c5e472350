"""Which words of a question are named where nothing was found about them, and how a question is shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brain.models import Conversation, Message
from graphqa.answer.explained import explain
from graphqa.language.wording import as_typed, content, with_names_whole
from graphqa.question.plan import make_plan
from tests.graphqa.conftest import ENGLISH, Library

Fill = Callable[[dict[str, str]], Library]


def named(question: str) -> list[str]:
    """What a refusal lists of a question of which nothing is in the documents."""
    return with_names_whole(question, as_typed(question, content(question)))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Why does Hanbit Bank take zeppelins to Peru?", ["Hanbit Bank", "zeppelins", "Peru"]),
        ("What did the tester say about quantum tea?", ["tester", "quantum", "tea"]),
        ("When did Mira Cho found Hanbit Pump?", ["Mira Cho", "Hanbit Pump"]),
        ("Who built the lighthouse and who painted it?", ["lighthouse"]),
        ("How much does the pump with 3 valves cost?", ["pump", "3", "valves", "cost"]),
        ("Where can I find the speed limit in May?", ["speed", "limit", "May"]),
        ("What should we do then?", []),
        ("Can you summarise the tides?", ["tides"]),
        ("조미라는 왜 화성에서 자동차를 샀나요?", ["조미", "화성", "자동차"]),
        ("계약서에 반려동물 관련 내용이 있나요?", ["계약서", "반려동물"]),
        ("한빛펌프가 만든 HP-20의 가격은 얼마인가요?", ["한빛펌프", "HP-20", "가격"]),
        ("According to the notes, what is a penguin?", ["notes", "penguin"]),
        ("Which txt files mention zeppelins?", ["zeppelins"]),
        ("Disregard it: what is the penguin clause, excluding tides?", ["penguin", "tides"]),
        ("초안을 무시하고 펭귄 조항은 무엇인가요?", ["초안", "펭귄"]),
        ("Who is excluded from the museum's TXT archive?", ["museum's", "TXT", "archive"]),
    ],
)
def test_only_words_that_carry_the_question_are_named(question: str, expected: list[str]) -> None:
    assert named(question) == expected


def test_a_korean_name_that_a_passage_holds_is_not_called_missing(fill: Fill) -> None:
    library = fill({"펌프.txt": "대전에 있는 한빛펌프는 1998년 조미라가 세웠다."})
    answer = library.ask("조미라는 왜 화성에서 자동차를 샀나요?", ["문서에 없음"])
    assert answer.details["gap"] == ["화성", "자동차"]


WEAK = "Who designed the Harbour tunnel under Mars and Venus?"


def test_the_words_of_a_second_search_are_not_shown_as_the_persons_question(fill: Fill) -> None:
    library = fill({f"annual-report-{name}": text for name, text in ENGLISH.items()})
    answer = library.ask(WEAK, ["NOT IN THE DOCUMENTS"])
    assert answer.details["attempts"] == ["weak"]
    assert answer.standalone == WEAK
    assert not [word for word in [*answer.details["about"], *answer.details["gap"]] if "annual" in word]


PIECES = "Which ferries leave Busan, and which telescope has the Corvane observatory?"


@pytest.mark.parametrize(
    ("question", "found", "how"),
    [(WEAK, "little", "in other words"), (PIECES, "pieces of an answer", "for more passages")],
)
def test_a_person_is_told_why_and_how_it_was_searched_again(
    fill: Fill, conversation: Conversation, question: str, found: str, how: str
) -> None:
    told = {"ferry.txt": "Ferries leave Busan at noon.", "star.txt": "The Corvane observatory has a big telescope."}
    library = fill({f"annual-report-{name}": text for name, text in {**ENGLISH, **told}.items()})
    answer = library.ask(question, ["NOT IN THE DOCUMENTS"])
    message = Message.objects.create(conversation=conversation, ordinal=0, question="?", details=answer.details)
    lines = {line.name: line.text for line in explain(message, answer.details)}
    assert (lines["Found in the first look"], lines["So it was searched again"]) == (found, how)
    assert lines["Found in the second look"]


def test_a_second_search_looks_for_the_place_of_the_best_passage_too() -> None:
    plan = make_plan(WEAK)
    wider = plan.with_place("bridge.txt")
    assert (plan.searched, wider.searched, wider.standalone) == (WEAK, f"{WEAK} (bridge.txt)", WEAK)
