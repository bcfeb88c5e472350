"""The opposite word where a passage says the rest alike."""

from __future__ import annotations

import pytest

from tests.graphqa.test_grounding import _reasons

SALES = "Sales rose by 5% in May 2024, while costs fell by 3%."
NOTICE = "The landlord may terminate with 6 months' notice; the tenant may terminate with 3 months' notice."
TERM = "The lease starts on 1 March 2023 and ends on 28 February 2025."
VOTE = "The committee rejected the proposal of Ms Holm."
HOURS = (
    "Employees working more than 30 hours get 20 days of leave; those working fewer than 30 hours get 10 days of leave."
)
매출 = "매출은 5월에 5% 증가했고 비용은 3% 감소했다."
부결 = "위원회는 홍길동의 제안을 부결했다."
보증금 = "식비는 보증금에 포함되고 주차비는 보증금에서 제외된다."


@pytest.mark.parametrize(
    ("said", "passage"),
    [
        ("Sales fell by 5% in May 2024 [1].", SALES),
        ("The tenant may terminate with 6 months' notice [1].", NOTICE),
        ("The landlord may terminate with 3 months' notice [1].", NOTICE),
        ("The lease starts on 28 February 2025 [1].", TERM),
        ("The committee accepted the proposal of Ms Holm [1].", VOTE),
        ("Boats must be returned after sunset [1].", "Boats must be returned before sunset."),
        ("Employees working fewer than 30 hours get 20 days of leave [1].", HOURS),
        ("매출은 5월에 5% 감소했다 [1].", 매출),
        ("위원회는 홍길동의 제안을 가결했다 [1].", 부결),
        ("주차비는 보증금에 포함된다 [1].", 보증금),
        ("The request of Mr Boyle was approved [1].", "The request of Mr Boyle was declined."),
        ("위원회는 홍길동의 제안을 의결했다 [1].", 부결),
        ("오태식 팀장은 5월 회의에 참석했다 [1].", "오태식 팀장은 5월 회의에 불참했다."),
        ("관리비는 2024년 1월부터 인상된다 [1].", "관리비는 2024년 1월부터 인하된다."),
    ],
)
def test_the_opposite_of_what_a_passage_says_does_not_hold(said: str, passage: str) -> None:
    assert _reasons(said, passage) == ["apart"]


@pytest.mark.parametrize(
    ("said", "passage"),
    [
        ("Sales rose by 5% in May 2024 [1].", SALES),
        ("Costs fell by 3% in May 2024 [1].", SALES),
        ("The tenant may terminate with 3 months' notice [1].", NOTICE),
        ("The lease ends on 28 February 2025 [1].", TERM),
        ("The committee did not accept the proposal of Ms Holm [1].", VOTE),
        ("Take the tablet after meals [1].", "Take the tablet after meals, not before going to bed."),
        ("비용은 3% 감소했다 [1].", 매출),
        ("위원회는 홍길동의 제안을 가결하지 않았다 [1].", 부결),
        ("식비는 보증금에 포함된다 [1].", 보증금),
    ],
)
def test_what_a_passage_says_beside_its_opposite_holds(said: str, passage: str) -> None:
    assert _reasons(said, passage) == [""]
