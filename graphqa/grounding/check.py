"""Does the answer say what the passages say? Checked sentence by sentence, without asking the model again.

A sentence holds if its numbers and dates, and its names, stand in the passages it cites (names may stand in the
question: a passage may say "she"), together where it says them together (``relations``), and if it means what is said
there (``meaning``). Numbers of passages that were not given are removed. A sentence without a number gets the number of
a passage in which all of it holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from brain.ports import Embedder, Entailment
from graphqa.evidence.context import Shown
from graphqa.grounding.counting import in_numbers
from graphqa.grounding.forms import without_list_mark
from graphqa.grounding.meaning import Meaning
from graphqa.grounding.miscounts import is_told, miscounted
from graphqa.grounding.negation import negated_otherwise
from graphqa.grounding.parties import parties
from graphqa.grounding.passages import Passage
from graphqa.grounding.quotes import quote_of
from graphqa.grounding.references import refers_elsewhere
from graphqa.grounding.relations import Claim, said_together
from graphqa.grounding.units import in_units_of
from graphqa.language.sentences import sentences
from graphqa.language.values import in_other_script
from graphqa.language.wording import content

_MARK = re.compile(r"\s*\[\s*(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\s*\]")
_BETWEEN_MARKS = re.compile(r"\]\s*(?:[,;]|and|및|와)\s*(?=\[\d)")
_SPOKEN = re.compile(r"\w")
# What an answer begins with, and what it says is not so: neither is a claim.
_YES_OR_NO = re.compile(r"^(?:yes|no|네|예|아니요|아니오|아닙니다)\b[,.!]?\s+", re.IGNORECASE)
_NOT_SO = re.compile(
    r",?\s*\bnot\s+(?:in|on|at|by|from|for)\b[^,.;]*|\S+(?:이|가)\s*아니라(?=[\s,])[\s,]*", re.IGNORECASE
)
_EMPHASIS = re.compile(r"\*{1,3}|`+|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)")
# With a question mark or in a Korean form that only asks: a question says nothing that could hold or not.
_ASKS = re.compile(r"\?$|(?:[습입합됩]니까|[인은는던]가요|(?<!니)까요)\.?$")
# Passages that are quoted for a reply that only names them.
_POINTED = 2
# Share of a sentence's words that a passage must have for the sentence's mark to be moved there.
_SHARED = 0.45


@dataclass(frozen=True, slots=True)
class Checked:
    """One sentence of the answer. ``cites`` are the numbers it may carry; ``reason`` says why it does not hold:
    ``""``, ``uncited``, ``number``, ``name``, ``script``, ``apart`` or ``meaning``."""

    text: str
    cites: tuple[int, ...]
    supported: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Grounded:
    """``text`` is the answer as shown, its marks only of given numbers; ``removed`` counts marks of others."""

    text: str
    sentences: tuple[Checked, ...]
    removed: int

    @property
    def share(self) -> float:
        """The share of sentences that hold."""
        return sum(each.supported for each in self.sentences) / len(self.sentences) if self.sentences else 0.0


def check(
    answer: str, shown: Sequence[Shown], question: str, embedder: Embedder, entailment: Entailment | None = None
) -> Grounded:
    answer = _BETWEEN_MARKS.sub("]", answer)
    given = {each.number: each for each in shown}
    checker = _Checker(given, question, embedder, entailment)
    parts: list[str] = []
    found: list[Checked] = []
    removed = 0
    place = 0
    for start, end in sentences(answer):
        raw = answer[start:end]
        named = _cited(raw)
        known = tuple(dict.fromkeys(number for number in named if number in given))
        removed += len(named) - sum(number in given for number in named)
        text = _MARK.sub("", raw).strip()
        if not _SPOKEN.search(text):
            continue  # marks and nothing else
        told = content(text) and not _ASKS.search(text)
        checked = checker.check(text, known) if told else Checked(text, () if content(text) else known, True, "")
        parts += [answer[place:start], marked(checked.text, checked.cites)]
        place = end
        if told:
            found.append(checked)
    return Grounded("".join(parts).strip(), tuple(found), removed)


def _cited(text: str) -> list[int]:
    return [int(number) for mark in _MARK.findall(text) for number in re.split(r"\s*[,;]\s*", mark)]


def with_what_it_points_at(reply: str, shown: Sequence[Shown], question: str) -> str:
    """Of a reply that says nothing but where to read ("[7]", "Yes [2]."), the statements nearest to the question there,
    each with its number; any other reply as it is."""
    if content(_YES_OR_NO.sub("", f"{_MARK.sub('', reply).strip()} ")):
        return reply
    given = {each.number: each for each in shown}
    pointed = [given[number] for number in dict.fromkeys(_cited(reply)) if number in given][:_POINTED]
    quotes = [(each.number, each.text[slice(*quote_of(question, each))]) for each in pointed]
    near = [(number, quote) for number, quote in quotes if content(quote) & content(question)]
    return " ".join(marked(" ".join(quote.split()), (number,)) for number, quote in near)


def marked(text: str, cites: Sequence[int]) -> str:
    """A sentence with the marks of the passages it cites, before its end."""
    marks = "".join(f"[{number}]" for number in cites)
    if not marks:
        return text
    body, end = (text[:-1], text[-1]) if text[-1:] in ".!?。" else (text, "")
    return f"{body} {marks}{end}"


class _Checker:
    def __init__(
        self, given: dict[int, Shown], question: str, embedder: Embedder, entailment: Entailment | None
    ) -> None:
        self._given = given
        self._question = question.casefold()
        self._meaning = Meaning({number: each.text for number, each in given.items()}, embedder, entailment)
        self._read: dict[int, Passage] = {}
        self._parties: dict[str, dict[str, str]] = {}

    def check(self, text: str, cites: tuple[int, ...]) -> Checked:
        said = _NOT_SO.sub("", _YES_OR_NO.sub("", without_list_mark(text)))
        claim = Claim(said if content(said) else text, self._question)
        reason = self._fault(claim, cites) if cites else "uncited"
        if not reason:
            return Checked(text, self._holding(claim, cites), True, "")
        if negated_otherwise(claim.text, [self._passage(number) for number in cites]):
            return Checked(text, cites, False, reason)
        # Cited no passage or the wrong one, said the right thing: the mark is put right.
        others = (number for number in self._given if self._shares(claim, number))
        holding = next((number for number in others if not self._fault(claim, (number,))), None)
        return Checked(text, (holding,), True, "") if holding else Checked(text, cites, False, reason)

    def _shares(self, claim: Claim, number: int) -> bool:
        """Whether a passage has so much of a sentence that does not cite it that it may be meant. Likeness is not
        enough: filler is like anything."""
        shared = len(claim.words & self._passage(number).words) / len(claim.words)
        if claim.numbers or any(name not in self._question for name in claim.names):
            return shared > 0 or self._meaning.translates(claim.text, number)
        return shared >= _SHARED

    def _holding(self, claim: Claim, cites: tuple[int, ...]) -> tuple[int, ...]:
        """Of several marks those that add something: each alone holds the sentence or some of its words."""
        return tuple(n for n in cites if len(cites) == 1 or claim.words & self._passage(n).words) or cites[:1]

    def _fault(self, claim: Claim, cites: Sequence[int]) -> str:
        passages = [self._passage(number) for number in cites]
        known = frozenset[str]().union(*(each.numbers for each in passages))
        told = [f"{each.place} {each.text}" for each in passages]
        foreign = in_other_script(claim.text)
        claim = self._as_told(claim, passages)
        if not claim.numbers <= known or miscounted(claim.text, passages):
            return "number"
        # A small model that is short of a Korean word goes on in Chinese or Russian.
        if any(word not in self._question and not any(word in each for each in told) for word in foreign):
            return "script"
        if refers_elsewhere(claim.text, passages, self._question):
            return "apart"
        if not all(name in self._question or any(each.names(name) for each in passages) for name in claim.names):
            return "name"
        if not said_together(claim, passages):
            return "apart"
        share = len(claim.words & frozenset[str]().union(*(each.words for each in passages))) / len(claim.words)
        return "" if self._meaning.holds(claim.text, cites, share) else "meaning"

    def _as_told(self, claim: Claim, passages: Sequence[Passage]) -> Claim:
        """With its quantities as the passages write them, and words for numbers that they have."""
        told = [measure for each in passages for measure in each.measures]
        written = in_units_of(told, in_numbers(claim.text, lambda said: is_told(said, passages)))
        return claim if written == claim.text else Claim(written, self._question)

    def _passage(self, number: int) -> Passage:
        if number not in self._read:
            each = self._given[number]
            place = f"{each.evidence.title} {' '.join(each.evidence.heading)}"
            self._read[number] = Passage(place, _EMPHASIS.sub("", each.text), self._called(each.evidence.source))
        return self._read[number]

    def _called(self, source: str) -> dict[str, str]:
        if source not in self._parties:
            self._parties[source] = parties(
                each.text for each in self._given.values() if each.evidence.source == source
            )
        return self._parties[source]
