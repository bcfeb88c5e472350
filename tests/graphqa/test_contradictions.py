"""Sources that say different things."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphqa.evidence.conflicts import conflicts_of
from graphqa.question.plan import Exchange, make_plan
from graphqa.retrieval.ranking import Evidence
from tests.graphqa.conftest import Library

Fill = Callable[[dict[str, str]], Library]


def test_two_sources_that_disagree_are_both_shown(fill: Fill) -> None:
    library = fill(
        {
            "old.txt": "The annual leave of employees at Hanbit is 15 days per year.",
            "new.txt": "The annual leave of employees at Hanbit is 18 days per year.",
        }
    )
    answer = library.ask("How many days of annual leave do Hanbit employees have?", ["15 days [1] or 18 days [2]."])
    assert answer.status == "contradictory"
    assert "disagree" in library.llm.history[-1].turns[-1].text
    assert len(answer.details["contradictions"]) == 1


RULES = {
    "규정_2022.txt": "한빛정밀 취업 규칙. 한빛정밀 직원의 연차 휴가는 매년 15일이다. 수습 기간은 3개월이다.",
    "규정_2024.txt": "한빛정밀 새 취업 규칙. 한빛정밀 직원의 연차 휴가는 매년 18일이다. 수습 기간은 6개월이다.",
}


@pytest.mark.parametrize(
    ("before", "question", "rewritten", "by"),
    [
        ("한빛정밀은 어디에 있나요?", "그 회사의 연차는 며칠인가요?", "한빛정밀의 연차는 며칠인가요?", "model"),
        ("한빛정밀의 연차는 며칠인가요?", "그럼 수습 기간은?", "한빛정밀의 수습 기간은 얼마인가요?", "model"),
        ("한빛정밀의 연차는 며칠인가요?", "수습 기간은요?", "", "terms"),
    ],
)
def test_two_sources_that_disagree_are_both_shown_to_a_follow_up(
    fill: Fill, before: str, question: str, rewritten: str, by: str
) -> None:
    said = "한빛정밀 직원의 연차 휴가는 매년 15일이다 [1]. 수습 기간은 3개월이다 [1]."
    answer = fill(RULES).ask(
        question,
        lambda request: rewritten if request.max_tokens < 100 else said,
        history=[Exchange(before, "")],
    )
    assert (answer.details["rewritten"], answer.status) == (by, "contradictory")
    assert len(answer.details["contradictions"]) == 1


def test_laws_that_number_their_articles_and_items_otherwise_do_not_disagree(
    fill: Fill,
) -> None:
    law = "제{}조(과태료) 다음 각 호의 자에게는 과태료를 부과한다.\n\n{}. 신고를 하지 아니하고 영업을 한 자"
    library = fill({"은행법.txt": law.format(71, 3), "보험업법.txt": law.format(19, 4)})
    answer = library.ask("신고를 하지 않은 자에게는 과태료를 부과하나요?", ["과태료를 부과한다 [1]."])
    assert (answer.status, answer.details["contradictions"]) == ("answered", [])


def _told(*texts: str) -> list[Evidence]:
    """A passage of each of as many sources."""
    return [
        Evidence(n, f"{n}:0", str(n), f"{n}.txt", (), text, 0, "", None, None, None, 0, 1.0, None, "dense", {})
        for n, text in enumerate(texts)
    ]


def _sides(question: str, *texts: str) -> list[tuple[str, str]]:
    found = _told(*texts)
    by_ref = {each.ref: each.text for each in found}
    conflicts = conflicts_of(found, make_plan(question))
    sides = [(each.first, each.second) for each in conflicts]
    return [(by_ref[a.ref][a.start : a.end], by_ref[b.ref][b.start : b.end]) for a, b in sides]


OLD = (
    "Travel policy. Date: 1 March 2021. The daily meal allowance is 40 euros. Employees must not travel in first "
    "class. The manager of the travel office is Ines Okafor."
)
NEW = (
    "Travel policy. Date: 15 May 2024. The daily meal allowance is 55 euros. The warranty of company laptops is two "
    "years. The manager of the travel office is Pavel Lindqvist."
)
DRAFT = "Date: 2 June 2024. The daily meal allowance shall be 90 euros. This draft has not been approved."
GREENHOUSE = (
    "The greenhouse of Tromso was built in 1998 by Marta Hovland. The heating of the greenhouse must not be switched "
    "off between October and April."
)
BOATHOUSE = (
    "The boathouse was built in 2005 by Marta Hovland. The heating of the boathouse must be switched off between May "
    "and September."
)
EVERY = (OLD, NEW, DRAFT, GREENHOUSE, BOATHOUSE)


def test_every_pair_of_sources_that_differ_in_what_is_asked_disagrees() -> None:
    allowance = [f"The daily meal allowance {said} euros." for said in ("is 40", "is 55", "shall be 90")]
    assert _sides("What is the daily meal allowance?", *EVERY) == [
        (allowance[0], allowance[1]),
        (allowance[0], allowance[2]),
        (allowance[1], allowance[2]),
    ]
    manager = tuple(f"The manager of the travel office is {name}." for name in ("Ines Okafor", "Pavel Lindqvist"))
    assert _sides("Who is the manager of the travel office?", *EVERY) == [manager]


@pytest.mark.parametrize(
    "question",
    [
        "When must the heating of the greenhouse not be switched off?",
        "How long is the warranty of company laptops?",
        "Who built the greenhouse in Tromso?",
        "When was the boathouse built?",
        "May employees travel in first class?",
        "What is the date of the travel policy?",
        "Has the draft been approved?",
    ],
)
def test_what_one_source_alone_says_is_not_contradicted_by_others(question: str) -> None:
    assert _sides(question, *EVERY) == []


@pytest.mark.parametrize(
    ("question", "one", "two"),
    [
        (
            "How long is the warranty of laptops?",
            "The warranty of laptops is two years.",
            "The warranty of laptops is 3 years.",
        ),
        ("When did the bridge open?", "The long bridge opened in 1932.", "The long bridge opened in May 1934."),
        (
            "What is the deadline for claims?",
            "The deadline for claims is 3 May 2024.",
            "The deadline for claims is June 4, 2025.",
        ),
        (
            "When is the heating switched off?",
            "The heating is switched off in May.",
            "The heating is switched off in June.",
        ),
        (
            "May employees travel in first class?",
            "Employees must not travel in first class.",
            "Employees may travel in first class.",
        ),
        ("Where is the head office?", "The head office is in Busan.", "The head office is in Seoul."),
        ("보증 기간은 얼마인가요?", "노트북의 보증 기간은 2년이다.", "노트북의 보증 기간은 3년으로 한다."),
        ("식비는 하루에 얼마입니까?", "출장 식비는 하루 4만원을 지급한다.", "출장 식비는 하루 5만원으로 한다."),
        ("다리는 언제 개통되었나요?", "한강 다리는 1932년에 개통되었다.", "한강 다리는 1934년에 개통되었다."),
        ("출장소 소장은 누구인가요?", "부산 출장소 소장은 김민수이다.", "부산 출장소 소장은 박지은이다."),
        ("대표이사는 누구야?", "한빛정밀의 대표이사는 김영희이다.", "한빛정밀의 대표이사는 박철수입니다."),
        ("담당자가 누구인가요?", "출장 업무 담당자: 이네스 오카포", "출장 업무 담당자: 파벨 린드크비스트"),
        ("회의는 언제인가요?", "정기 회의는 매주 월요일에 연다.", "정기 회의는 매주 화요일에 연다."),
        ("When is the meeting?", "The weekly meeting is on Monday.", "The weekly meeting is on Fridays."),
        ("What's the fee?", "The fee is 10 euros.", "The fee is 12 euros."),
        ("What is the meal allowance per day?", "Daily meal allowance: 40 euros", "Daily meal allowance: 55 euros"),
        ("How many employees does Hanbit have?", "Hanbit has 120 employees.", "Hanbit had 150 employees."),
        (
            "직원은 일등석을 이용할 수 있나요?",
            "직원은 일등석을 이용할 수 있다.",
            "직원은 일등석을 이용할 수 없다.",
        ),
    ],
)
def test_statements_about_the_same_that_differ_in_a_value_disagree(question: str, one: str, two: str) -> None:
    assert _sides(question, one, two) == [(one, two)]


@pytest.mark.parametrize(
    ("question", "one", "two"),
    [
        # Told otherwise.
        ("How long is the warranty?", "The warranty of laptops is two years.", "The warranty of laptops is 2 years."),
        ("When did the bridge open?", "The long bridge opened in 1932.", "The long bridge opened on 3 May 1932."),
        ("What is the fine?", "The fine for parking is 1,500 won.", "The fine for parking is 1500 won."),
        # Of other things.
        ("How heavy is the QL-200?", "The QL-200 printer weighs 3 kg.", "The QL-300 printer weighs 5 kg."),
        (
            "Who was born in Busan?",
            "Ada Kim was born in Busan in 1890.",
            "Bo Lee was born in Busan in 1901.",
        ),
        ("What was revenue?", "In 2023 the revenue was 5 million won.", "In 2024 the revenue was 6 million won."),
        (
            "Who won the grand prize?",
            "The grand prize of 2001 went to Ada Kim.",
            "The grand prize of 2002 went to Bo Lee.",
        ),
        ("보증 기간은 얼마인가요?", "노트북의 보증 기간은 2년이다.", "프린터의 보증 기간은 3년이다."),
        ("연차는 며칠인가요?", "직원의 연차 휴가는 15일이다.", "임원의 연차 휴가는 25일이다."),
        # Of what was not asked.
        (
            "When was the company founded?",
            "The company in Busan has 40 employees.",
            "The company in Busan has 50 employees.",
        ),
        (
            "Who leads the sales team?",
            "The sales team led by Ada Kim has 4 people.",
            "The sales team led by Ada Kim has 5 people.",
        ),
        ("온실은 누가 지었나요?", "온실의 난방은 10월에 켠다.", "온실의 난방은 11월에 켠다."),
        ("대표이사는 누구야?", "한빛정밀의 대표이사는 주주가 정한다.", "한빛정밀의 대표이사는 이사회가 뽑는다."),
        # A version's own date.
        (
            "When was the travel policy issued?",
            "Issued: travel policy of 1 May 2021.",
            "Issued: travel policy of 2 June 2024.",
        ),
        (
            "When does the policy take effect?",
            "This travel policy takes effect on 1 May 2021.",
            "This travel policy takes effect on 2 May 2024.",
        ),
        (
            "취업 규칙은 언제 시행되나요?",
            "이 취업 규칙은 2022년 1월 1일부터 시행한다.",
            "이 취업 규칙은 2024년 3월 1일부터 시행한다.",
        ),
        (
            "What is the annual leave at Hanbit?",
            "Annual leave of Hanbit employees 2021",
            "Annual leave of Hanbit employees 2024",
        ),
    ],
)
def test_statements_of_two_things_do_not_disagree(question: str, one: str, two: str) -> None:
    assert _sides(question, one, two) == []
