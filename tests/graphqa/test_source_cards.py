"""What is shown of a passage before it is answered from: the words that it was found for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brain.models import Segment
from graphqa.answer.citations import source_items
from tests.graphqa.conftest import Library

Fill = Callable[[dict[str, str]], Library]

EN = " ".join(f"Shelf {n} of the store holds paper and twine." for n in range(9))
KO = " ".join(f"창고의 {n}번 선반에는 종이와 노끈이 있다." for n in range(12))
BATTERY = "The batteries of the lamp are changed every May."
PUMP = "예비 펌프의 점검은 매년 삼월에 한다."


def _card(library: Library, question: str) -> dict[str, object]:
    library.ask(question, ["NOT IN THE DOCUMENTS"] * 2)
    return source_items(library.shown, question)[0]


@pytest.mark.parametrize(
    ("text", "question", "said"),
    [
        (f"{EN} {BATTERY} {EN}", "When is the battery of the lamp changed?", BATTERY),
        (f"{KO} {PUMP} {KO}", "예비 펌프는 언제 점검합니까?", PUMP),
    ],
)
def test_a_card_shows_the_statement_that_has_the_questions_words(
    fill: Fill, text: str, question: str, said: str
) -> None:
    snippet = str(_card(fill({"store.txt": text}), question)["snippet"])
    assert snippet.startswith(f"… {said}")
    assert snippet.endswith("…")


def test_a_card_shows_the_beginning_where_the_statement_is_near_it(fill: Fill) -> None:
    text = f"Store of the north. {BATTERY} {EN}"
    snippet = str(_card(fill({"store.txt": text}), "When is the battery of the lamp changed?")["snippet"])
    assert snippet.startswith(f"Store of the north. {BATTERY}")


def test_a_card_names_the_page_of_its_statement(fill: Fill) -> None:
    text = f"{EN} {BATTERY} {EN}"
    library = fill({"store.txt": text})
    source = library.sources["store.txt"]
    source.segments.all().delete()
    cut = text.index(BATTERY)
    Segment.objects.create(source=source, ordinal=0, start=0, end=cut - 1, page=4)
    Segment.objects.create(source=source, ordinal=1, start=cut, end=len(text), page=5)
    assert _card(library, "When is the battery of the lamp changed?")["page"] == 5
