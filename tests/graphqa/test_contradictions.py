"""Sources that say different things."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphqa.question.plan import Exchange
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
