"""Which part of a brain is asked: chosen sources, kinds of file, dates. Sources on their way out are never asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Self
from uuid import UUID

from brain.models import Source, SourceState

_ON_THE_WAY = {SourceState.QUEUED, SourceState.RUNNING, SourceState.WAITING}


@dataclass(frozen=True, slots=True)
class Scope:
    """Empty fields do not narrow. ``kinds`` are beginnings of media types ("audio/"); dates are the documents' own."""

    sources: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"sources": list(self.sources), "kinds": list(self.kinds)}
        found |= {"since": self.since and self.since.isoformat(), "until": self.until and self.until.isoformat()}
        return {name: value for name, value in found.items() if value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        since, until = (date.fromisoformat(data[name]) if data.get(name) else None for name in ("since", "until"))
        return cls(tuple(data.get("sources", ())), tuple(data.get("kinds", ())), since, until)


@dataclass(frozen=True, slots=True)
class Searched:
    """The sources that may be searched; ``narrowed``: fewer than the brain shows; ``unread``: so many of them are
    still on the way and not searchable yet."""

    sources: frozenset[str]
    hidden: frozenset[str]
    narrowed: bool
    unread: int = 0


def searched(brain_id: UUID, scope: Scope | None) -> Searched:
    rows = Source.objects.filter(brain=brain_id).values_list(
        "id", "trashed_at", "purge_requested_at", "media_type", "document_date", "searchable_at", "state"
    )
    shown, within, hidden = set(), set(), set()
    unread = 0
    for id, trashed, purged, kind, dated, searchable, state in rows:
        if trashed or purged:
            hidden.add(str(id))
            continue
        shown.add(str(id))
        if scope is None or _within(scope, str(id), kind, dated):
            within.add(str(id))
            unread += searchable is None and state in _ON_THE_WAY
    return Searched(frozenset(within), frozenset(hidden), within != shown, unread)


def _within(scope: Scope, source: str, kind: str, dated: date | None) -> bool:
    if scope.sources and source not in scope.sources:
        return False
    if scope.kinds and not kind.startswith(scope.kinds):
        return False
    if (scope.since or scope.until) and dated is None:
        return False
    return not (dated and ((scope.since and dated < scope.since) or (scope.until and dated > scope.until)))
