"""From a question to a checked answer: the whole order of work.

    plan -> find -> context -> deferred -> verdict -> generate -> check -> (once more)

``missing`` evidence ends it without asking the model, and so does an answer that is left to an article which is not
there; a verdict of no ends it before a word of an answer is shown. In a brain of two languages a question that its own
does not answer is translated, and found and answered once more in the other: asked in Korean beside Korean statutes, 19
of 20 questions found their passage of an English manual so, and none without. Every loop is bounded by one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from brain.errors import Cancelled, ModelMissing, ServiceUnavailable
from brain.language import detect_language
from brain.ports import LLM
from brain.values import CompletionRequest
from graphqa import prompts
from graphqa.answer import texts
from graphqa.answer.citations import Cited, citations
from graphqa.answer.details import of_call
from graphqa.answer.repeats import RepeatWatch, told_once
from graphqa.answer.translated import told_in
from graphqa.evidence.assess import Assessment
from graphqa.evidence.conflicts import Side
from graphqa.evidence.context import ANSWER_TOKENS, Context, Shown, build_context, number
from graphqa.evidence.deferred import deferred
from graphqa.evidence.verdict import verdict
from graphqa.finding import Found, find
from graphqa.grounding.check import Grounded, check, with_what_it_points_at
from graphqa.language.wording import with_names_whole
from graphqa.ports import Ports
from graphqa.question.absent import absent
from graphqa.question.plan import Exchange, Plan, make_plan
from graphqa.question.scope import Scope, titles_of
from graphqa.question.translated import translated
from graphqa.retrieval.ranking import Evidence
from graphqa.retrieval.search import is_said


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


@dataclass(frozen=True, slots=True)
class _Asking:
    """One question on its way, with all that stays the same in it."""

    plan: Plan
    brain_id: UUID
    ports: Ports
    scope: Scope | None
    mode: str
    history: Sequence[Exchange]
    listener: Listener
    began: float


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
        return _no_such(plan, mode, no_file=list(plan.unknown), narrowed=bool(scope and scope.as_json()))
    if places := absent(plan):
        return _no_such(plan, mode, named=list(plan.named), no_place=list(places))
    if plan.named or plan.without:
        scope = scope or Scope()
        scope = replace(scope, sources=plan.named or scope.sources, without=plan.without)
    asking = _Asking(plan, brain_id, ports, scope, mode, history, listener, began)
    found = _find(asking, plan)
    context = _to_read(asking, found)
    if context is None and not found.other_language:
        return _not_found(asking, found)
    llm = ports.llm()
    with llm.turn(asked=asked, cancelled=listener.cancelled):
        first: Found | None = None
        for look, read in _looks(asking, found, context, llm):
            first = first or look
            if said := _answered(asking, look, read, llm):
                return said
    return _not_found(asking, found, first)


def _no_such(plan: Plan, mode: str, **details: Any) -> Answer:
    told = {"language": plan.language, "mode": mode, **details}
    return Answer(status="insufficient_context", text="", standalone=plan.standalone, details=told)


def _at_hand(ports: Ports) -> LLM | None:
    """The model for rewriting a question; without it the question is completed by terms."""
    try:
        return ports.llm()
    except (ModelMissing, ServiceUnavailable):
        return None


def _find(asking: _Asking, plan: Plan) -> Found:
    found = find(plan, asking.brain_id, asking.ports, asking.scope, asking.mode)
    seconds = round(time.monotonic() - asking.began, 3)
    found.details |= {"mode": asking.mode, "seconds": {"sources": seconds}}
    return found


def _to_read(asking: _Asking, found: Found) -> Context | None:
    """What the model is to read of what was found, which the reader is shown first; None if nothing may answer."""
    if found.is_missing:
        return None
    asking.listener.sources(number(found.evidence), found.plan.standalone)
    history = asking.history if found.plan.rewritten else ()
    context = build_context(
        found.evidence, history, asking.brain_id, llm=asking.ports.llm(), beside=len(found.plan.named)
    )
    if left := deferred(found.plan, context, asking.brain_id, found.within):
        found.details["deferred"] = list(left)
        return None
    return context if context.passages else None


def _looks(asking: _Asking, own: Found, context: Context | None, llm: LLM) -> Iterator[tuple[Found, Context]]:
    """What is worth reading, the likelier first: found in the question's language, and in the other one if the first is
    not sure or did not answer."""
    if own.other_language and (context is None or not own.assessment.is_sure):
        there = _in_other_language(asking, own, llm)
        both = [(own, context), (there, _to_read(asking, there) if there else None)]
        likelier = sorted(both, key=lambda each: -each[0].assessment.confidence if each[0] else 0.0)
        yield from ((look, read) for look, read in likelier if look and read)
        return
    if context is not None:
        yield own, context
    if own.other_language and (there := _in_other_language(asking, own, llm)) and (read := _to_read(asking, there)):
        yield there, read


def _in_other_language(asking: _Asking, own: Found, llm: LLM) -> Found | None:
    plan = translated(own.plan, own.other_language, llm, cancelled=asking.listener.cancelled)
    if plan is None:
        return None
    found = _find(asking, plan)
    own.details["translated"] = found.details["translated"] = {"language": plan.language, "question": plan.standalone}
    return found


def _answered(asking: _Asking, look: Found, context: Context, llm: LLM) -> Answer | None:
    """None if the model does not find the answer in what it read."""
    listener = asking.listener
    listener.reading()
    judged = verdict(look.plan, context, llm, cancelled=listener.cancelled)
    look.details |= {"context_tokens": context.tokens, "shown": len(context.passages), "reading": judged.as_json()}
    grounded = _generate(look, context, llm, asking) if judged.answered else None
    if grounded is None:
        return None
    text = grounded.text
    if asking.plan.language not in {look.plan.language, detect_language(text)}:
        look.details["translated"]["answer"] = True
        text = _told_in_both(grounded, asking, llm)
    look.details["seconds"]["all"] = round(time.monotonic() - asking.began, 3)
    look.details["gap"] = _gap(look, asking)
    shown = number(look.evidence)
    return Answer(
        status=_status(grounded, look.assessment),
        text=text,
        standalone=asking.plan.standalone,
        citations=tuple(citations(grounded, [*shown, *context.passages], _sides(look.assessment))),
        evidence=tuple(look.evidence),
        confidence=round(judged.probability * grounded.share, 4),
        details=look.details,
    )


def _told_in_both(grounded: Grounded, asking: _Asking, llm: LLM) -> str:
    """As the documents say it, then in the language of the question."""
    parts: list[str] = []
    for sentence in told_in(asking.plan.language, grounded, llm, asking.listener.cancelled):
        parts.append(sentence)
        asking.listener.text(f" {sentence}" if len(parts) > 1 else f"\n\n{sentence}")
    return "\n\n".join(filter(None, [grounded.text, " ".join(parts)]))


def _generate(look: Found, context: Context, llm: LLM, asking: _Asking) -> Grounded | None:
    """The checked answer; None if the model says it is not there, or twice says what no passage holds."""
    calls: list[dict[str, Any]] = []
    look.details["calls"] = calls
    language = look.plan.language
    for again in (False, True):
        turns = prompts.answer(
            look.plan, context, language=language, both_sides=_both_sides(look.assessment, context), again=again
        )
        request = CompletionRequest(turns, ANSWER_TOKENS)
        # The second try is not streamed: the reader would see two answers run together.
        watch = RepeatWatch(None if again else asking.listener.text, asking.listener.cancelled)
        reply = llm.complete(request, on_text=watch.hear, cancelled=watch.stop)
        if reply.finish == "cancelled" and not watch.repeating:
            raise Cancelled
        said = with_what_it_points_at(texts.house_form(told_once(reply)), context.passages, look.plan.standalone)
        grounded = check(said, context.passages, look.plan.standalone, asking.ports.embedder, asking.ports.entailment)
        calls.append(of_call(reply, llm, grounded, repeating=watch.repeating))
        if texts.says_not_found(reply.text):
            return None
        if grounded.share > 0:
            return grounded
    look.details["withdrawn"] = True
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


def _not_found(asking: _Asking, found: Found, read: Found | None = None) -> Answer:
    """``read``: what the model was given first. What is not there is told in the words of the question."""
    details = found.details
    details["gap"] = _gap(found, asking)
    if not found.is_missing:
        details["about"] = with_names_whole(found.plan.standalone, found.assessment.about)
    confidence = found.assessment.confidence if found.is_missing else 0.0
    if read is not None:
        details = read.details | details
        confidence = details["reading"]["probability"]
        details["seconds"] |= {"all": round(time.monotonic() - asking.began, 3)}
    return Answer(
        status="insufficient_context",
        text="",
        standalone=asking.plan.standalone,
        evidence=tuple((read or found).evidence),
        confidence=round(confidence, 4),
        details=details,
    )


def _gap(found: Found, asking: _Asking) -> list[str]:
    """Words of the question that no passage holds: those that the best passages lack may be in another."""
    missing = found.assessment.missing
    unsaid = [word for word in missing if not is_said(word, asking.brain_id, found.within, asking.ports.vectors)]
    return with_names_whole(found.plan.standalone, unsaid)
