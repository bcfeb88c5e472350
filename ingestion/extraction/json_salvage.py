"""JSON values in a text that may be cut, wrapped in prose or fenced: whole items are kept, the rest is left.

Objects become lists of (key, value) pairs, so that a key given twice is seen twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_BLANK = re.compile(r"\s*")
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|None|NaN")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_WORDS: dict[str, Any] = {"null": None, "None": None, "NaN": None, "true": True, "false": False}
_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Pairs:
    """An object."""

    items: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Salvaged:
    """``values``: the outermost objects and lists, in order. ``cut``: the text ends inside one of them."""

    values: tuple[Any, ...]
    cut: bool

    @property
    def usable(self) -> bool:
        """Whether there is anything that may be an answer; a footnote like ``[1]`` is none."""
        return any(not value or isinstance(value, Pairs) or not _is_number_list(value) for value in self.values)


class _Cut(Exception):
    """The text ends or breaks at ``at``, inside a value. ``kept`` is what was whole of it, or None."""

    def __init__(self, at: int, kept: Any = None) -> None:
        self.at = at
        self.kept = kept


def salvage(text: str) -> Salvaged:
    """What is inside a reasoning block is not looked at."""
    text = _THOUGHT.sub(" ", text)
    values: list[Any] = []
    cut = False
    at = 0
    while (opening := _next_opening(text, at)) is not None:
        try:
            value, at = _value(text, opening, 0)
            values.append(value)
        except _Cut as broken:
            at = opening + 1
            if broken.kept is not None:
                values.append(broken.kept)
                cut = cut or broken.at >= len(text)
                at = max(broken.at, opening + 1)
    return Salvaged(tuple(values), cut)


def _is_number_list(value: list[Any]) -> bool:
    return all(not isinstance(item, list | Pairs) and str(item).isdigit() for item in value)


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
    return _WORDS.get(scalar[0], scalar[0]), scalar.end()


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
    while not _closes(text, at := _skip(text, at), "]"):
        try:
            value, at = _value(text, at, depth)
        except _Cut as broken:
            if broken.kept is not None:
                kept.append(broken.kept)
            raise _Cut(broken.at, _rows(kept)) from None
        kept.append(value)
        at = _after_item(text, at, "]", lambda: _rows(kept))
    return kept, at + 1


def _object(text: str, at: int, depth: int) -> tuple[Pairs, int]:
    kept: list[tuple[str, Any]] = []
    while not _closes(text, at := _skip(text, at), "}"):
        key, at = _key(text, at, kept)
        try:
            value, at = _value(text, at, depth)
        except _Cut as broken:
            if broken.kept is not None:
                kept.append((key, broken.kept))
            raise _Cut(broken.at, _lists(kept)) from None
        kept.append((key, value))
        at = _after_item(text, at, "}", lambda: _lists(kept))
    return Pairs(tuple(kept)), at + 1


def _key(text: str, at: int, kept: list[tuple[str, Any]]) -> tuple[str, int]:
    try:
        if at >= len(text) or text[at] != '"':
            raise _Cut(at)
        key, at = _string(text, at)
    except _Cut as broken:
        raise _Cut(broken.at, _lists(kept)) from None
    at = _skip(text, at)
    if not _closes(text, at, ":"):
        raise _Cut(at, _lists(kept))
    return key, at + 1


def _after_item(text: str, at: int, end: str, kept: Callable[[], Any]) -> int:
    at = _skip(text, at)
    if _closes(text, at, ","):
        return at + 1
    if not _closes(text, at, end):
        raise _Cut(at, kept())
    return at


def _closes(text: str, at: int, mark: str) -> bool:
    return at < len(text) and text[at] == mark


def _rows(kept: list[Any]) -> list[Any] | None:
    """Of a list that was cut, the rows: a list of rows keeps the whole ones, a row that was cut is no row."""
    return [value for value in kept if isinstance(value, list | Pairs)] or None


def _lists(kept: list[tuple[str, Any]]) -> Pairs | None:
    """Of an object that was cut, the lists: a cut item is dropped, the lists of a cut reply are kept."""
    lists = tuple((key, value) for key, value in kept if isinstance(value, list | Pairs))
    return Pairs(lists) if lists else None
