"""Sources that say different things of what is asked.

Two statements contradict each other if they are about the same and differ in the one thing that the question may ask
for. Where two kinds of values differ at once ("in 2023 ... 5 million", "in 2024 ... 6 million") they tell of two
things, and so they do where each has words of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from graphqa.evidence.told import Kind, Told, differing, told
from graphqa.language.sentences import statements
from graphqa.language.values import HANGUL
from graphqa.language.wording import carrying, content, told_by
from graphqa.question.plan import Plan
from graphqa.retrieval.ranking import Evidence

_ALIKE = 0.6
# Words that a statement must have, values not counted, as "Hanbit has 120 employees" and "수습 기간은 3개월이다" do.
_FEWEST = 3
_READ = 6
# Of the words of the question, and of what the statement nearest to it says of them; and how many of several.
_OF_QUESTION, _OF_NEAREST, _OF_SEVERAL = 0.5, 0.75, 2

_ENGLISH = re.compile(r"[^\W_가-힣]+(?:[-–'’][^\W_가-힣]+)*")
_SHORTENED = re.compile(r"['’](?:s|re|ll|ve|d|m)\b")
_ENGLISH_ASKING = re.compile(r"\b(who|whom|whose|where|when|how (?:many|much|long|old|far|often)|what|which|how|why)\b")
_KOREAN_ASKING = re.compile(r"누구|누가|누군|어디|언제|며칠|얼마|몇\s?")
_ANY: frozenset[Kind] = frozenset({"moments", "amounts", "names", "negation"})
_ASKED_FOR: dict[str, frozenset[Kind]] = {
    **dict.fromkeys(("who", "whom", "whose", "누구", "누가", "누군"), frozenset[Kind]({"names"})),
    **dict.fromkeys(("where", "어디"), frozenset[Kind]({"names", "amounts"})),
    **dict.fromkeys(("when", "언제", "며칠", "얼마", "몇"), frozenset[Kind]({"moments", "amounts"})),
    **dict.fromkeys(
        (f"how {word}" for word in ("many", "much", "long", "old", "far", "often")),
        frozenset[Kind]({"moments", "amounts"}),
    ),
}


@dataclass(frozen=True, slots=True)
class Side:
    """A statement of the passage ``ref`` and its place in the source's text."""

    ref: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements that differ in what is asked. ``resolved_by``: ``date``, ``authority`` or nothing; the first is
    then the one to follow."""

    first: Side
    second: Side
    resolved_by: str


@dataclass(frozen=True, slots=True)
class _Statement:
    evidence: Evidence
    side: Side
    about: frozenset[str]
    told: Told


class _Asked:
    """What a question is about, and the kinds of values it may ask for. Of Korean words, which end otherwise in every
    sentence, its nouns."""

    def __init__(self, plan: Plan) -> None:
        # Completed by the terms of the one before it, a question asks about its own words.
        own = plan.question if plan.rewritten == "terms" else plan.wanted
        self.words = _words(own) or _words(plan.wanted)
        self.folded = plan.wanted.casefold()
        asking = _ENGLISH_ASKING.search(self.folded) or _KOREAN_ASKING.search(own)
        self.kinds = _ASKED_FOR.get(asking.group().strip(), _ANY) if asking else _ANY

    def named_in(self, sentence: str) -> frozenset[str]:
        return _stems(sentence) & self.words | {word for word in self.words if HANGUL.search(word) and word in sentence}

    def is_nearly_in(self, words: frozenset[str]) -> bool:
        """Of two words both: "founded" and "company" are not asked about where a company is spoken of."""
        return len(words) >= max(min(_OF_SEVERAL, len(self.words)), _OF_QUESTION * len(self.words))


def _words(question: str) -> frozenset[str]:
    said = _stems(question) | {word for word in carrying(question) if HANGUL.search(word)}
    return said or frozenset(term.removeprefix("w:") for term in content(question))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem for word in _ENGLISH.findall(_SHORTENED.sub("", text.casefold())) if (stem := told_by(word)))


def conflicts_of(found: Sequence[Evidence], plan: Plan) -> list[Conflict]:
    """One for each pair of sources, in the order of the passages."""
    asked = _Asked(plan)
    conflicts, sources = [], set()
    for one, two in combinations(_near(found[:_READ], asked), 2):
        pair = frozenset({one.evidence.source, two.evidence.source})
        if len(pair) == 2 and pair not in sources and _contradict(one, two, asked.kinds):
            sources.add(pair)
            conflicts.append(_conflict(one, two))
    return conflicts


def _near(found: Sequence[Evidence], asked: _Asked) -> list[_Statement]:
    """Statements that say most of what is asked about, words that few of them have before those that many have."""
    spans = [(each, start, end) for each in found for start, end in statements(each.text)]
    near = [(each, start, end, asked.named_in(each.text[start:end])) for each, start, end in spans]
    often = Counter(word for *_span, about in near for word in about)
    weights = [sum(1 / often[word] for word in about) for *_span, about in near]
    nearest = max(weights, default=0.0)
    return [
        _Statement(
            each,
            Side(each.ref, each.start + start, each.start + end),
            about,
            told(each.text[start:end], asked=asked.folded),
        )
        for (each, start, end, about), weight in zip(near, weights, strict=True)
        if about and weight >= _OF_NEAREST * nearest and asked.is_nearly_in(about)
    ]


def _contradict(one: _Statement, two: _Statement, kinds: frozenset[Kind]) -> bool:
    if one.about != two.about or min(one.told.words, two.told.words) < _FEWEST:
        return False
    differ = differing(one.told, two.told)
    if len(differ) != 1 or not differ <= kinds:
        return False
    mine, others = one.told.subject, two.told.subject
    if differ == {"negation"}:
        return mine == others and one.told.amounts == two.told.amounts and one.told.moments == two.told.moments
    return (mine <= others or others <= mine) and len(mine & others) >= _ALIKE * len(mine | others)


def _conflict(one: _Statement, two: _Statement) -> Conflict:
    """Higher authority first, then the later document."""
    first, second, by = one, two, ""
    if one.evidence.authority != two.evidence.authority:
        first, second = sorted((one, two), key=lambda each: -each.evidence.authority)
        by = "authority"
    elif one.evidence.dated and two.evidence.dated and one.evidence.dated != two.evidence.dated:
        first, second = (one, two) if one.evidence.dated > two.evidence.dated else (two, one)
        by = "date"
    return Conflict(first.side, second.side, by)
