"""Does a passage say together what a sentence of the answer says together?

Every word of "Alice's last name is Bob" may stand in a form that names Alice, Bob and a last name, and every word of
"Ben studied chemistry" in a note on Ann's studies that names Ben elsewhere. So each clause is looked up by its values
(numbers, and names that the question does not hold), or by its words if it has none, in one statement of a passage:

- which holds more than half of the clause's other words that the passages have at all. Words that they don't have may
  be another way of saying it.
- which names the sentence's subject, if the passages do.
- which does not give the clause's words to another value of its kind (``pairing``).

A statement that names nobody first ("She ...") may lean on the few before it. A row of a table is one statement
together with the table's first row. Ends must not be exchanged (``ends``), nor a number count something else
(``amounts``) or measure it in another unit (``units``), nor a day be of another month (``dates``), nor a clause be
negated otherwise (``negation``) or turned round (``opposites``), nor a bound go the other way (``bounds``), nor a rate
be of another time (``rates``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphqa.grounding.amounts import DATE, Amount, amounts, belongs_elsewhere
from graphqa.grounding.bounds import bounded_otherwise
from graphqa.grounding.dates import dated_otherwise, dates
from graphqa.grounding.ends import acts, exchanged
from graphqa.grounding.forms import one_form, with_dates_in_words
from graphqa.grounding.negation import negated_otherwise
from graphqa.grounding.opposites import opposed
from graphqa.grounding.pairing import paired_otherwise
from graphqa.grounding.passages import Passage, Statement
from graphqa.grounding.rates import paced_otherwise
from graphqa.grounding.references import without_references
from graphqa.grounding.units import measures, measures_otherwise
from graphqa.grounding.universals import generalised
from graphqa.language.sentences import is_row
from graphqa.language.values import named, numbers, stands_first
from graphqa.language.wording import content

_OF = re.compile(r"\bof (?:the |an? )?$")
# The number in "27 Cobbler Lane" is a part of the name.
_NUMBERED_NAME = re.compile(r"\d[\d.,]*\s+[A-Z][a-z]+")
_BETWEEN_CLAUSES = re.compile(r"[,;]\s+|\s+(?:and|but|while|whereas)\s+|(?<=[고며])\s+")


class Claim:
    """A sentence of the answer, read once. ``question`` is folded."""

    def __init__(self, text: str, question: str) -> None:
        self.text = text = with_dates_in_words(one_form(text))
        self.names = named(text)
        self.numbers = numbers(text)
        self.words = content(text)
        self.acts = acts(text)
        self.amounts = amounts(text)
        self.measures = measures(text)
        self.dates = dates(text)
        self.subject = _subject(text.casefold(), self.names, question)
        self._new = frozenset(self.names) - {self.subject} - {name for name in self.names if name in question}
        asked = [each for each in _NUMBERED_NAME.findall(text) if each.casefold() in question]
        self._of_names = numbers(self.subject).union(*map(numbers, asked))
        clauses = [self._clause(part) for part in _BETWEEN_CLAUSES.split(text)]
        self.clauses = [each for each in clauses if each.values] or [
            _Clause(frozenset(), self.words - content(self.subject), has_subject=bool(self.subject))
        ]

    def _clause(self, part: str) -> _Clause:
        folded = part.casefold()
        new = {name for name in self._new if name in folded}
        return _Clause(
            frozenset({*new, *(numbers(without_references(part)) - self._of_names)}),
            _told_by(part) - content(self.subject),
            bool(self.subject) and self.subject in folded,
        )


@dataclass(frozen=True, slots=True)
class _Clause:
    """``has_subject``: whether it names the sentence's subject."""

    values: frozenset[str]
    words: frozenset[str]
    has_subject: bool


def _told_by(part: str) -> frozenset[str]:
    """Its words but for the digits of its numbers, which are values."""
    return frozenset(word for word in content(part) if not word[2:].isdigit())


def _subject(folded: str, names: Iterable[str], question: str) -> str:
    """The first name that is asked about, else one that the sentence begins with, or whose something it is about."""
    ordered = sorted(names, key=lambda name: (folded.find(name), -len(name)))
    first = (name for name in ordered if stands_first(name, folded) or _OF.search(folded[: folded.find(name)]))
    return next((name for name in ordered if name in question), next(first, ""))


