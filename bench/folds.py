"""Retrieval settings chosen on one half of the questions and reported on the other, one configuration per language.

    python -m bench.folds en [--cache DIR] [--also multihop_en_2wiki101:6119]
    python -m bench.folds ko

A question is in the same half in every set. On each half as many settings are drawn at random as ``--draws`` says, the
same for both; of each number the value is chosen whose settings are best on average (``measures.worth``, mean over the
sets): with 30 questions to choose by, the one best setting is mostly luck, and was twelve points worse on the other
half. What is reported went the product's own way with the settings of the half that the question is not in; ``own`` is
the product's own configuration on the same questions. ``--also`` sets are only reported.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import sets
from bench.homes import start_django, temporary_home
from bench.measures import Found, summary, worth
from bench.report import report
from bench.retrieval import Loaded

if TYPE_CHECKING:
    from graphqa.question.plan import Plan
    from graphqa.retrieval.search import Lists
    from graphqa.retrieval.tuning import Tuning

SETS = {
    "en": ("multihop_en_2wiki101", "multihop_en_hotpot_synaptic"),
    "ko": ("ko_finreg",),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=sorted(SETS))
    parser.add_argument("--cache", type=Path, help="folder of passage vectors to keep and reuse")
    parser.add_argument("--draws", type=int, default=120)
    parser.add_argument("--also", action="append", default=[], metavar="SET[:POOL]")
    given = parser.parse_args()
    began = time.monotonic()
    with temporary_home() as home:
        start_django(home)
        chosen_on = [_load(name, given.cache) for name in SETS[given.language]]
        chosen = [choose(given.language, chosen_on, half, given.draws) for half in (0, 1)]
        reported = {
            loaded.name: report_on(loaded, [tuning for tuning, _told in chosen])
            for loaded in (*chosen_on, *(_load(name, given.cache) for name in given.also))
        }
        report(
            language=given.language,
            chosen=[told for _tuning, told in chosen],
            **reported,
            seconds=round(time.monotonic() - began, 1),
            notes="chosen[0] was chosen on half 0 and is reported on half 1, and the other way round",
        )


def _load(name: str, cache: Path | None) -> Loaded:
    name, _colon, pool = name.partition(":")
    return Loaded(sets.load(name, pool=int(pool) if pool else None), cache)


def half_of(question: sets.Question) -> int:
    from brain.text import digest

    return int(digest(question.text)[:8], 16) % 2


# --- choosing -------------------------------------------------------------------------------------------------


def choose(language: str, loaded: Sequence[Loaded], half: int, draws: int) -> tuple[Tuning, dict[str, Any]]:
    """The setting made of the values that are best on average, and what it is in words."""
    tried = [_Half(each, half) for each in loaded]
    drawn = random.Random(17)
    values = TRIED[language]
    seen: list[tuple[dict[str, float], float]] = []
    for number in range(draws):
        setting = {name: drawn.choice(some) for name, some in values.items()}
        tuning = tuned(language, setting)
        seen.append((setting, statistics.fmean(each.worth(tuning) for each in tried)))
        if number % 20 == 19:
            print(f"half {half}: {number + 1} of {draws} settings", file=sys.stderr, flush=True)
    best = {name: max(some, key=lambda value: _mean_with(seen, name, value)) for name, some in values.items()}
    return tuned(language, best), best


def _mean_with(seen: Sequence[tuple[dict[str, float], float]], name: str, value: float) -> float:
    return statistics.fmean(worth for setting, worth in seen if setting[name] == value)


class _Half:
    """One half of a set's questions with the lists they are answered from, which do not depend on what is chosen."""

    def __init__(self, loaded: Loaded, half: int) -> None:
        from graphqa.question.plan import make_plan
        from graphqa.retrieval import graph_cache

        self._loaded = loaded
        self._walkable = graph_cache.warm(loaded.brain.pk)
        questions = [question for question in loaded.questions if half_of(question) == half]
        self._asked = [
            (question, plan, _lists(loaded, plan)) for question in questions if (plan := make_plan(question.text))
        ]

    def worth(self, tuning: Tuning) -> float:
        found = (
            worth(question.gold, self._ranked(plan, lists, tuning), self._loaded.units)
            for question, plan, lists in self._asked
        )
        return statistics.fmean(found)

    def _ranked(self, plan: Plan, lists: Lists, tuning: Tuning) -> list[str]:
        from graphqa.retrieval.fusion import fuse
        from graphqa.retrieval.search import rank

        fused = fuse(lists.refs, tuning.legs, k=tuning.rrf_k)
        return [each.ref for each, _mass in rank(fused, plan, self._walkable, tuning, self._loaded.searched)]


