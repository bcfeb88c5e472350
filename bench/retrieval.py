"""How well passages are found: BM25, dense, fused, and fused + graph side by side, on the product's own path.

    python -m bench.retrieval ko_finreg
    python -m bench.retrieval multihop_en_2wiki101 [--pool 6119] [--cache DIR] [--tune]

Documents become rows, passages, terms and links as in ingestion, and points in the configured vector store; found is
what the set names (a page, an article) in the order of the passages it is found by. ``--tune`` scores each half of the
questions with the setting that was best on the other half; without it the product's own setting is used.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import sets
from bench.homes import start_django, temporary_home
from bench.report import report

if TYPE_CHECKING:
    from brain.models import Brain
    from graphqa.plan import Plan
    from graphqa.retrieval import Lists
    from graphqa.scope import Searched
    from graphqa.tuning import Tuning


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("set")
    arguments.add_argument("--pool", type=int)
    arguments.add_argument("--cache", type=Path, help="folder of passage vectors to keep and reuse")
    arguments.add_argument("--tune", action="store_true")
    given = arguments.parse_args()
    began = time.monotonic()
    with temporary_home() as home:
        start_django(home)
        loaded = Loaded(sets.load(given.set, pool=given.pool), given.cache)
        asked = [loaded.ask(question) for question in loaded.questions]
        results = {name: loaded.score([each(one) for one in asked]) for name, each in loaded.systems().items()}
        if given.tune:
            results["graph_two_fold"], chosen = loaded.two_folds(asked)
        report(
            set=loaded.name,
            n=len(asked),
            passages=len(loaded.units),
            **results,
            graph_extracted=None,
            settings_chosen=chosen if given.tune else None,
            model=loaded.model,
            seconds=round(time.monotonic() - began, 1),
            notes="graph_extracted: no facts were extracted for this run. p95_ms of bm25 and dense is that of fused: "
            "each question asks all lists at once; graph adds the walk.",
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the lists it was answered from; ``seconds`` for embedding it and asking all lists."""

    plan: Plan
    lists: Lists
    seconds: float


Ranking = tuple[list[str], float]
"""Refs best first, and seconds."""


