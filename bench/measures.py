"""How good a ranking is: shares of gold, by what the set names (a page, an article)."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.sets import Question

Units = Mapping[str, Sequence[str]]
"""Ids of what a passage holds, by ref."""

LAST = 10
_KINDS = (("multi", True), ("single", False))


@dataclass(frozen=True, slots=True)
class Found:
    """Refs best first, and the seconds from the question to them."""

    refs: Sequence[str]
    seconds: float


def places(refs: Sequence[str], units: Units) -> list[set[str]]:
    """What each further passage brings that is new; one that only repeats (a long article's next part) has no place
    of its own. A short law is one passage with all its articles."""
    found: list[set[str]] = []
    seen: set[str] = set()
    for ref in refs:
        if new := set(units[ref]) - seen:
            found.append(new)
            seen |= new
        if len(found) == LAST:
            break
    return found


def measures(gold: frozenset[str], refs: Sequence[str], units: Units) -> dict[str, float]:
    """Of one question. ``mrr`` is 1 / place of the first gold one, 0 beyond the tenth."""
    at = places(refs, units)
    first = {k: set[str]().union(*at[:k]) for k in (5, 8, LAST)}
    return {
        "recall_at_5": len(gold & first[5]) / len(gold),
        "all_at_5": float(gold <= first[5]),
        "all_at_8": float(gold <= first[8]),
        "all_at_10": float(gold <= first[LAST]),
        "mrr": next((1 / place for place, held in enumerate(at, start=1) if held & gold), 0.0),
    }


def worth(gold: frozenset[str], refs: Sequence[str], units: Units) -> float:
    """What settings are chosen by: all gold in the first k, on average over k from as many as there are to ten."""
    at = places(refs, units)
    return statistics.fmean(gold <= set[str]().union(*at[:k]) for k in range(len(gold), LAST + 1))


def summary(questions: Sequence[Question], found: Sequence[Found], units: Units) -> dict[str, float | None]:
    """Means over the questions, over those of each kind that the set marks, and the slow end of the time."""
    each = [measures(question.gold, one.refs, units) for question, one in zip(questions, found, strict=True)]
    fields: dict[str, float | None] = {name: mean([one[name] for one in each]) for name in each[0]}
    for kind, multi in _KINDS:
        some = [one for one, question in zip(each, questions, strict=True) if question.multi is multi]
        for name in ("all_at_5", "all_at_8"):
            fields[f"{kind}_{name}"] = mean([one[name] for one in some])
    return {**fields, "p95_ms": p95_ms([one.seconds for one in found])}


def mean(values: Sequence[float]) -> float | None:
    return round(statistics.fmean(values), 4) if values else None


def p95_ms(seconds: Sequence[float]) -> float:
    return round(1000 * sorted(seconds)[int(0.95 * (len(seconds) - 1))], 1)
