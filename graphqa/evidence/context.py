"""What the model is shown: numbered passages and graph sentences within a budget counted by its own tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from brain.models import RelationMention
from brain.ports import LLM
from brain.text import is_blank
from graphqa.evidence.orders import without_orders
from graphqa.language.sentences import sentences
from graphqa.question.plan import Exchange
from graphqa.retrieval.ranking import Evidence

# Three to five passages are what a small model reads well. The same text is nearly twice as many tokens in Korean.
PASSAGE_TOKENS = {"en": 1200, "ko": 2000}
# What a reader waits for the first word, rules and question apart: 100 tokens a second (1.5B on two cores) read all of
# it in that time, a slower machine fewer passages, but half of them however slow: with a single Korean passage, a
# manual was said not to hold what stood in the second. In steps, so that a question reads the same from day to day.
_READING_SECONDS = 25
_STEP_TOKENS = 200
ANSWER_TOKENS = 400
# The chat template, the question and the rules.
_RULES_TOKENS = 600
_FACT_TOKENS = 200
_HISTORY_TOKENS = 300
# A passage cut below this says too little to be cited.
_LEAST_TOKENS = 60


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage under the number it may be cited by; ``text`` is what was sent of it, from its beginning, every letter
    in its place."""

    number: int
    evidence: Evidence
    text: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence from the graph and the number of the passage that says it."""

    text: str
    number: int


@dataclass(frozen=True, slots=True)
class Context:
    passages: tuple[Shown, ...]
    facts: tuple[Fact, ...]
    history: tuple[Exchange, ...]
    tokens: int


def build_context(
    found: Sequence[Evidence], history: Sequence[Exchange], brain_id: UUID, *, llm: LLM, beside: int = 0
) -> Context:
    """Best passages first while they fit; then what the graph says in them; then the latest exchanges. The first
    ``beside`` are of as many files that are asked about together, so that none takes the room of another."""
    most = PASSAGE_TOKENS["ko" if any(each.language == "ko" for each in found) else "en"]
    room = max(200, min(max(most // 2, _readable(llm)), most, llm.context_tokens - ANSWER_TOKENS - _RULES_TOKENS))
    passages, used = _passages(found, room, beside, llm.count_tokens)
    facts = _facts(passages, brain_id, min(_FACT_TOKENS, room - used), llm.count_tokens)
    used += sum(llm.count_tokens(fact.text) for fact in facts)
    spare = llm.context_tokens - ANSWER_TOKENS - _RULES_TOKENS - used
    kept = _latest(history, min(_HISTORY_TOKENS, spare), llm.count_tokens)
    return Context(passages, facts, kept, used)


def _readable(llm: LLM) -> int:
    """Tokens that the model reads in time, by what was measured of it here."""
    if llm.prompt_tokens_per_second is None:
        return max(PASSAGE_TOKENS.values())
    return int(_READING_SECONDS * llm.prompt_tokens_per_second) // _STEP_TOKENS * _STEP_TOKENS


def number(found: Sequence[Evidence]) -> tuple[Shown, ...]:
    """All of the evidence under its numbers, whole: what the reader sees before the model has anything to say."""
    return tuple(Shown(place, each, each.text) for place, each in enumerate(found, start=1))


def _passages(
    found: Sequence[Evidence], room: int, beside: int, count: Callable[[str], int]
) -> tuple[tuple[Shown, ...], int]:
    shown: list[Shown] = []
    used = 0
    for place, each in enumerate(found, start=1):
        told = without_orders(each.text)
        if is_blank(told):
            continue
        text = _fitting(told, (room - used) // max(1, beside + 1 - place), count)
        if not text:
            break
        shown.append(Shown(place, each, text))
        used += count(text)
    return tuple(shown), used


def _fitting(text: str, room: int, count: Callable[[str], int]) -> str:
    """The text, or its first whole sentences that fit; nothing if that is too little to be of use."""
    if count(text) <= room:
        return text
    if room < _LEAST_TOKENS:
        return ""
    fitting = ""
    for _start, end in sentences(text):
        if count(text[:end]) > room:
            break
        fitting = text[:end]
    # One endless sentence: cut by characters, at three a token at most.
    return fitting or text[: max(0, room)]


def _facts(passages: Sequence[Shown], brain_id: UUID, room: int, count: Callable[[str], int]) -> tuple[Fact, ...]:
    """Extracted relations of the shown passages. Only what a shown passage says: nothing else could be cited."""
    numbers = {shown.evidence.chunk_id: shown.number for shown in passages}
    rows = (
        RelationMention.objects.filter(relation__brain=brain_id, chunk_id__in=numbers)
        .order_by("chunk_id", "id")
        .values_list("chunk_id", "relation__subject__name", "predicate", "relation__object__name")
    )
    found: list[Fact] = []
    for chunk, subject, predicate, target in sorted(rows, key=lambda row: numbers[row[0]]):
        fact = Fact(f"{subject} — {predicate.replace('_', ' ')} — {target}", numbers[chunk])
        if fact in found:
            continue
        room -= count(fact.text) + 4
        if room < 0:
            break
        found.append(fact)
    return tuple(found)


def _latest(history: Sequence[Exchange], room: int, count: Callable[[str], int]) -> tuple[Exchange, ...]:
    kept: list[Exchange] = []
    for each in reversed(history[-4:]):
        room -= count(each.question) + count(each.answer) + 8
        if room < 0:
            break
        kept.append(each)
    return tuple(reversed(kept))
