"""Does a passage say together what a sentence of the answer says together?

Every word of "Alice's last name is Bob" may stand in a form that names Alice, Bob and a last name, and every word of
"Ben studied chemistry" in a note on Ann's studies that names Ben elsewhere. So each clause is looked up by its values
(numbers, and names that the question does not hold), or by its words if it has none, in one statement of a passage:

- which holds more than half of the clause's other words that the passages have at all. Words that they don't have may
  be another way of saying it.
- which names the sentence's subject, if the passages do.

A statement that names nobody first ("She ...") may lean on the few before it. A row of a table is one statement
together with the table's first row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphqa.sentences import is_prose, is_row, statements
from graphqa.values import first_word, korean_names, names, numbers
from graphqa.wording import content

# How many statements back a pronoun may lean.
_BACK = 3
# Words before a name that a sentence begins with: "In 2015 ...", "The young ...".
_BEFORE_SUBJECT = 2
_OF = re.compile(r"\bof (?:the |an? )?$")
_BETWEEN_CLAUSES = re.compile(r"[,;]\s+|\s+(?:and|but|while|whereas)\s+|(?<=[고며])\s+")


def said_together(sentence: str, question: str, passages: Sequence[tuple[str, str]]) -> bool:
    """``passages`` are (place, text) each; the place is title and headings, which say what the text is about."""
    read = _Passages(passages)
    subject = _subject(sentence, question)
    clauses = [_clause(part, question, subject) for part in _BETWEEN_CLAUSES.split(sentence)]
    told = [clause for clause in clauses if clause.values] or [_clause(sentence, question, subject, whole=True)]
    return all(
        read.hold(value, clause.words - content(value), subject) for clause in told for value in clause.values or {""}
    )


@dataclass(frozen=True, slots=True)
class _Clause:
    values: frozenset[str]
    words: frozenset[str]


def _clause(text: str, question: str, subject: str, *, whole: bool = False) -> _Clause:
    """``whole``: a sentence without values, known by its words alone."""
    named = {*names(text), *korean_names(text)} - {subject}
    new = {name for name in named if name not in question.casefold()}
    values = frozenset() if whole else frozenset({*new, *(numbers(text) - numbers(subject))})
    return _Clause(values, content(text) - content(subject))


def _subject(sentence: str, question: str) -> str:
    """The first name that is asked about, else one that the sentence begins with, or whose something it is about."""
    folded, asked = sentence.casefold(), question.casefold()
    named = sorted([*names(sentence), *korean_names(sentence)], key=lambda name: (folded.find(name), -len(name)))
    before = {name: folded[: folded.find(name)] for name in named}
    first = [name for name in named if len(before[name].split()) <= _BEFORE_SUBJECT or _OF.search(before[name])]
    return next((name for name in named if name in asked), first[0] if first else "")


class _Passages:
    def __init__(self, passages: Sequence[tuple[str, str]]) -> None:
        self._all = [_Passage(place, text) for place, text in passages]
        self._known = frozenset[str]().union(*(each.words for each in self._all))

    def hold(self, value: str, words: frozenset[str], subject: str) -> bool:
        return any(each.holds(value, words & self._known, subject) for each in self._all)


class _Passage:
    def __init__(self, place: str, text: str) -> None:
        self._place = place
        self._text = " ".join(text.casefold().split())
        self._statements = [" ".join(text[start:end].split()) for start, end in statements(text)]
        self.words = content(f"{place} {text}")

    def holds(self, value: str, words: frozenset[str], subject: str) -> bool:
        needed = subject if subject in self._text and subject not in self._place.casefold() else ""
        is_number = value[:1].isdigit()
        return any(
            self._says(at, words, leaning=bool(value)) and self._is_about(at, needed)
            for at, here in enumerate(self._statements)
            if (value in numbers(here) if is_number else value in f"{self._first_row(at)} {here}".casefold())
        )

    def _says(self, at: int, words: frozenset[str], *, leaning: bool) -> bool:
        before = self._leant_on(at) if leaning else ""
        here = content(f"{self._place} {self._first_row(at)} {before} {self._statements[at]}")
        shared = len(words & here)
        return not words or 2 * shared > len(words) or (len(words) == 2 and shared == 1)

    def _is_about(self, at: int, subject: str) -> bool:
        return subject in f"{self._first_row(at)} {self._leant_on(at)} {self._statements[at]}".casefold()

    def _leant_on(self, at: int) -> str:
        """The statements before this one, if it names nobody first."""
        if _names_first(self._statements[at]):
            return ""
        first = at
        while first > max(0, at - _BACK) and is_prose(self._statements[first - 1]) and is_prose(self._statements[at]):
            first -= 1
        return " ".join(self._statements[first:at])

    def _first_row(self, at: int) -> str:
        """Of the table that this statement is a row of."""
        first = at
        while first > 0 and is_row(self._statements[first]) and is_row(self._statements[first - 1]):
            first -= 1
        return self._statements[first] if first < at else ""


def _names_first(statement: str) -> bool:
    """Whether it begins with a name of its own, so that no pronoun leans on what comes before."""
    folded = statement.casefold()
    latin = any(len(folded[: folded.find(name)].split()) <= _BEFORE_SUBJECT for name in names(statement))
    return latin or any(name in first_word(folded) for name in korean_names(statement))
