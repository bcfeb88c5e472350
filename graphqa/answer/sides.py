"""The statements that contradict each other in an answer: what each says, where, and which goes before which.

Kept are their places only. What they say are citations of the answer, so that a deletion takes it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from brain.ledger.state import split_ref
from brain.models import Citation


@dataclass(slots=True)
class Side:
    """``newer`` and ``weightier``: titles of those that it goes before, for being that."""

    citation: Citation
    newer: list[str] = field(default_factory=list)
    weightier: list[str] = field(default_factory=list)
    behind: int = 0

    @property
    def why(self) -> str:
        """Why it goes before others, if it does."""
        said = [_("newer than %(titles)s") % {"titles": ", ".join(self.newer)}] if self.newer else []
        if self.weightier:
            said.append(_("more authoritative than %(titles)s") % {"titles": ", ".join(self.weightier)})
        return "; ".join(said)


def sides_of(details: Mapping[str, Any], citations: Iterable[Citation]) -> list[Side]:
    """Those that go before others first. A contradiction is left out where one side is no more."""
    by_place = {(str(row.source_id), row.start): row for row in citations if row.quote}
    sides: dict[int, Side] = {}
    for each in contradictions(details):
        rows = [by_place.get(_place(side)) for side in each["sides"]]
        kept = [sides.setdefault(row.pk, Side(row)) for row in rows if row and None not in rows]
        if kept and (by := each.get("resolved_by")):
            first, second = kept
            (first.newer if by == "date" else first.weightier).append(second.citation.title)
            second.behind += 1
    return sorted(sides.values(), key=lambda side: side.behind)


def contradictions(details: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """As ``details`` keep them."""
    found = details.get("contradictions")
    told = found if isinstance(found, list) else []
    return [each for each in told if isinstance(each, Mapping) and len(each.get("sides", ())) == 2]


def sources_of(contradiction: Mapping[str, Any]) -> tuple[str, ...]:
    """The ids of its sources, that which goes first before the other."""
    return tuple(_place(side)[0] for side in contradiction["sides"])


def _place(side: tuple[str, int]) -> tuple[str, int]:
    """Of a ref and where the statement begins: the source's id, and that."""
    place = split_ref(side[0])
    return str(place[0]) if place else "", side[1]
