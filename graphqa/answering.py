"""From a question to a checked answer: the whole order of work.

    plan -> retrieve -> assess -> (wider | once more in other words) -> context -> deferred -> verdict -> generate
         -> check -> (once more)

``missing`` evidence ends it without asking the model, and so does an answer that is left to an article which is not
there; a verdict of no ends it before a word of an answer is shown. Every loop is bounded by one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from brain.errors import Cancelled, ModelMissing, ServiceUnavailable
from brain.ports import LLM, Embedder, Entailment, Reranker, VectorStore
from brain.values import CompletionRequest, Vector
from graphqa import prompts
from graphqa.answer import texts
from graphqa.answer.citations import Cited, citations
from graphqa.answer.details import of_call, of_search
from graphqa.answer.repeats import RepeatWatch, told_once
from graphqa.evidence.assess import Assessment, assess, calibration
from graphqa.evidence.conflicts import Side
from graphqa.evidence.context import ANSWER_TOKENS, Context, Shown, build_context, number
from graphqa.evidence.deferred import deferred
from graphqa.evidence.verdict import verdict
from graphqa.grounding.check import Grounded, check
from graphqa.language.wording import with_names_whole
from graphqa.question.plan import Exchange, Plan, make_plan
from graphqa.question.scope import Scope, Searched, searched, titles_of
from graphqa.retrieval.beside import first_of_each, one_by_one, together
from graphqa.retrieval.ranking import Evidence, evidence
from graphqa.retrieval.search import Retrieved, ahead, is_said, retrieve
from graphqa.retrieval.spread import is_spread, spread
from graphqa.retrieval.tuning import MODES

SHOWN = 8
WIDER = 12


@dataclass(frozen=True, slots=True)
class Ports:
    """``llm`` is asked for only when there is something to say: it may load for seconds, or be missing."""

    vectors: VectorStore
    embedder: Embedder
    llm: Callable[[], LLM]
    reranker: Reranker | None = None
    entailment: Entailment | None = None


@dataclass(frozen=True, slots=True)
class Listener:
    """Told as it happens: the numbered passages with the question that they were found for, that the model begins to
    read them, then pieces of text; asked whether to stop."""

    sources: Callable[[Sequence[Shown], str], None] = lambda _shown, _question: None
    reading: Callable[[], None] = lambda: None
    text: Callable[[str], None] = lambda _piece: None
    cancelled: Callable[[], bool] = lambda: False


@dataclass(frozen=True, slots=True)
class Answer:
    """``status`` as ``brain.models.MessageStatus``. ``evidence`` is all that was retrieved, used or not; ``details``
    holds every intermediate, without text of documents."""

    status: str
    text: str
    standalone: str
    citations: tuple[Cited, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    confidence: float = 0.0
    details: dict[str, Any] = field(default_factory=dict)


@dataclass
class _Work:
    """The intermediates of one question."""

    plan: Plan
    within: Searched
    found: list[Evidence]
    retrieved: Retrieved
    assessment: Assessment
    details: dict[str, Any]


def answer(
    question: str,
    brain_id: UUID,
    *,
    ports: Ports,
    history: Sequence[Exchange] = (),
    scope: Scope | None = None,
    mode: str = "mix",
    listener: Listener | None = None,
    asked: float = math.inf,
) -> Answer:
    """``question`` is normalised already (``plan.normalise``); ``asked``: when, in seconds, which is its place among
    those who wait for the model. ``ServiceUnavailable`` and ``ModelMissing`` of the model pass through after the
    sources were told; so does ``Cancelled``."""
    listener = listener or Listener()
    began = time.monotonic()
    model = _at_hand(ports) if history else None
    plan = make_plan(question, history, llm=model, titles=lambda: titles_of(brain_id, scope))
    if plan.unknown:
        return _no_such_file(plan, scope, mode)
    if plan.named or plan.without:
        scope = scope or Scope()
        scope = replace(scope, sources=plan.named or scope.sources, without=plan.without)
    work = _search(plan, brain_id, ports, scope, mode)
    work.details |= {"mode": mode, "seconds": {"sources": round(time.monotonic() - began, 3)}}
    if work.assessment.verdict == "missing":
        return _not_found(work, work.assessment.confidence, brain_id, ports)
    shown = number(work.found)
    listener.sources(shown, plan.standalone)
    llm = ports.llm()
    context = build_context(
        work.found, history if plan.rewritten else (), brain_id, llm=llm, beside=len(work.plan.named)
    )
    if not context.passages:
        return _not_found(work, 0.0, brain_id, ports)
    if left := deferred(work.plan, context, brain_id, work.within):
        work.details["deferred"] = list(left)
        return _not_found(work, 0.0, brain_id, ports)
    with llm.turn(asked=asked, cancelled=listener.cancelled):
        listener.reading()
        judged = verdict(work.plan, context, llm, cancelled=listener.cancelled)
        work.details |= {"context_tokens": context.tokens, "shown": len(context.passages), "reading": judged.as_json()}
        grounded = _generate(work, context, llm, ports, listener) if judged.answered else None
    work.details["seconds"]["all"] = round(time.monotonic() - began, 3)
    if grounded is None:
        return _not_found(work, judged.probability, brain_id, ports)
    work.details["gap"] = _gap(work, brain_id, ports)
    return Answer(
        status=_status(grounded, work.assessment),
        text=grounded.text,
        standalone=work.plan.standalone,
        citations=tuple(citations(grounded, [*shown, *context.passages], _sides(work.assessment))),
        evidence=tuple(work.found),
        confidence=round(judged.probability * grounded.share, 4),
        details=work.details,
    )


def _no_such_file(plan: Plan, scope: Scope | None, mode: str) -> Answer:
    narrowed = bool(scope and scope.as_json())
    details = {"language": plan.language, "mode": mode, "no_file": list(plan.unknown), "narrowed": narrowed}
    return Answer(status="insufficient_context", text="", standalone=plan.standalone, details=details)


def _at_hand(ports: Ports) -> LLM | None:
    """The model for rewriting a question; without it the question is completed by terms."""
    try:
        return ports.llm()
    except (ModelMissing, ServiceUnavailable):
        return None


def _search(plan: Plan, brain_id: UUID, ports: Ports, scope: Scope | None, mode: str) -> _Work:
    work = _look(plan, brain_id, ports, scope, mode, SHOWN)
    verdict = work.assessment.verdict
    if verdict == "fragmented":
        wider = _look(plan, brain_id, ports, scope, mode, WIDER)
        wider.details["attempts"] = [verdict]
        return wider
    if verdict == "weak" and (other := _other_words(plan, work)):
        again = _look(other, brain_id, ports, scope, mode, SHOWN)
        better = max(work, again, key=lambda each: each.assessment.confidence)
        better.details["attempts"] = [verdict]
        return better
    return work


def _look(plan: Plan, brain_id: UUID, ports: Ports, scope: Scope | None, mode: str, limit: int) -> _Work:
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
    return _Work(plan, within, found, retrieved, assessment, details)


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


def _other_words(plan: Plan, work: _Work) -> Plan | None:
    """Pseudo-relevance feedback: the question with what its best passage is about."""
    if not work.found:
        return None
    best = work.found[0]
    place = " ".join(dict.fromkeys([best.title, *best.heading]))
    return plan.with_place(place) if place and place.casefold() not in plan.standalone.casefold() else None


def _generate(work: _Work, context: Context, llm: LLM, ports: Ports, listener: Listener) -> Grounded | None:
    """The checked answer; None if the model says it is not there, or twice says what no passage holds."""
    calls: list[dict[str, Any]] = []
    work.details["calls"] = calls
    language = work.plan.language
    for again in (False, True):
        turns = prompts.answer(
            work.plan, context, language=language, both_sides=_both_sides(work.assessment, context), again=again
        )
        request = CompletionRequest(turns, ANSWER_TOKENS)
        # The second try is not streamed: the reader would see two answers run together.
        watch = RepeatWatch(None if again else listener.text, listener.cancelled)
        reply = llm.complete(request, on_text=watch.hear, cancelled=watch.stop)
        if reply.finish == "cancelled" and not watch.repeating:
            raise Cancelled
        said = texts.house_form(told_once(reply))
        grounded = check(said, context.passages, work.plan.standalone, ports.embedder, ports.entailment)
        calls.append(of_call(reply, llm, grounded, repeating=watch.repeating))
        if texts.says_not_found(reply.text):
            return None
        if grounded.share > 0:
            return grounded
    return None


def _both_sides(assessment: Assessment, context: Context) -> tuple[int, ...]:
    """The numbers of the passages that disagree, of which the model was given two at least."""
    given = {shown.evidence.ref: shown.number for shown in context.passages}
    numbers = dict.fromkeys(given[side.ref] for side in _sides(assessment) if side.ref in given)
    return tuple(numbers) if len(numbers) > 1 else ()


def _sides(assessment: Assessment) -> list[Side]:
    """Every statement that another contradicts, those to follow first."""
    return list(dict.fromkeys(side for each in assessment.conflicts for side in (each.first, each.second)))


def _status(grounded: Grounded, assessment: Assessment) -> str:
    # Also where little of the question is covered, as of a short one that follows another.
    if assessment.conflicts:
        return "contradictory"
    return "answered" if grounded.share == 1.0 else "partially_supported"


def _not_found(work: _Work, confidence: float, brain_id: UUID, ports: Ports) -> Answer:
    work.details["gap"] = _gap(work, brain_id, ports)
    if work.assessment.verdict != "missing":
        work.details["about"] = with_names_whole(work.plan.standalone, work.assessment.about)
    return Answer(
        status="insufficient_context",
        text="",
        standalone=work.plan.standalone,
        evidence=tuple(work.found),
        confidence=round(confidence, 4),
        details=work.details,
    )


def _gap(work: _Work, brain_id: UUID, ports: Ports) -> list[str]:
    """Words of the question that no passage holds: those that the best passages lack may be in another."""
    missing = work.assessment.missing
    unsaid = [word for word in missing if not is_said(word, brain_id, work.within, ports.vectors)]
    return with_names_whole(work.plan.standalone, unsaid)
