"""Are passages found that are in another language than the question?

    python -m bench.languages

Korean questions on the English manual and English questions on the Korean statutes, each asked of a brain that holds
both and of one that holds the documents alone: as asked, as the language model of this installation translates it, and
as a person would ask it in the documents' language. ``found``: the passage that answers is among the first eight;
``answerable``: and the question goes on to the model; ``off``: so many questions on other things go on too.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import sets
from bench.homes import start_django, temporary_home
from bench.report import report

if TYPE_CHECKING:
    from brain.models import Brain
    from brain.ports import LLM
    from graphqa.finding import Found

_QUESTIONS = Path(__file__).with_name("languages.json")
_MANUAL = sets.DATA / "pdf_ko_en_manual" / "install.en.pdf"


@dataclass(frozen=True, slots=True)
class Asked:
    """``own``: the same question in the language of the documents; ``gold``: what the passage that answers holds."""

    text: str
    own: str
    gold: re.Pattern[str]


def main() -> None:
    began = time.monotonic()
    with temporary_home() as home:
        start_django(home)
        from brain import bootstrap

        given = json.loads(_QUESTIONS.read_text(encoding="utf-8"))
        statutes = home / "statutes.txt"
        statutes.write_text(_statutes(), encoding="utf-8")
        brains = {
            "both": _brain("both", [_MANUAL, statutes]),
            "manual": _brain("manual", [_MANUAL]),
            "statutes": _brain("statutes", [statutes]),
        }
        llm = bootstrap.llm()
        korean, english = _questions(given["manual"]), _questions(given["statutes"])
        report(
            korean_beside_korean=measure(korean, given["off_ko"], brains["both"], llm, "en"),
            korean_on_english_alone=measure(korean, given["off_ko"], brains["manual"], llm, "en"),
            english_beside_english=measure(english, given["off_en"], brains["both"], llm, "ko"),
            english_on_korean_alone=measure(english, given["off_en"], brains["statutes"], llm, "ko"),
            model=llm.model_id,
            seconds=round(time.monotonic() - began, 1),
            notes="Questions by count.",
        )


def measure(asked: Sequence[Asked], off: Sequence[str], brain: Brain, llm: LLM, language: str) -> dict[str, Any]:
    from graphqa.question.plan import make_plan
    from graphqa.question.translated import translated

    def as_translated(text: str) -> Found | None:
        plan = translated(make_plan(text), language, llm)
        return _find(brain, plan) if plan else None

    def as_asked(text: str) -> Found | None:
        return _find(brain, make_plan(text))

    ways: Mapping[str, tuple[Callable[[str], Found | None], Callable[[Asked], str]]] = {
        "as_asked": (as_asked, lambda each: each.text),
        "translated": (as_translated, lambda each: each.text),
        "by_a_person": (as_asked, lambda each: each.own),
    }
    results: dict[str, Any] = {"n": len(asked), "off_n": len(off)}
    for name, (look, text) in ways.items():
        there = [seen for each in asked if _holds(each, seen := look(text(each)))]
        results[name] = {"found": len(there), "answerable": sum(map(_goes_on, there))}
        if name != "by_a_person":
            results[name]["off"] = sum(_goes_on(look(each)) for each in off)
    return results


def _holds(asked: Asked, found: Found | None) -> bool:
    return found is not None and any(asked.gold.search(" ".join(each.text.split())) for each in found.evidence[:8])


def _goes_on(found: Found | None) -> bool:
    return found is not None and not found.is_missing


def _find(brain: Brain, plan: Any) -> Found:
    from graphqa.finding import find
    from graphqa.tasks import ports

    return find(plan, brain.pk, ports(), None, "mix")


def _questions(rows: Sequence[Sequence[str]]) -> list[Asked]:
    return [Asked(text, own, re.compile(gold)) for text, own, gold in rows]


def _statutes() -> str:
    return "\n\n".join(each.document.text for each in sets.load("ko_finreg").documents)


def _brain(name: str, files: Sequence[Path]) -> Brain:
    from brain import bootstrap
    from brain.models import Brain
    from ingestion import uploads, worker
    from ingestion.pipeline import Ports

    brain = Brain.objects.create(name=name)
    for file in files:
        with file.open("rb") as stream:
            uploads.accept(brain, None, file.name, stream)
    ports = Ports(llm=bootstrap.llm)
    while worker.work(worker.READING, ports) or worker.work(worker.EMBEDDING, ports):
        pass
    return brain


if __name__ == "__main__":
    main()
