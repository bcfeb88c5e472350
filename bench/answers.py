"""Does it answer what the documents hold, refuse what they don't, and cite what says so?

    python -m bench.answers abstain_squad2 [--limit 60]    SQuAD 2: half of the questions have no answer in the text
    python -m bench.answers ko_finreg [--limit 60]         statutes without the second article of the two-step questions

With the language model and embedder of this installation (BRAIN_MODELS, BRAIN_LLM). Questions are taken evenly. Each
outcome is a JSON line, the summary the last one; its ``curve`` holds refusals and answers at other thresholds of the
verdict, the product's own first. With ``--keep`` the model's replies, times and vectors stay in a folder: a run that
has used up its seconds reports on what it asked and is gone on with by the next, and scoring again needs no model.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import sets
from bench.homes import start_django, temporary_home
from bench.remembered import OutOfTime, RememberingLLM, remember
from bench.report import report

if TYPE_CHECKING:
    from bench.retrieval import Loaded
    from graphqa.answering import Answer


@dataclass
class Outcome:
    """One question answered. ``first_ratio``: time to the first word by the model's own time for its prompts."""

    question: sets.Question
    answer: Answer
    sources_ms: float
    first_ratio: float | None
    resolvable: int
    right: bool

    @property
    def refused(self) -> bool:
        return self.answer.status == "insufficient_context"

    @property
    def probability(self) -> float:
        """What the verdict on the passages came to; 0 where there was nothing to read."""
        return float(self.answer.details.get("reading", {}).get("probability", 0.0))

    def as_json(self) -> dict[str, Any]:
        return {
            "question": self.question.text,
            "answerable": bool(self.question.gold),
            "status": self.answer.status,
            "probability": self.probability,
            "confidence": self.answer.confidence,
            "right": self.right,
            "answer": self.answer.text,
            "sources_ms": round(self.sources_ms, 1),
            "first_ratio": self.first_ratio,
        }


@dataclass
class Clock:
    began: float = field(default_factory=time.monotonic)
    sources: float | None = None
    first: float | None = None

    def saw_sources(self, _shown: object, _question: str) -> None:
        self.sources = time.monotonic() - self.began

    def saw_text(self, _piece: str) -> None:
        self.first = self.first or time.monotonic() - self.began


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("set")
    arguments.add_argument("--limit", type=int, default=60)
    arguments.add_argument("--pool", type=int, help="so many articles of SQuAD only")
    arguments.add_argument("--keep", type=Path)
    arguments.add_argument("--seconds", type=float, default=1e9)
    given = arguments.parse_args()
    began = time.monotonic()
    with temporary_home() as home:
        start_django(home)
        from bench.retrieval import Loaded

        keep = given.keep or home
        loaded = Loaded(sets.load_with_refusals(given.set, pool=given.pool), keep)
        llm = remember(keep, given.seconds)
        times = Times(keep / "times.jsonl")
        chosen = sets.evenly(loaded.questions, given.limit)
        # In any order, so that a part of them is as mixed as all.
        random.Random(3).shuffle(chosen)
        outcomes: list[Outcome] = []
        with contextlib.suppress(OutOfTime):
            run(loaded, chosen, llm, times, outcomes)
        report(
            set=given.set,
            **summary(outcomes),
            curve=curve(outcomes),
            model=llm.model_id,
            seconds=round(time.monotonic() - began, 1),
            notes=f"{len(outcomes)} of {len(chosen)} questions. {_NOTES}",
        )


# So much of the known answer stands in the article that is held out, and nowhere else.
_ADDED = 0.25
_NOTES = "right_answers: a gold answer stands in the answer, of the questions answered that have one."


