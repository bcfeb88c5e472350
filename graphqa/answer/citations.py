"""What the reader is shown of a source: while the answer is being written, and behind each number in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphqa.evidence.context import Shown
from graphqa.grounding.check import Grounded, quote_of
from graphqa.grounding.places import Spot, places

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


def source_items(shown: Sequence[Shown]) -> list[dict[str, Any]]:
    """The ``sources`` event: everything that may be cited, before the first word of the answer."""
    return [
        {
            "number": each.number,
            "ref": each.evidence.ref,
            "source": each.evidence.source,
            "title": each.evidence.title,
            "page": each.evidence.page,
            "second": each.evidence.second,
            "snippet": _snippet(each.text),
            "reason": each.evidence.reason,
        }
        for each in shown
    ]


def citations(grounded: Grounded, shown: Sequence[Shown]) -> list[Cited]:
    """In order of number and answer. Each sentence of the answer has its own quote under its number: the sentence there
    that says most of it. A number holds if it does for one of its sentences."""
    given = {each.number: each for each in shown}
    quotes: dict[int, dict[tuple[int, int], None]] = {}
    held: dict[int, bool] = {}
    for sentence in grounded.sentences:
        for number in sentence.cites:
            quotes.setdefault(number, {})[quote_of(sentence.text, given[number])] = None
            held[number] = held.get(number, False) or sentence.supported
    found = [
        _cited(given[number], quote, held[number])
        for number in sorted(quotes)
        for quote in list(quotes[number])[:_QUOTES]
    ]
    spots = [Spot(each.source, given[each.number].evidence.start, each.start) for each in found]
    return [
        replace(each, page=place.page, second=place.second) if place else each
        for each, place in zip(found, places(spots), strict=True)
    ]


def _cited(shown: Shown, quote: tuple[int, int], supported: bool) -> Cited:
    start, end = quote[0], min(quote[1], quote[0] + _QUOTE)
    each = shown.evidence
    return Cited(
        number=shown.number,
        chunk_id=each.chunk_id,
        ref=each.ref,
        source=each.source,
        title=each.title,
        heading=each.heading,
        page=each.page,
        second=each.second,
        quote=shown.text[start:end],
        start=each.start + start,
        end=each.start + end,
        supported=supported,
    )


def _snippet(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SNIPPET else line[: _SNIPPET - 1].rstrip() + "…"
