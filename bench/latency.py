"""How long a question takes to its passages in a large brain, without the language model.

    python -m bench.latency [--entities 100000] [--chunks 20000] [--keep FOLDER]

The brain is made up: passages of invented words and names through the product's own reading and rows; entities,
mentions and relations as extraction leaves them, a few of them hubs (Zipf); four phrasings of each entity and one of
each relation in the vector store. Their vectors are not the embedder's (that would take hours) but lie about the
questions' own, as near as real ones do, so that the entity lists are full. ``--keep`` makes the brain once and uses it
again.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.crowd import PHRASINGS, Made
from bench.homes import start_django, temporary_home
from bench.measures import p95_ms
from bench.report import peak_mb, report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="make the brain there, or use the one that is")
    given = parser.parse_args()
    began = time.monotonic()
    with temporary_home() as home:
        start_django(given.keep or home)
        from brain import bootstrap

        made = Made(given.entities, given.chunks)
        try:
            measured = measure(made)
        finally:
            bootstrap.close_all()
    report(
        entities=given.entities,
        phrasings=given.entities * PHRASINGS,
        relations=given.entities,
        chunks=given.chunks,
        **measured,
        peak_mb=peak_mb(),
        seconds=round(time.monotonic() - began, 1),
        notes="p95_ms: from the question to the passages with their text, the question's embedding included",
    )


def measure(made: Made) -> dict[str, Any]:
    from brain import bootstrap
    from brain.ledger import indexes
    from graphqa.question.plan import make_plan
    from graphqa.question.scope import searched
    from graphqa.retrieval.ranking import evidence
    from graphqa.retrieval.search import ahead, graph_cache, retrieve

    brain = made.brain.pk
    vectors, embedder = indexes.active(), indexes.active_embedder()

    def ask(question: str) -> None:
        plan = make_plan(question)
        asked = ahead(plan.searched, embedder)
        within = searched(brain, None)
        found = retrieve(plan, brain, within, vectors=vectors, embedder=embedder, asked=asked)
        if not evidence(found.ranked, brain, within, question=question):
            raise SystemExit(f"nothing found for {question}")

    def around(question: str) -> None:
        keys = [made.key(name) for name in made.names_in(question)]
        bootstrap.graph_store().neighbourhood(str(brain), keys, hops=1, limit=150)

    build = _seconds(lambda: graph_cache.warm(brain))
    first = _seconds(lambda: ask(made.questions[0]))
    asked = [_seconds(ask, question) for question in made.questions]
    embedded = [_seconds(embedder.embed_query, question) for question in made.questions]
    near = [_seconds(around, question) for question in made.questions]
    return {
        "n": len(asked),
        "p50_ms": round(1000 * sorted(asked)[len(asked) // 2], 1),
        "p95_ms": p95_ms(asked),
        "embedding_p95_ms": p95_ms(embedded),
        "neighbourhood_p95_ms": p95_ms(near),
        "graph_build_seconds": round(build, 2),
        "first_question_seconds": round(first, 2),
        "model": embedder.model_id,
    }


def _seconds(work: Callable[..., Any], *given: object) -> float:
    began = time.monotonic()
    work(*given)
    return time.monotonic() - began


if __name__ == "__main__":
    main()
