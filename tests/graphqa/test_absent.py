"""Articles and sections that a named file does not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphqa.answer.refusals import refusal
from tests.graphqa.conftest import Library

Fill = Callable[[dict[str, str]], Library]

FILES = {
    "계약서.txt": "제1조(목적) 유지보수 계약이다.\n제2조(해지) 30일 전에 알린다. 상법 제99조를 따른다.\n"
    "제3조(대금) 매월 25일에 지급한다.\n제3조의2(이자) 연 6%이다.",
    "lease.txt": "1. Term. It runs two years.\n2. Rent. It is 900 pounds.\n3. Pets. None, see clause 7 of the rules.\n"
    "4. Notice. One month.",
    "charter.txt": "Article I. The club is a club.\nArticle II. Members pay.\nArticle III. It meets on Mondays.",
    "note.txt": "The rent is 900 pounds. Pay it in time.",
}


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("계약서.txt의 제12조는 무엇인가요?", "제12조"),
        ("계약서.txt 제 12 조와 제13조의 내용은?", "제 12 조, 제13조"),
        ("계약서.txt의 제2조의5는?", "제2조의5"),
        ("What does Section 14 of lease.txt say?", "Section 14"),
        ("What is in clause 9 in lease.txt?", "clause 9"),
    ],
)
def test_what_the_named_file_does_not_have_is_refused_without_the_model(fill: Fill, question: str, places: str) -> None:
    library = fill(FILES)
    answer = library.ask(question)
    assert (answer.status, library.llm.history) == ("insufficient_context", [])
    assert refusal(answer.details) == f"The file that you name does not have this: {places}."


@pytest.mark.parametrize(
    "question",
    [
        "계약서.txt의 제2조는?",
        "계약서.txt의 제3조의2는?",
        "계약서.txt에서 제99조는 왜 나오나요?",
        "계약서.txt의 제3조와 제12조는?",
        "제12조는 무엇인가요?",
        "What does Section 3 of lease.txt say?",
        "What does clause 7 in lease.txt refer to?",
        "What does Article 14 of charter.txt say?",
        "What does Section 14 of note.txt say?",
        "Compare Section 14 of lease.txt and note.txt",
        "What is the rent in lease.txt in 14 months?",
    ],
)
def test_what_may_be_there_is_looked_up(fill: Fill, question: str) -> None:
    answer = fill(FILES).ask(question, lambda _request: "NOT IN THE DOCUMENTS")
    assert "no_place" not in answer.details