class Times:
    """What a question took when the model was really asked: kept, since replies that are kept take no time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self._known: dict[str, list[float | None]] = dict(json.loads(line) for line in lines)

    def of(self, question: str, sources_ms: float, first_ratio: float | None, *, fresh: bool) -> list[float | None]:
        if fresh or question not in self._known:
            self._known[question] = [sources_ms, first_ratio if fresh else None]
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([question, self._known[question]], ensure_ascii=False) + "\n")
        return self._known[question]


def run(
    loaded: Loaded, questions: Sequence[sets.Question], llm: RememberingLLM, times: Times, outcomes: list[Outcome]
) -> None:
    for question in questions:
        outcomes.append(ask(loaded, question, llm, times))
        print(json.dumps(outcomes[-1].as_json(), ensure_ascii=False), flush=True)


def ask(loaded: Loaded, question: sets.Question, llm: RememberingLLM, times: Times) -> Outcome:
    from brain.models import Chunk
    from graphqa.answering import Listener, answer
    from graphqa.tasks import ports

    clock, asked_before = Clock(), llm.fresh
    listener = Listener(sources=clock.saw_sources, text=clock.saw_text)
    found = answer(question.text, loaded.brain.pk, ports=ports(), listener=listener)
    sources = clock.sources or time.monotonic() - clock.began
    prompt = found.details.get("reading", {}).get("seconds", 0.0)
    prompt += sum(call["prompt_seconds"] for call in found.details.get("calls", ())[:1])
    ratio = (clock.first - sources) / prompt if clock.first and prompt else None
    kept = times.of(question.text, 1000 * sources, ratio, fresh=llm.fresh - asked_before >= 2)
    chunks = Chunk.objects.in_bulk([cited.chunk_id for cited in found.citations])
    resolvable = sum(
        cited.chunk_id in chunks and cited.quote in chunks[cited.chunk_id].text for cited in found.citations
    )
    right = bool(question.answers) and any(_holds(found.text, gold) for gold in question.answers)
    return Outcome(question, found, kept[0] or 0.0, kept[1], resolvable, right)


def _holds(text: str, gold: str) -> bool:
    def plain(value: str) -> str:
        return " ".join("".join(c if c.isalnum() else " " for c in value.casefold()).split())

    return plain(gold) in plain(text)


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    without = [each for each in outcomes if not each.question.gold]
    sure = [each for each in without if each.question.added is None or each.question.added >= _ADDED]
    having = [each for each in outcomes if each.question.gold]
    answered = [each for each in having if not each.refused]
    cited = sum(len(each.answer.citations) for each in outcomes)
    checked = [call["supported"] for each in outcomes if not each.refused for call in each.answer.details["calls"][-1:]]
    milliseconds = sorted(each.sources_ms for each in outcomes)
    ratios = [each.first_ratio for each in outcomes if each.first_ratio]
    return {
        "n": len(outcomes),
        "right_refusals": _share(each.refused for each in without),
        "unanswerable_for_sure": len(sure),
        "right_refusals_for_sure": _share(each.refused for each in sure),
        "answered_when_answerable": _share(not each.refused for each in having),
        "right_answers": _share(each.right for each in answered if each.question.answers),
        "citations_resolvable": round(sum(each.resolvable for each in outcomes) / cited, 4) if cited else None,
        "supported_share": round(statistics.fmean(checked), 4) if checked else None,
        "sources_p95_ms": round(milliseconds[int(0.95 * (len(milliseconds) - 1))], 1),
        "first_token_ratio": round(statistics.median(ratios), 3) if ratios else None,
    }


def curve(outcomes: Sequence[Outcome]) -> list[dict[str, float | None]]:
    """What stricter readings would have given. Below the product's own threshold nothing was asked to answer."""
    points: list[dict[str, float | None]] = []
    for threshold in (0.0, *(step / 20 for step in range(1, 20))):
        pairs = [(each, each.refused or each.probability < threshold) for each in outcomes]
        point = {
            "threshold": threshold,
            "right_refusals": _share(no for each, no in pairs if not each.question.gold),
            "answered_when_answerable": _share(not no for each, no in pairs if each.question.gold),
        }
        if not points or {**point, "threshold": 0} != {**points[-1], "threshold": 0}:
            points.append(point)
    return points


def _share(values: Any) -> float | None:
    found = [float(value) for value in values]
    return round(statistics.fmean(found), 4) if found else None


if __name__ == "__main__":
    main()
