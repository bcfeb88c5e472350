"""Does it answer what the documents hold, refuse what they don't, and cite what says so?

    python -m bench.answers abstain_squad2 [--limit 60]    SQuAD 2: half of the questions have no answer in the text
    python -m bench.answers ko_finreg [--limit 60]         statutes without the second article of the two-step questions

With the language model and embedder of this installation (BRAIN_MODELS, BRAIN_LLM). Questions are taken evenly. The
last line holds the ``curve`` too: refusals and answers at other thresholds of the confidence.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import sets
from bench.homes import start_django, temporary_home
from bench.report import report

if TYPE_CHECKING:
    from bench.retrieval import Loaded
    from graphqa.answering import Answer


@dataclass
class Outcome:
    """One question answered. ``first_ratio``: time to the first word by the model's own time for its prompt."""

    question: sets.Question
    answer: Answer
    sources_ms: float
    first_ratio: float | None
    resolvable: int
    right: bool

    @property
    def refused(self) -> bool:
        return self.answer.status == "insufficient_context"


@dataclass
class Clock:
    began: float = field(default_factory=time.monotonic)
    sources: float | None = None
    first: float | None = None

    def saw_sources(self, _shown: object) -> None:
        self.sources = time.monotonic() - self.began

    def saw_text(self, _piece: str) -> None:
        self.first = self.first or time.monotonic() - self.began


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("set")
    arguments.add_argument("--limit", type=int, default=60)
    arguments.add_argument("--pool", type=int, help="so many articles of SQuAD only")
    arguments.add_argument("--cache", type=Path)
    given = arguments.parse_args()
    began = time.monotonic()
    with temporary_home() as home:
        start_django(home)
        from bench.retrieval import Loaded
        from brain import bootstrap

        loaded = Loaded(sets.load_with_refusals(given.set, pool=given.pool), given.cache)
        outcomes = []
        for number, question in enumerate(sets.evenly(loaded.questions, given.limit), start=1):
            outcomes.append(ask(loaded, question))
            print(_line(number, outcomes[-1]), file=sys.stderr, flush=True)
        report(
            set=given.set,
            **summary(outcomes),
            curve=curve(outcomes),
            model=bootstrap.llm().model_id,
            seconds=round(time.monotonic() - began, 1),
            notes="right_answers: a gold answer stands in the answer, of the questions answered that have one.",
        )


def ask(loaded: Loaded, question: sets.Question) -> Outcome:
    from brain.models import Chunk
    from graphqa.answering import Listener, answer
    from graphqa.tasks import ports

    clock = Clock()
    found = answer(question.text, loaded.brain.pk, ports=ports(), listener=Listener(clock.saw_sources, clock.saw_text))
    calls = found.details.get("calls") or [{}]
    prompt = calls[0].get("prompt_seconds")
    chunks = Chunk.objects.in_bulk([cited.chunk_id for cited in found.citations])
    resolvable = sum(
        cited.chunk_id in chunks and cited.quote in chunks[cited.chunk_id].text for cited in found.citations
    )
    return Outcome(
        question,
        found,
        1000 * (clock.sources or time.monotonic() - clock.began),
        (clock.first - (clock.sources or 0)) / prompt if clock.first and prompt else None,
        resolvable,
        bool(question.answers) and any(_holds(found.text, gold) for gold in question.answers),
    )


def _holds(text: str, gold: str) -> bool:
    def plain(value: str) -> str:
        return " ".join("".join(c if c.isalnum() else " " for c in value.casefold()).split())

    return plain(gold) in plain(text)


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    without = [each for each in outcomes if not each.question.gold]
    having = [each for each in outcomes if each.question.gold]
    answered = [each for each in having if not each.refused]
    cited = sum(len(each.answer.citations) for each in outcomes)
    checked = [call["supported"] for each in outcomes if not each.refused for call in each.answer.details["calls"][-1:]]
    milliseconds = sorted(each.sources_ms for each in outcomes)
    ratios = [each.first_ratio for each in outcomes if each.first_ratio]
    return {
        "n": len(outcomes),
        "right_refusals": _share(each.refused for each in without),
        "answered_when_answerable": _share(not each.refused for each in having),
        "right_answers": _share(each.right for each in answered if each.question.answers),
        "citations_resolvable": round(sum(each.resolvable for each in outcomes) / cited, 4) if cited else None,
        "supported_share": round(statistics.fmean(checked), 4) if checked else None,
        "sources_p95_ms": round(milliseconds[int(0.95 * (len(milliseconds) - 1))], 1),
        "first_token_ratio": round(statistics.median(ratios), 3) if ratios else None,
    }


def curve(outcomes: Sequence[Outcome]) -> list[dict[str, float | None]]:
    """What another threshold on the final confidence would have given."""
    points = []
    for threshold in (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        refused = [each.refused or each.answer.confidence < threshold for each in outcomes]
        pairs = list(zip(outcomes, refused, strict=True))
        points.append(
            {
                "threshold": threshold,
                "right_refusals": _share(no for each, no in pairs if not each.question.gold),
                "answered_when_answerable": _share(not no for each, no in pairs if each.question.gold),
            }
        )
    return points


def _share(values: Any) -> float | None:
    found = [float(value) for value in values]
    return round(statistics.fmean(found), 4) if found else None


def _line(number: int, outcome: Outcome) -> str:
    kind = "answerable" if outcome.question.gold else "unanswerable"
    return f"{number} {kind} {outcome.answer.status} {outcome.answer.confidence} right={outcome.right}"


if __name__ == "__main__":
    main()
