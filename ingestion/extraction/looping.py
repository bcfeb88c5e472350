"""Noticing that a model has begun to repeat itself, so that it can be stopped while it does."""

from __future__ import annotations

import re
from collections.abc import Callable

_ROW = re.compile(r'\[\s*"(?:[^"\\]|\\.)*"(?:\s*,\s*"(?:[^"\\]|\\.)*")*\s*\]')


class LoopWatch:
    """Hears a reply piece by piece. ``stop`` becomes true at the first relation that stands in it already.

    Measured on Korean articles: a small model that writes a row twice goes on to the last row it may write; half of
    the relations it wrote there were repeats or led nowhere. Repeated entities are let pass: they come first, they are
    few, and the relations are still to come (stopping there and asking again for halves cost 10 calls in 20 passages
    and left two without relations).
    """

    def __init__(self, cancelled: Callable[[], bool] | None) -> None:
        self.looped = False
        self._cancelled = cancelled
        self._rows: set[str] = set()
        self._rest = ""
        self._in_relations = False

    def hear(self, piece: str) -> None:
        self._rest += piece
        if not self._in_relations:
            _before, found, after = self._rest.partition('"relations"')
            if not found:
                return
            self._in_relations, self._rest = True, after
        read = 0
        for row in _ROW.finditer(self._rest):
            self.looped = self.looped or row.group() in self._rows
            self._rows.add(row.group())
            read = row.end()
        self._rest = self._rest[read:]

    def stop(self) -> bool:
        return self.looped or (self._cancelled is not None and self._cancelled())
