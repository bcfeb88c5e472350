"""Does a passage say together what a sentence of the answer says together?

Every word of "Alice's last name is Bob" may stand in a form that names Alice, Bob and a last name. So each value (a
name or number that the question does not hold) must stand in a statement which, with the few before it that a "she"
leans on, names the sentence's subject and holds some of its other words. Words of the question do not count: it may
be asked in other words than the passage's.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphqa.sentences import is_prose, statements
from graphqa.values import names, numbers
from graphqa.wording import content

# How many statements back a pronoun may lean, and the share of the sentence's plain words that must stand there.
_BACK = 3
_MOST = 0.4


def said_together(sentence: str, question: str, passages: Sequence[tuple[str, str]]) -> bool:
    """``passages`` are (place, text) each; the place is title and headings, which say what the text is about."""
    named = names(sentence)
    values = {*(name for name in named if name not in question.casefold()), *(numbers(sentence) - numbers(question))}
    subject = named[0] if named else ""
    plain = content(sentence) - content(" ".join([*values, *named, question]))
    read = [_Passage(place, text) for place, text in passages]
    return all(any(each.holds(value, subject, plain) for each in read) for value in values - {subject})


class _Passage:
    def __init__(self, place: str, text: str) -> None:
        self._place = place
        self._text = " ".join(text.casefold().split())
        self._statements = [" ".join(text[start:end].split()) for start, end in statements(text)]

    def holds(self, value: str, subject: str, plain: frozenset[str]) -> bool:
        needed = subject if subject in self._text and subject not in self._place.casefold() else ""
        is_number = value[:1].isdigit()
        return any(
            self._holds_at(at, needed, plain)
            for at, here in enumerate(self._statements)
            if (value in numbers(here) if is_number else value in here.casefold())
        )

    def _holds_at(self, at: int, subject: str, plain: frozenset[str]) -> bool:
        around = self._around(at)
        if subject not in around.casefold():
            return False
        return not plain or len(plain & content(f"{self._place} {around}")) >= _MOST * len(plain)

    def _around(self, at: int) -> str:
        """The statement, and the ones before it that it may lean on."""
        first = at
        while first > max(0, at - _BACK) and is_prose(self._statements[first - 1]) and is_prose(self._statements[at]):
            first -= 1
        return " ".join(self._statements[first : at + 1])
