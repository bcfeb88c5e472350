"""JSON values in a text that may be cut, wrapped in prose or fenced: whole items are kept, the rest is left.

Objects become lists of (key, value) pairs, so that a key given twice is seen twice.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_BLANK = re.compile(r"\s*")
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|None|NaN")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Pairs:
    """An object."""

    items: tuple[tuple[str, Any], ...]


class _Cut(Exception):
    """The text ends or breaks inside a value. ``kept`` is what was whole, or None."""

    def __init__(self, at: int, kept: Any = None) -> None:
        self.at = at
        self.kept = kept


def values(text: str) -> list[Any]:
    """The objects and lists of a text, outermost, in order. What is inside a reasoning block is not looked at."""
    text = _THOUGHT.sub(" ", text)
    found = []
    at = 0
    while (opening := _next_opening(text, at)) is not None:
        try:
            value, at = _value(text, opening, 0)
        except _Cut as cut:
            value, at = cut.kept, max(cut.at, opening + 1)
        if value is not None and value != [] and value != Pairs(()):
            found.append(value)
        elif at <= opening:
            at = opening + 1
    return found


def has_value(text: str) -> bool:
    """Whether a text holds a JSON object or list, even an empty one."""
    text = _THOUGHT.sub(" ", text)
    return bool(values(text)) or bool(re.search(r"\{\s*\}|\[\s*\]|[\[{]\s*\"", text))


def _next_opening(text: str, at: int) -> int | None:
    places = [place for mark in "[{" if (place := text.find(mark, at)) >= 0]
    return min(places) if places else None


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    at = _skip(text, at)
    if at >= len(text) or depth > _DEPTH:
        raise _Cut(at)
    if text[at] == "{":
        return _object(text, at + 1, depth + 1)
    if text[at] == "[":
        return _list(text, at + 1, depth + 1)
    if text[at] == '"':
        return _string(text, at)
    scalar = _SCALAR.match(text, at)
    if scalar is None:
        raise _Cut(at)
    word = scalar[0]
    return ({"null": None, "None": None, "NaN": None, "true": True, "false": False}.get(word, word)), scalar.end()


def _string(text: str, at: int) -> tuple[str, int]:
    match = _STRING.match(text, at)
    if match is None:
        raise _Cut(len(text))
    try:
        return str(json.loads(match[0], strict=False)), match.end()
    except ValueError:  # an escape that JSON does not know
        return match[0][1:-1].replace("\\", ""), match.end()


def _list(text: str, at: int, depth: int) -> tuple[list[Any], int]:
    kept: list[Any] = []
    while True:
        at = _skip(text, at)
        if at < len(text) and text[at] == "]":
            return kept, at + 1
        try:
            value, at = _value(text, at, depth)
        except _Cut as cut:
            # A row of scalars that was cut is no row; a list of rows keeps the whole ones.
            if cut.kept is not None:
                kept.append(cut.kept)
            rows = [value for value in kept if isinstance(value, list | Pairs)]
            raise _Cut(cut.at, rows or None) from None
        kept.append(value)
        at = _skip(text, at)
        if at < len(text) and text[at] == ",":
            at += 1
        elif at >= len(text) or text[at] != "]":
            rows = [value for value in kept if isinstance(value, list | Pairs)]
            raise _Cut(at, rows or None)


def _object(text: str, at: int, depth: int) -> tuple[Pairs, int]:
    kept: list[tuple[str, Any]] = []
    while True:
        at = _skip(text, at)
        if at < len(text) and text[at] == "}":
            return Pairs(tuple(kept)), at + 1
        try:
            key, at = _string(text, at) if at < len(text) and text[at] == '"' else _fail(at)
            at = _skip(text, at)
            if at >= len(text) or text[at] != ":":
                raise _Cut(at)
            value, at = _value(text, at + 1, depth)
        except _Cut as cut:
            if cut.kept is not None:
                kept.append((key, cut.kept))
            raise _Cut(cut.at, _containers_only(kept)) from None
        kept.append((key, value))
        at = _skip(text, at)
        if at < len(text) and text[at] == ",":
            at += 1
        elif at >= len(text) or text[at] != "}":
            raise _Cut(at, _containers_only(kept))


def _containers_only(kept: list[tuple[str, Any]]) -> Pairs | None:
    """Of an object that was cut, the lists: a cut item itself is dropped, the lists of a cut reply are kept."""
    lists = tuple((key, value) for key, value in kept if isinstance(value, list | Pairs))
    return Pairs(lists) if lists else None


def _fail(at: int) -> tuple[str, int]:
    raise _Cut(at)
