"""What the reader is shown of a source: while the answer is being written, and behind each number in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphqa.evidence.conflicts import Side
from graphqa.evidence.context import Shown
from graphqa.grounding.check import Grounded
from graphqa.grounding.places import Spot, places
from graphqa.grounding.quotes import quote_of
from graphqa.language.sentences import statements
from graphqa.language.wording import content

_SNIPPET = 240
_QUOTE = 600
_QUOTES = 3


@dataclass(frozen=True, slots=True)
class Cited:
    """``start`` and ``end`` are the quote's place in the source's text, ``page`` and ``second`` where it begins."""

    number: int
    chunk_id: int
    ref: str
    source: str
    title: str
    heading: tuple[str, ...]
    page: int | None
    second: float | None
    quote: str
    start: int
    end: int
    supported: bool


def source_items(shown: Sequence[Shown], question: str) -> list[dict[str, Any]]:
    """The ``sources`` event: everything that may be cited, before the first word of the answer, each with the statement
    that has most of the question's words."""
    nearest = nearest_statements({each.number: each.text for each in shown}, question)
    starts = {number: start for number, (start, _end) in nearest.items()}
    spots = [
        Spot(each.evidence.source, each.evidence.start, each.evidence.start + starts[each.number]) for each in shown
    ]
    return [
        {
            "number": each.number,
            "ref": each.evidence.ref,
            "source": each.evidence.source,
            "title": each.evidence.title,
            "page": place.page if place else each.evidence.page,
            "second": place.second if place else each.evidence.second,
            "snippet": _snippet(each.text, starts[each.number]),
            "reason": each.evidence.reason,
        }
        for each, place in zip(shown, places(spots), strict=True)
    ]


def citations(grounded: Grounded, shown: Sequence[Shown], sides: Sequence[Side] = ()) -> list[Cited]:
    """In order of number and answer. Each sentence of the answer has its own quote under its number: the sentence there
    that says most of it. A number holds if it does for one of its sentences. ``sides``: statements that contradict each
    other are quoted whatever the answer says of them. Of passages with one number the last is quoted."""
    given = {each.number: each for each in shown}
    quotes: dict[int, dict[tuple[int, int], None]] = {}
    held: dict[int, bool] = {}
    for sentence in grounded.sentences:
        for number in sentence.cites:
            quotes.setdefault(number, {})[quote_of(sentence.text, given[number])] = None
            held[number] = held.get(number, False) or sentence.supported
    quoted = {number: list(found)[:_QUOTES] for number, found in quotes.items()}
    for number, side in _of_sides(sides, given.values()):
        if side[0] not in [start for start, _end in quoted.setdefault(number, [])]:
            quoted[number].append(side)
    found = [
        _cited(given[number], quote, held.get(number, True)) for number in sorted(quoted) for quote in quoted[number]
    ]
    spots = [Spot(each.source, given[each.number].evidence.start, each.start) for each in found]
    return [
        replace(each, page=place.page, second=place.second) if place else each
        for each, place in zip(found, places(spots), strict=True)
    ]


def _of_sides(sides: Sequence[Side], shown: Iterable[Shown]) -> list[tuple[int, tuple[int, int]]]:
    """Their numbers, and their places in the passages."""
    by_ref = {each.evidence.ref: each for each in shown}
    found = [(by_ref[side.ref], side) for side in sides]
    return [(each.number, (s.start - each.evidence.start, s.end - each.evidence.start)) for each, s in found]


def _cited(shown: Shown, quote: tuple[int, int], supported: bool) -> Cited:
    start, end = quote[0], min(quote[1], quote[0] + _QUOTE)
    each = shown.evidence
    # Of a passage that was given in part, a side may stand in the rest.
    quoted = shown.text[start:end] if shown.text[start:end].strip() else each.text[start:end]
    return Cited(
        number=shown.number,
        chunk_id=each.chunk_id,
        ref=each.ref,
        source=each.source,
        title=each.title,
        heading=each.heading,
        page=each.page,
        second=each.second,
        quote=quoted,
        start=each.start + start,
        end=each.start + end,
        supported=supported,
    )


def nearest_statements(texts: Mapping[int, str], question: str) -> dict[int, tuple[int, int]]:
    """By number, (start, end) of the text's statement that has most of the question's words, rare ones before those
    that many have; (0, 0) if none has any. Stems are looked for as letters: reading eight Korean passages for their
    words takes 0.2 s."""
    # Snowball writes "batteri" for "battery".
    stems = {term.removeprefix("w:").removesuffix("i") for term in content(question)}
    said: dict[int, list[tuple[tuple[int, int], set[str]]]] = {}
    for number, text in texts.items():
        spans = [(span, text[slice(*span)].casefold()) for span in statements(text)]
        said[number] = [(span, {stem for stem in stems if stem in told}) for span, told in spans]
    often = Counter(stem for spans in said.values() for _span, has in spans for stem in has)
    weight: Callable[[tuple[tuple[int, int], set[str]]], float] = lambda one: sum(1 / often[stem] for stem in one[1])  # noqa: E731
    best = {number: max(spans, key=weight, default=((0, 0), set[str]())) for number, spans in said.items()}
    return {number: span if has else (0, 0) for number, (span, has) in best.items()}


def _snippet(text: str, start: int) -> str:
    """From the passage's beginning where that shows the statement at ``start`` too, else from there."""
    whole = " ".join(text.split())
    before = " ".join(text[:start].split())
    if len(whole) <= _SNIPPET or len(before) <= _SNIPPET // 2:
        start, before = 0, ""
    line = f"… {whole[len(before) :].strip()}" if before else whole
    return line if len(line) <= _SNIPPET else line[: _SNIPPET - 1].rstrip() + "…"
