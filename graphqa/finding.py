"""From a planned question to the evidence for it, judged: one look, or two.

retrieve -> rank and filter -> assess -> (wider | once more in other words)
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from brain.values import Vector
from graphqa import prompts
from graphqa.answer.details import of_search
from graphqa.evidence.assess import Assessment, assess, calibration
from graphqa.ports import Ports
from graphqa.question.plan import Plan
from graphqa.question.scope import Scope, Searched, searched
from graphqa.retrieval.beside import first_of_each, one_by_one, together
from graphqa.retrieval.ranking import Evidence, evidence
from graphqa.retrieval.search import Retrieved, ahead, retrieve
from graphqa.retrieval.spread import is_spread, spread
from graphqa.retrieval.tuning import MODES

SHOWN = 8
WIDER = 12


@dataclass
class Found:
    """What was found for one question, and the details kept of it."""

    plan: Plan
    within: Searched
    evidence: list[Evidence]
    retrieved: Retrieved
    assessment: Assessment
    details: dict[str, Any]

    @property
    def is_missing(self) -> bool:
        return self.assessment.verdict == "missing"

    @property
    def other_language(self) -> str:
        """A language that some of the documents are in and the question is not; empty if there is none, if whole
        documents are asked for, or nothing."""
        others = (self.within.languages & prompts.LANGUAGES) - {self.plan.language}
        nothing = self.plan.is_of_the_whole or not (self.plan.narrow or self.plan.broad)
        return "" if nothing else min(others, default="")


def find(plan: Plan, brain_id: UUID, ports: Ports, scope: Scope | None, mode: str) -> Found:
    first = _look(plan, brain_id, ports, scope, mode, SHOWN)
    verdict = first.assessment.verdict
    if verdict == "fragmented":
        wider = _look(plan, brain_id, ports, scope, mode, WIDER)
        wider.details["attempts"] = [verdict]
        return wider
    if verdict == "weak" and (other := _other_words(plan, first)):
        again = _look(other, brain_id, ports, scope, mode, SHOWN)
        better = max(first, again, key=lambda each: each.assessment.confidence)
        better.details["attempts"] = [verdict]
        return better
    return first


def _look(plan: Plan, brain_id: UUID, ports: Ports, scope: Scope | None, mode: str, limit: int) -> Found:
    asked = ahead(plan.searched, ports.embedder)
    within = searched(brain_id, scope)
    found: list[Evidence] = []
    retrieved = Retrieved((), (), (), 0.0)
    if within.sources:
        parts = [_of(part, plan, brain_id, ports, mode, limit, asked) for part in one_by_one(plan, within)]
        retrieved = together([each for each, _passages in parts])
        found = first_of_each([passages for _each, passages in parts], limit)
    by = calibration(ports.embedder.model_id, found, plan.language, by_words=retrieved.by_words)
    assessment = assess(plan, found, retrieved.best_cosine, by)
    details = of_search(plan, retrieved, assessment) | ({"unread": within.unread} if within.unread else {})
    if scope is not None and not within.sources:
        details["outside"] = True
    return Found(plan, within, found, retrieved, assessment, details)


def _of(
    within: Searched, plan: Plan, brain_id: UUID, ports: Ports, mode: str, limit: int, asked: Future[Vector]
) -> tuple[Retrieved, list[Evidence]]:
    if is_spread(plan, within):
        found, reranker = spread(within, 2 * limit), None
    else:
        legs = MODES[mode]
        found = retrieve(plan, brain_id, within, vectors=ports.vectors, embedder=ports.embedder, asked=asked, legs=legs)
        reranker = ports.reranker
    question = plan.searched
    return found, evidence(found.ranked, brain_id, within, question=question, reranker=reranker, limit=limit)


def _other_words(plan: Plan, found: Found) -> Plan | None:
    """Pseudo-relevance feedback: the question with what its best passage is about."""
    if not found.evidence:
        return None
    best = found.evidence[0]
    place = " ".join(dict.fromkeys([best.title, *best.heading]))
    return plan.with_place(place) if place and place.casefold() not in plan.standalone.casefold() else None
