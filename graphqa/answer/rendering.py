"""An answer as blocks a template can show: paragraphs, lists, emphasis and citation numbers, and nothing else.

The model's text is never HTML here. Whatever is not one of these few marks is shown as the characters it is:
no links, no images, no raw markup, so that a document cannot make an answer fetch or run anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from django.utils.translation import gettext

from brain.ledger.quotes import REMOVED
from graphqa.language.sentences import sentences

_BULLET = re.compile(r"\s*(?:[-*•·]|(\d{1,3})[.)])\s+(?=\S)")
_HEADING = re.compile(r"\s*#{1,6}\s+")
_FENCE = re.compile(r"\s*```")
_CITES = re.compile(r"\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")
_INLINE = re.compile(r"\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]|\*\*([^*\n]+)\*\*|`([^`\n]+)`")


# Private-use characters that stand around sentences which no source holds, while blocks are made.
_WEAK, _WEAK_END = "\ue000", "\ue001"


@dataclass(frozen=True, slots=True)
class Inline:
    """``number`` is set for citations only; ``weak``: part of a sentence that its sources do not clearly hold."""

    look: Literal["text", "strong", "code", "citation"]
    text: str
    number: int | None = None
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """``lines`` are the items of a list, or the one run of a paragraph or heading."""

    kind: Literal["paragraph", "heading", "bullets", "numbers", "code"]
    lines: tuple[tuple[Inline, ...], ...]


def blocks_of(answer: str, held: frozenset[int] | None = None) -> list[Block]:
    """The answer's blocks in order. With ``held``, the numbers whose passages hold what cites them, sentences that
    cite none of these are marked weak."""
    answer = answer.replace(_WEAK, "").replace(_WEAK_END, "").replace(REMOVED, gettext(REMOVED))
    if held is not None:
        answer = _with_weak_marks(answer, held)
    blocks: list[Block] = []
    for kind, lines in _grouped(answer.splitlines()):
        if kind == "code":
            blocks.append(Block("code", ((Inline("text", "\n".join(lines)),),)))
        elif kind in ("bullets", "numbers"):
            blocks.append(Block(kind, tuple(tuple(inlines(line)) for line in lines)))
        else:
            blocks.append(Block(kind, (tuple(inlines("\n".join(lines))),)))
    return blocks


_Kind = Literal["paragraph", "heading", "bullets", "numbers", "code"]


def _grouped(lines: list[str]) -> Iterator[tuple[_Kind, list[str]]]:
    kind: _Kind | None = None
    gathered: list[str] = []
    fenced = False
    for line in [*lines, ""]:
        if _FENCE.match(line):
            if gathered and kind:
                yield kind, gathered
            fenced, kind, gathered = not fenced, None if fenced else "code", []
            continue
        now = "code" if fenced else _kind_of(line)
        if gathered and kind and (now != kind or kind == "heading"):
            yield kind, gathered
            gathered = []
        kind = now
        if now:
            gathered.append(line if now == "code" else _content(line, now))
    if gathered and kind:  # a fence that was never closed; the blank line was added above
        yield kind, gathered[:-1]


def _kind_of(line: str) -> _Kind | None:
    if not line.strip():
        return None
    if _HEADING.match(line):
        return "heading"
    if found := _BULLET.match(line):
        return "numbers" if found[1] else "bullets"
    return "paragraph"


def _content(line: str, kind: _Kind) -> str:
    if kind in ("bullets", "numbers"):
        return _BULLET.sub("", line, count=1).strip()
    return _HEADING.sub("", line, count=1).strip() if kind == "heading" else line.strip()


def _with_weak_marks(answer: str, held: frozenset[int]) -> str:
    parts: list[str] = []
    place = 0
    for start, end in sentences(answer):
        said = answer[start:end]
        numbers = {int(number) for mark in _CITES.findall(said) for number in mark.split(",")}
        weak = not numbers & held and any(letter.isalpha() for letter in said) and gettext(REMOVED) not in said
        opening = _BULLET.match(said) or _HEADING.match(said)
        cut = start + (opening.end() if opening else 0)
        parts += [answer[place:cut], _WEAK, answer[cut:end], _WEAK_END] if weak else [answer[place:end]]
        place = end
    return "".join([*parts, answer[place:]])


def inlines(text: str) -> Iterator[Inline]:
    """One line's runs. ``[1, 2]`` becomes two citations."""
    weak = False
    for part in re.split(f"([{_WEAK}{_WEAK_END}])", text):
        if part in (_WEAK, _WEAK_END):
            weak = part == _WEAK
        else:
            for run in _runs(part):
                yield replace(run, weak=weak)


def _runs(text: str) -> Iterator[Inline]:
    place = 0
    for found in _INLINE.finditer(text):
        if found.start() > place:
            yield Inline("text", text[place : found.start()])
        if found[1]:
            for number in found[1].split(","):
                yield Inline("citation", number.strip(), int(number))
        elif found[2]:
            yield Inline("strong", found[2])
        else:
            yield Inline("code", found[3])
        place = found.end()
    if place < len(text):
        yield Inline("text", text[place:])
