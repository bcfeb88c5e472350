"""Noticing that a model has no more to say and goes on nevertheless, so that it can be stopped while it does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from ingestion.extraction.checks import holds, parroted
from ingestion.extraction.grounding import Grounds
from ingestion.extraction.rows import RelationRow

_DEAD_ENDS = 2
_ROW = re.compile(r'\[\s*"(?:[^"\\]|\\.)*"(?:\s*,\s*"(?:[^"\\]|\\.)*")*\s*\]')


class LoopWatch:
    """Hears a reply piece by piece. ``stop`` becomes true at the first relation that stands in it already, at the
    second in a row that leads nowhere (an end is no name of the passage, or both are one), and where the model
    chooses the words for relations (``free_predicates``) at the third that is filled with one word of the example.

    Measured on Korean articles: a small model that writes a row twice goes on to the last row it may write; half of
    the relations it wrote there were repeats or led nowhere, and after two of those in a row came no good one.
    Repeated entities are let pass: they come first, they are few, and the relations are still to come (stopping there
    and asking again for halves cost 10 calls in 20 passages and left two without relations).
    """

    def __init__(
        self, grounds: Grounds, cancelled: Callable[[], bool] | None, *, free_predicates: bool = False
    ) -> None:
        self.looped = False
        self._grounds = grounds
        self._free_predicates = free_predicates
        self._cancelled = cancelled
        self._rows: set[str] = set()
        self._relations: list[RelationRow] = []
        self._dead_ends = 0
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
            self._weigh(row.group())
            read = row.end()
        self._rest = self._rest[read:]

    def _weigh(self, row: str) -> None:
        relation = _relation(row)
        self._dead_ends = self._dead_ends + 1 if relation and not self._leads_somewhere(relation) else 0
        if relation is not None:
            self._relations.append(relation)
        self.looped = (
            self.looped
            or row in self._rows
            or self._dead_ends == _DEAD_ENDS
            or (self._free_predicates and bool(parroted(self._relations, self._grounds)))
        )
        self._rows.add(row)

    def _leads_somewhere(self, relation: RelationRow) -> bool:
        ends = relation.subject, relation.object
        return ends[0] != ends[1] and all(holds(end, self._grounds) for end in ends)

    def stop(self) -> bool:
        return self.looped or (self._cancelled is not None and self._cancelled())


def _relation(row: str) -> RelationRow | None:
    try:
        cells = json.loads(row)
    except ValueError:
        return None
    return RelationRow(*cells[:3]) if len(cells) > 2 else None
