"""What a cited passage says, read once for all sentences of an answer that are held against it.

Reading a page's Korean morphemes takes as long as the rest of a check; an answer of four sentences over eight passages
had each of them read up to thirty times.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from graphqa.grounding.amounts import Amount, amounts
from graphqa.grounding.clauses import Clause, clauses
from graphqa.grounding.counting import in_numbers
from graphqa.grounding.dates import Date, dates
from graphqa.grounding.ends import Act, acts
from graphqa.grounding.forms import one_form, with_english_dates
from graphqa.grounding.pairing import Value, values
from graphqa.grounding.parties import with_parties_named
from graphqa.grounding.units import Measure, measures, written_out
from graphqa.language.sentences import is_prose, is_row, statements
from graphqa.language.values import HANGUL, begins_with_name, named, numbers
from graphqa.language.wording import content

# "w:" and a syllable.
_SHORTEST = 3
_PRONOUN = re.compile(r"\b(?:him|her|his|hers|its|them|their|theirs)\b")
# How many statements back a pronoun may lean.
_BACK = 3


@dataclass(frozen=True, slots=True)
class Statement:
    """One of a passage, on one line. ``first_row``: of its table; ``before``: what it leans on if it names nobody
    first; ``spoken_of``: where somebody is named of whom it says "her"."""

    text: str
    folded: str
    words: frozenset[str]
    names: tuple[str, ...]
    numbers: frozenset[str]
    first_row: str
    before: str
    spoken_of: str
    words_before: frozenset[str]

    def has(self, word: str) -> bool:
        """Whether it has a term: a Korean one also inside of a compound, "치료" in "도수치료"."""
        return word in self.words or (len(word) > _SHORTEST and bool(HANGUL.search(word)) and word[2:] in self.folded)

    def has_most_of(self, words: frozenset[str]) -> bool:
        return 2 * len(words & self.words) > len(words)


class Passage:
    """``place``: title and headings, which say what the text is about; ``called``: the parties of its document."""

    def __init__(self, place: str, text: str, called: Mapping[str, str]) -> None:
        text = in_numbers(with_english_dates(one_form(with_parties_named(text, called))))
        told = [" ".join(text[start:end].split()) for start, end in statements(text)]
        words = [content(each) for each in told]
        names = [named(each) for each in told]
        about = content(place)
        self.place = place.casefold()
        self.statements = tuple(_statement(at, told, words, names, about) for at in range(len(told)))
        self.words = about.union(*words)
        self.numbers = numbers(place).union(*(each.numbers for each in self.statements))
        self.text = " ".join(each.folded for each in self.statements)
        self._clauses: dict[str, tuple[Clause, ...]] = {}
        self._values: dict[str, tuple[Value, ...]] = {}
        self._closed = "".join(f"{self.place} {self.text}".split())

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """Asked for by the few sentences that tell who did what to whom."""
        return tuple(act for each in self.statements for act in acts(each.text))

    @cached_property
    def amounts(self) -> tuple[tuple[Amount, ...], ...]:
        return tuple(amounts(each.text) for each in self.statements)

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        return tuple(measure for each in self.statements for measure in measures(each.text))

    @cached_property
    def dates(self) -> tuple[Date, ...]:
        return tuple(date for each in self.statements for date in dates(each.text))

    def clauses(self, statement: Statement) -> tuple[Clause, ...]:
        """Of one of its statements: asked for by the few sentences that may be negated otherwise."""
        if statement.text not in self._clauses:
            self._clauses[statement.text] = clauses(statement.text)
        return self._clauses[statement.text]

    def values(self, statement: Statement) -> tuple[Value, ...]:
        """Of one of its statements, with the words on either side of each."""
        if statement.text not in self._values:
            self._values[statement.text] = values(statement.text, statement.names)
        return self._values[statement.text]

    def names(self, name: str) -> bool:
        """Whether ``name`` stands in it or in its place, however it is spaced."""
        return "".join(name.split()) in self._closed


def _statement(
    at: int,
    told: Sequence[str],
    words: Sequence[frozenset[str]],
    names: Sequence[tuple[str, ...]],
    about: frozenset[str],
) -> Statement:
    row, before = _first_row(at, told), _before(at, told)
    back = range(at, at) if begins_with_name(told[at], names[at]) else before
    return Statement(
        told[at],
        told[at].casefold(),
        about.union(words[at], *(words[each] for each in row)),
        names[at],
        numbers(told[at]) | written_out(told[at]),
        " ".join(told[each] for each in row).casefold(),
        " ".join(told[each] for each in back).casefold(),
        " ".join(told[each] for each in before).casefold() if _PRONOUN.search(told[at]) else "",
        frozenset[str]().union(*(words[each] for each in back)),
    )


def _before(at: int, told: Sequence[str]) -> range:
    """The statements that a pronoun of this one may lean on."""
    first = at
    while first > max(0, at - _BACK) and is_prose(told[first - 1]) and is_prose(told[at]):
        first -= 1
    return range(first, at)


def _first_row(at: int, told: Sequence[str]) -> range:
    """Of the table that this statement is a row of; empty for itself."""
    first = at
    while first > 0 and is_row(told[first]) and is_row(told[first - 1]):
        first -= 1
    return range(first, min(first + 1, at))
