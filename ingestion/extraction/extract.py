"""One passage through the model: ask, salvage, check; a cut or unusable reply is tried once more in two halves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _

from brain.errors import Cancelled, ServiceRejected
from brain.ports import LLM
from brain.text import is_blank
from brain.values import Completion, CompletionRequest, Priority
from ingestion.extraction import json_salvage, rows
from ingestion.extraction.checks import Facts, add, type_aliases
from ingestion.extraction.grounding import Grounds
from ingestion.extraction.looping import LoopWatch
from ingestion.extraction.prompt import PROMPT_VERSION, turns
from ingestion.extraction.schema import bounds, reply_schema
from ingestion.extraction.values import Extracted, ModelCall
from ingestion.extraction.wording import wording

NOTHING_TO_READ = _("The passage holds no words to extract from.")
CUT = _("The model's reply was cut off, also for the halves of this passage. What was whole is kept.")
UNUSABLE = _("The model gave no usable reply for this passage. It can be tried again.")
REJECTED = _("The language model refused this passage. It can be tried again after the model was changed.")

# What is left of a page's header or footer: numbers, blanks, signs, and the words for page.
_PAGE_MARK = re.compile(r"\b(?:page|pages|of|p|pp|[ivxlc]+)\b|쪽|페이지|면|제(?=\s*\d)|[\W\d_]+", re.IGNORECASE)
_PLACES_TO_SPLIT = ("\n\n", "\n", ". ", "다. ", " ")


def extract(
    passage: str,
    *,
    language: str,
    heading: tuple[str, ...],
    llm: LLM,
    entity_types: Sequence[str] = (),
    relation_names: Sequence[str] = (),
    cancelled: Callable[[], bool] | None = None,
) -> Extracted:
    """``ServiceUnavailable``, ``ModelMissing`` and ``Cancelled`` pass through; nothing else is raised."""
    if has_nothing_to_read(passage):
        return Extracted((), (), "empty", NOTHING_TO_READ, ())
    run = _Run(passage, language, heading, llm, tuple(entity_types), tuple(relation_names), cancelled)
    outcome = run.ask(passage)
    if outcome != "whole":
        again = [run.ask(half) for half in halves(passage)]
        outcome = "whole" if all(one == "whole" for one in again) else _worst(again, outcome)
    return run.result(outcome)


def has_nothing_to_read(passage: str) -> bool:
    """True for blanks and for what only numbers a page."""
    return is_blank(passage) or not _PAGE_MARK.sub("", passage).strip()


def halves(passage: str) -> tuple[str, ...]:
    """The passage in two, split near its middle at the best kind of place."""
    middle = len(passage) // 2
    for mark in _PLACES_TO_SPLIT:
        places = [match.end() for match in re.finditer(re.escape(mark), passage)]
        near = [place for place in places if abs(place - middle) <= len(passage) // 4]
        if near:
            middle = min(near, key=lambda place: abs(place - len(passage) // 2))
            break
    return tuple(part for part in (passage[:middle], passage[middle:]) if not has_nothing_to_read(part))


def _worst(again: list[str], first: str) -> str:
    for outcome in ("rejected", "unusable", "cut"):
        if outcome in again:
            return "cut" if outcome == "unusable" and "whole" in again else outcome
    return first


class _Run:
    """The calls for one passage and what they brought."""

    def __init__(
        self,
        passage: str,
        language: str,
        heading: tuple[str, ...],
        llm: LLM,
        entity_types: tuple[str, ...],
        relation_names: tuple[str, ...],
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self._grounds = Grounds(passage)
        self._language = language
        self._heading = heading
        self._llm = llm
        self._types = entity_types
        self._relation_names = relation_names
        self._cancelled = cancelled
        self._facts = Facts()
        self._calls: list[ModelCall] = []

    def ask(self, part: str) -> str:
        """``whole``, ``cut``, ``unusable`` or ``rejected``; what the reply holds is added to the facts."""
        free = not self._relation_names
        watch = LoopWatch(self._grounds, self._cancelled, free_predicates=free)
        try:
            completion = self._llm.complete(self._request(part), on_text=watch.hear, cancelled=watch.stop)
        except ServiceRejected:
            return "rejected"
        if completion.finish == "cancelled" and not watch.looped:
            raise Cancelled
        salvaged = json_salvage.salvage(completion.text)
        types = self._types or wording(self._language).entity_types
        counts = add(
            self._facts,
            rows.collect(salvaged.values),
            self._grounds,
            aliases=type_aliases(types),
            default_type=wording(self._language).entity_types[-1],
            free_predicates=free,
        )
        counts["stopped_loops"] += int(watch.looped)
        self._calls.append(self._call(completion, counts))
        if watch.looped:
            # What it says once is said; the rest would be more of the same.
            return "whole" if salvaged.usable else "unusable"
        # Some servers say "stop" for a reply that ends in the middle of a value.
        if completion.finish == "length" or salvaged.cut:
            return "cut"
        return "whole" if salvaged.usable else "unusable"

    def result(self, outcome: str) -> Extracted:
        reasons: dict[str, tuple[Any, str]] = {
            "whole": ("done", ""),
            "cut": ("truncated", CUT),
            "unusable": ("failed", UNUSABLE),
            "rejected": ("failed", REJECTED),
        }
        state, reason = reasons[outcome]
        return Extracted(self._facts.found_entities(), self._facts.found_relations(), state, reason, tuple(self._calls))

    def _request(self, part: str) -> CompletionRequest:
        limits = bounds(part)
        types = self._types or wording(self._language).entity_types
        return CompletionRequest(
            turns(
                part,
                language=self._language,
                heading=self._heading,
                entity_types=self._types,
                relation_names=self._relation_names,
            ),
            max_tokens=limits.max_tokens,
            schema=reply_schema(limits, types, self._relation_names),
            priority=Priority.INGEST,
        )

    def _call(self, completion: Completion, counts: Counter[str]) -> ModelCall:
        return ModelCall(
            self._llm.model_id,
            PROMPT_VERSION,
            completion.text,
            completion.finish,
            completion.prompt_tokens,
            completion.completion_tokens,
            completion.seconds,
            dict(sorted((+counts).items())),
        )