_OTHERWISE = (negated_otherwise, opposed, bounded_otherwise, paced_otherwise, generalised)


def said_together(claim: Claim, passages: Sequence[Passage]) -> bool:
    if claim.acts and exchanged(claim.acts, [act for each in passages for act in each.acts]):
        return False
    counted = _counted(passages) if claim.amounts else []
    if belongs_elsewhere(claim.amounts, [each for _statement, each in counted]):
        return False
    if measures_otherwise(claim.measures, [measure for each in passages for measure in each.measures]):
        return False
    if claim.dates and dated_otherwise(claim.dates, [date for each in passages for date in each.dates]):
        return False
    if any(otherwise(claim.text, passages) for otherwise in _OTHERWISE):
        return False
    known = frozenset[str]().union(*(each.words for each in passages))
    if any(_said_of_another(claim, clause, known, counted) for clause in claim.clauses):
        return False
    return all(
        any(_holds(each, value, clause, known, claim.subject) for each in passages)
        for clause in claim.clauses
        for value in clause.values or {""}
    )


_Counted = tuple[Statement, tuple[Amount, ...]]


def _counted(passages: Sequence[Passage]) -> list[_Counted]:
    return [pair for each in passages for pair in zip(each.statements, each.amounts, strict=True)]


def _said_of_another(claim: Claim, clause: _Clause, known: frozenset[str], told: Sequence[_Counted]) -> bool:
    """The rent is not what the deposit is: a statement that has all words of the clause, where none with its number
    has, gives what is counted there another number."""
    for said in claim.amounts:
        wanted = clause.words & known - content(" ".join(clause.values)) - {said.unit}
        if said.value not in clause.values or said.unit in {"", DATE} or not wanted:
            continue
        own = [here.words for here, counted in told if any(each.value == said.value for each in counted)]
        other = [here.words for here, counted in told if _counts_another(counted, said)]
        if own and not any(wanted <= each for each in own) and any(wanted <= each for each in other):
            return True
    return False


def _counts_another(counted: Sequence[Amount], said: Amount) -> bool:
    return any(each.unit == said.unit for each in counted) and all(each.value != said.value for each in counted)


def _holds(passage: Passage, value: str, clause: _Clause, known: frozenset[str], subject: str) -> bool:
    needed = subject if subject in passage.text and subject not in passage.place else ""
    words = known & clause.words - content(value)
    pairs = {value, needed if clause.has_subject else ""} - {""}
    return any(
        _says(each, words, leaning=bool(value))
        and _is_about(each, needed)
        and _in_one_row(each, value, clause)
        and not any(_paired_otherwise(passage, each, of, clause, subject) for of in pairs)
        for each in _with(value, passage)
    )


def _in_one_row(here: Statement, value: str, clause: _Clause) -> bool:
    """A row with one of a clause's values has another of them too: "30 | 80" and "60 | 150" do not give 80 for 60."""
    others = clause.values - {value}
    here_too = f"{here.first_row} {here.folded}"
    return not is_row(here.text) or not others or any(each in here.numbers or each in here_too for each in others)


def _paired_otherwise(passage: Passage, here: Statement, value: str, clause: _Clause, subject: str) -> bool:
    words = clause.words - content(value)
    beside = clause.values | ({subject} if clause.has_subject else frozenset())
    return paired_otherwise(value, words, passage.values(here), beside)


def _with(value: str, passage: Passage) -> Iterator[Statement]:
    if value[:1].isdigit():
        return (each for each in passage.statements if value in each.numbers)
    return (each for each in passage.statements if value in f"{each.first_row} {each.spoken_of} {each.folded}")


def _says(here: Statement, words: frozenset[str], *, leaning: bool) -> bool:
    shared = sum(here.has(word) or (leaning and word in here.words_before) for word in words)
    return not words or 2 * shared > len(words) or (len(words) == 2 and shared == 1)


def _is_about(here: Statement, subject: str) -> bool:
    return subject in f"{here.first_row} {here.before} {here.folded}"
