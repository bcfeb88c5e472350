"""The words of a text, as both a question and a passage are searched by."""

from __future__ import annotations

import pytest

from brain.language import terms
from brain.terms import terms_of


@pytest.mark.parametrize(
    ("korean", "asked"),
    [
        ("주력 제품은 감속기 HR-7이며 보증 기간은 36개월이다.", "HR-7"),
        ("대표이사는 Tomas Breck입니다.", "Breck"),
        ("메모리는 3.5GB만큼 있어야 한다.", "3.5GB"),
        ("2022년에는 늘었다.", "2022"),
        ("C++로 짠 프로그램", "C++"),
    ],
)
def test_a_foreign_word_is_found_whatever_particle_is_written_onto_it(korean: str, asked: str) -> None:
    wanted = {term for term in terms(asked) if term.startswith("w:")}
    assert wanted
    assert wanted <= set(terms(korean))


def test_small_numbers_of_korean_counters_are_no_words() -> None:
    assert not {"w:36", "w:3"} & set(terms("보증 기간은 36개월, 제3조"))


def test_a_particle_ends_a_foreign_name() -> None:
    assert terms_of(["Corvane Observatory는 Elise Tamm이 열었습니다"])[0][:2] == ("corvane observatory", "elise tamm")
