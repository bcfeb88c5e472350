"""How well passages are found: words, meaning, both, and both with the graph side by side, on the product's own path.

    python -m bench.retrieval ko_finreg
    python -m bench.retrieval multihop_en_2wiki101 [--pool 6119] [--cache DIR] [--ablation]
    python -m bench.retrieval multihop_en_2wiki101 --facts FOLDER

Documents become rows, passages, terms and links as in ingestion, and points in the configured vector store; found is
what the set names (a page, an article) in the order of the passages that an answer would be made from.
With ``--facts`` the language model reads the gold documents of a few questions first, and only those are searched.
``bench.folds`` chooses settings on one half of the questions and reports the other.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import extracted, sets
from bench.homes import start_django, temporary_home
from bench.measures import Found, summary
from bench.report import report

if TYPE_CHECKING:
    from brain.models import Brain
    from brain.ports import Reranker
    from graphqa.question.scope import Searched
    from graphqa.retrieval.tuning import Tuning

# So many passages are ranked: a long article is several of them, and ten articles are looked at.
_DEEP = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set")
    parser.add_argument("--pool", type=int)
    parser.add_argument("--cache", type=Path, help="folder of passage vectors to keep and reuse")
    parser.add_argument("--ablation", action="store_true", help="also without each part")
    parser.add_argument("--facts", type=Path, metavar="FOLDER", help="the model's replies are kept there")
    parser.add_argument("--questions", type=int, default=24, help="so many with --facts, over their gold documents")
    parser.add_argument("--seconds", type=float, default=240, help="so long of the model's time in one run")
    given = parser.parse_args()
    began = time.monotonic()
    with temporary_home() as home:
        start_django(home)
        questions = sets.load(given.set, pool=given.pool)
        loaded = Loaded(extracted.around(questions, given.questions) if given.facts else questions, given.cache)
        results = {name: loaded.measure(legs) for name, legs in systems().items()}
        results["graph_extracted"] = with_facts(loaded, given.facts, given.seconds) if given.facts else None
        if given.ablation:
            results["without"] = without(loaded)
        report(
            set=loaded.name,
            n=len(loaded.questions),
            passages=len(loaded.units),
            **results,
            model=loaded.model,
            seconds=round(time.monotonic() - began, 1),
            notes=_NOTES if given.facts else f"graph_extracted: no facts were extracted for this run. {_NOTES}",
        )


_NOTES = "p95_ms: from the question to the passages, the question embedded in each (its cosines judge the evidence)."


def with_facts(loaded: Loaded, folder: Path, seconds: float) -> dict[str, Any]:
    """The graph with the model's facts too, and by how many phrasings of each description are embedded."""
    from brain.ledger.phrasings import MOST
    from graphqa.retrieval.tuning import MODES

    extracted.add_facts(loaded.brain, folder, seconds)
    found = loaded.measure(MODES["mix"])
    found["phrasings"] = {}
    for kept in (MOST, 2, 1):
        extracted.keep_phrasings(loaded.brain, kept)
        found["phrasings"][kept] = {name: loaded.measure(MODES[name]) for name in ("local", "mix")}
    return found


class Loaded:
    """A set as a brain of its own."""

    def __init__(self, questions: sets.QuestionSet, cache: Path | None) -> None:
        from brain import bootstrap
        from brain.models import Brain
        from graphqa.question.scope import searched

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

    def measure(
        self, legs: frozenset[str], *, tuning: Tuning | None = None, reranker: Reranker | None = None
    ) -> dict[str, Any]:
        """The fields of ``measures.summary`` with these lists and steps."""
        from graphqa.retrieval import graph_cache

        graph_cache.warm(self.brain.pk)
        found = [self.find(question.text, legs, tuning, reranker) for question in self.questions]
        return summary(self.questions, found, self.units)

    def find(
        self, text: str, legs: frozenset[str], tuning: Tuning | None = None, reranker: Reranker | None = None
    ) -> Found:
        """The passages in the order in which an answer takes them."""
        from brain.ledger import indexes
        from graphqa.question.plan import make_plan
        from graphqa.retrieval.ranking import evidence
        from graphqa.retrieval.search import retrieve

        began = time.monotonic()
        plan = make_plan(text)
        vectors, embedder = indexes.active(), indexes.active_embedder()
        found = retrieve(
            plan,
            self.brain.pk,
            self.searched,
            vectors=vectors,
            embedder=embedder,
            legs=legs,
            limit=_DEEP,
            tuning=tuning,
        )
        kept = evidence(found.ranked, self.brain.pk, self.searched, question=text, reranker=reranker, limit=_DEEP)
        return Found([each.ref for each in kept], time.monotonic() - began)


def systems() -> dict[str, frozenset[str]]:
    from graphqa.retrieval.tuning import BIGRAMS, DENSE, LEXICAL, MODES

    return {
        "bm25": frozenset({LEXICAL, BIGRAMS}),
        "dense": frozenset({DENSE}),
        "fused": MODES["naive"],
        "graph": MODES["mix"],
    }


def without(loaded: Loaded) -> dict[str, Any]:
    """The graph with one part left out: a list, the walk, or the weight of a kind of edge."""
    from graphqa.retrieval.tuning import BIGRAMS, DENSE, LEXICAL, MODES, WALK, Languages
    from graphqa.retrieval.walk import Edge

    own, mix = Languages().tuning(loaded.language), MODES["mix"]
    lists = [{LEXICAL}, {BIGRAMS}, {LEXICAL, BIGRAMS}, {DENSE}, {WALK}]
    found = {" and ".join(sorted(less)): loaded.measure(mix - less) for less in lists}
    edges = {
        "weight of what a passage is about": {Edge.OWNER: 1.0, Edge.LINK: 1.0},
        "citations": {Edge.CITES: 0.0, Edge.CITED: 0.0},
        "next and section": {Edge.NEXT: 0.0, Edge.SECTION: 0.0},
    }
    for name, weights in edges.items():
        found[name] = loaded.measure(mix, tuning=replace(own, edges={**own.edges, **weights}))
    return found


def _mostly_in(unit: sets.Unit, start: int, end: int) -> bool:
    """More than half of the unit, or of the passage, lies in the other."""
    shared = min(unit.end, end) - max(unit.start, start)
    return shared > 0.5 * min(unit.end - unit.start, end - start)


if __name__ == "__main__":
    main()