class Loaded:
    """A set as a brain of its own."""

    def __init__(self, questions: sets.QuestionSet, cache: Path | None) -> None:
        from brain import bootstrap
        from brain.models import Brain
        from graphqa.scope import searched

        if cache:
            from bench.cache import CachedEmbedder

            bootstrap.use("BRAIN_EMBEDDER", CachedEmbedder(bootstrap.embedder(), cache))
        self.name, self.language, self.questions = questions.name, questions.language, questions.questions
        self.model = bootstrap.embedder().model_id
        self.brain: Brain = Brain.objects.create(name=questions.name)
        self.units: dict[str, list[str]] = {}
        for each in questions.documents:
            self._load(each)
        self.searched: Searched = searched(self.brain.pk, None)

    def _load(self, each: sets.SetDocument) -> None:
        from bench.rows import load

        chunks = load(self.brain, each.document)
        for chunk in chunks:
            self.units[chunk.ref] = [unit.id for unit in each.units if _mostly_in(unit, chunk.start, chunk.end)]
        if len(self.units) % 200 < len(chunks):
            print(f"{len(self.units)} passages", file=sys.stderr, flush=True)

    # --- asking ---------------------------------------------------------------------------------------------

    def ask(self, question: sets.Question) -> Asked:
        from brain.ledger import indexes
        from graphqa.plan import make_plan
        from graphqa.retrieval import gather
        from graphqa.tuning import MODES

        began = time.monotonic()
        plan = make_plan(question.text)
        lists = gather(
            plan,
            self.brain.pk,
            self.searched,
            vectors=indexes.active(),
            embedder=indexes.active_embedder(),
            legs=MODES["mix"],
            per_list=100,
        )
        return Asked(plan, lists, time.monotonic() - began)

    def systems(self) -> dict[str, Callable[[Asked], Ranking]]:
        from graphqa.tuning import BIGRAMS, DENSE, LEXICAL

        own = self._tuning()
        return {
            "bm25": lambda asked: self._fused(asked, own, {LEXICAL, BIGRAMS}),
            "dense": lambda asked: self._fused(asked, own, {DENSE}),
            "fused": lambda asked: self._fused(asked, own, {LEXICAL, BIGRAMS, DENSE}),
            "graph": lambda asked: self._walked(asked, own),
        }

    def _tuning(self) -> Tuning:
        from graphqa.tuning import Languages

        return Languages().tuning(self.language)

    def _fused(self, asked: Asked, tuning: Tuning, names: set[str]) -> Ranking:
        from graphqa.fusion import fuse

        began = time.monotonic()
        lists = {name: refs for name, refs in asked.lists.refs.items() if name in names}
        refs = [each.ref for each in fuse(lists, tuning.legs, k=tuning.rrf_k)]
        return refs, asked.seconds + time.monotonic() - began

    def _walked(self, asked: Asked, tuning: Tuning) -> Ranking:
        from graphqa.fusion import fuse
        from graphqa.retrieval import rank

        began = time.monotonic()
        fused = fuse(asked.lists.refs, tuning.legs, k=tuning.rrf_k)
        refs = [each.ref for each, _mass in rank(fused, asked.plan, self.brain.pk, tuning, self.searched)]
        return refs, asked.seconds + time.monotonic() - began

    # --- scoring --------------------------------------------------------------------------------------------

    def score(self, rankings: Sequence[Ranking]) -> dict[str, Any]:
        each = [self._measures(question, refs) for question, (refs, _s) in zip(self.questions, rankings, strict=True)]
        fields = {name: _mean([one[name] for one in each]) for name in each[0]}
        for kind, multi in (("multi", True), ("single", False)):
            some = [one for one, question in zip(each, self.questions, strict=True) if question.multi is multi]
            for name in ("all_at_5", "all_at_8"):
                fields[f"{kind}_{name}"] = _mean([one[name] for one in some]) if some else None
        seconds = sorted(s for _refs, s in rankings)
        return {**fields, "p95_ms": round(1000 * seconds[int(0.95 * (len(seconds) - 1))], 1)}

    def _measures(self, question: sets.Question, refs: Sequence[str]) -> dict[str, float]:
        gold = question.gold
        places = self._places(refs)
        first = {k: set().union(*places[:k]) if places else set() for k in (5, 8, 10)}
        return {
            "recall_at_5": len(gold & first[5]) / len(gold),
            "all_at_5": float(gold <= first[5]),
            "all_at_8": float(gold <= first[8]),
            "all_at_10": float(gold <= first[10]),
            "mrr": next((1 / place for place, units in enumerate(places, start=1) if units & gold), 0.0),
        }

    def _places(self, refs: Sequence[str]) -> list[set[str]]:
        """What each further passage brings that is new; one that only repeats (a long article's next part) has no
        place of its own. A short law is one passage with all its articles."""
        places: list[set[str]] = []
        seen: set[str] = set()
        for ref in refs:
            if new := set(self.units[ref]) - seen:
                places.append(new)
                seen |= new
            if len(places) == 10:
                break
        return places

    def two_folds(self, asked: Sequence[Asked]) -> tuple[dict[str, Any], list[str]]:
        """Halves by the question's text, so that a question is in the same half in every set."""
        from brain.text import digest

        side = [int(digest(question.text)[:8], 16) % 2 for question in self.questions]
        runs: list[tuple[str, list[Ranking], list[float]]] = []
        for name, tuning in _settings(self._tuning()):
            rankings = [self._walked(one, tuning) for one in asked]
            runs.append(
                (name, rankings, [self._worth(q, r) for q, (r, _s) in zip(self.questions, rankings, strict=True)])
            )
        chosen, mixed = [], list(runs[0][1])
        for half in (0, 1):
            other = [place for place, own in enumerate(side) if own != half]
            best = max(runs, key=lambda run: statistics.fmean(run[2][place] for place in other))
            chosen.append(best[0])
            for place, own in enumerate(side):
                if own == half:
                    mixed[place] = best[1][place]
        return self.score(mixed), chosen

    def _worth(self, question: sets.Question, refs: Sequence[str]) -> float:
        found = self._measures(question, refs)
        return statistics.fmean(found[name] for name in ("all_at_5", "all_at_8", "all_at_10", "mrr"))


def _settings(own: Tuning) -> list[tuple[str, Tuning]]:
    from graphqa.tuning import LEXICAL
    from graphqa.walk import Edge

    found = []
    for owner, link, seeds, share, damping, front, words in itertools.product(
        (2.0, 5.0, 20.0), (2.0, 5.0), (2, 3), (0.0, 0.2), (0.3, 0.5, 0.85), (1, 3), (0.1, 0.3, 1.0)
    ):
        edges = {**own.edges, Edge.OWNER: owner, Edge.LINK: link}
        legs = {**own.legs, LEXICAL: words}
        name = f"{owner=} {link=} {seeds=} {share=} {damping=} {front=} {words=}"
        tuned = replace(
            own, edges=edges, legs=legs, seed_passages=seeds, term_share=share, damping=damping, in_front=front
        )
        found.append((name, tuned))
    return found


def _mostly_in(unit: sets.Unit, start: int, end: int) -> bool:
    """More than half of the unit, or of the passage, lies in the other."""
    shared = min(unit.end, end) - max(unit.start, start)
    return shared > 0.5 * min(unit.end - unit.start, end - start)


def _mean(values: Sequence[float]) -> float:
    return round(statistics.fmean(values), 4)


if __name__ == "__main__":
    main()