def _lists(loaded: Loaded, plan: Plan) -> Lists:
    from brain.ledger import indexes
    from graphqa.retrieval.search import ahead, gather
    from graphqa.retrieval.tuning import MODES

    return gather(
        plan,
        loaded.brain.pk,
        loaded.searched,
        vectors=indexes.active(),
        asked=ahead(plan.searched, indexes.active_embedder()),
        legs=MODES["mix"],
        per_list=100,
    )


_BOTH: dict[str, tuple[float, ...]] = {
    "owner": (1.0, 5.0, 20.0),
    "link": (1.0, 5.0, 20.0),
    "cites": (5.0, 30.0, 100.0),
    "damping": (0.3, 0.5, 0.7),
    "seeds": (2, 3, 5),
    "front": (1, 2, 3),
    "terms": (0.0, 0.1, 0.3),
    "blend": (0.0, 0.1, 0.3),
}
TRIED: dict[str, dict[str, tuple[float, ...]]] = {
    "en": {**_BOTH, "words": (0.1, 0.3, 1.0)},
    "ko": {**_BOTH, "words": (0.5, 1.0, 2.0), "letters": (0.5, 1.0, 2.0), "meaning": (0.3, 0.5, 1.0)},
}


def tuned(language: str, setting: dict[str, float]) -> Tuning:
    """The language's own configuration with these numbers in their places."""
    from graphqa.retrieval.tuning import Languages
    from graphqa.retrieval.walk import Edge

    own = Languages().tuning(language)
    return replace(
        own,
        legs={leg: setting.get(leg, weight) for leg, weight in own.legs.items()},
        edges={
            **own.edges,
            Edge.OWNER: setting["owner"],
            Edge.LINK: setting["link"],
            Edge.CITES: setting["cites"],
        },
        seed_passages=int(setting["seeds"]),
        term_share=setting["terms"],
        damping=setting["damping"],
        in_front=int(setting["front"]),
        blend=setting["blend"],
    )


# --- reporting ------------------------------------------------------------------------------------------------


def report_on(loaded: Loaded, chosen: Sequence[Tuning]) -> dict[str, Any]:
    from graphqa.retrieval import graph_cache
    from graphqa.retrieval.tuning import MODES

    graph_cache.warm(loaded.brain.pk)
    sides = [half_of(question) for question in loaded.questions]
    two_fold = [
        loaded.find(question.text, MODES["mix"], chosen[1 - side])
        for question, side in zip(loaded.questions, sides, strict=True)
    ]
    own = [loaded.find(question.text, MODES["mix"]) for question in loaded.questions]
    return {
        "n": len(loaded.questions),
        "passages": len(loaded.units),
        "two_fold": summary(loaded.questions, two_fold, loaded.units),
        "own": summary(loaded.questions, own, loaded.units),
        "own_by_half": [_half(loaded, own, sides, half) for half in (0, 1)],
    }


def _half(loaded: Loaded, found: Sequence[Found], sides: Sequence[int], half: int) -> dict[str, Any]:
    chosen = [place for place, side in enumerate(sides) if side == half]
    questions, some = [loaded.questions[place] for place in chosen], [found[place] for place in chosen]
    return {"n": len(chosen), **summary(questions, some, loaded.units)}


if __name__ == "__main__":
    main()
