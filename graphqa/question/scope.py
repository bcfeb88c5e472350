"""Which part of a brain is asked: chosen sources, kinds of file, dates. Sources on their way out are never asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import or_
from typing import Any, Self
from uuid import UUID

from django.db.models import Q, QuerySet

from brain.ledger.state import visible
from brain.models import Source, SourceStage, SourceState

_ON_THE_WAY = {SourceState.QUEUED, SourceState.RUNNING, SourceState.WAITING}


@dataclass(frozen=True, slots=True)
class Scope:
    """Empty fields do not narrow. ``kinds`` are beginnings of media types ("audio/"); dates are the documents' own.
    ``without``: sources that the question itself leaves out; not kept."""

    sources: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    without: tuple[str, ...] = ()

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
    still on the way and not searchable yet; ``by_words``: sources that have passages without a vector yet;
    ``languages``: those that the sources are in."""

    sources: frozenset[str]
    hidden: frozenset[str]
    narrowed: bool
    unread: int = 0
    by_words: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()


def searched(brain_id: UUID, scope: Scope | None) -> Searched:
    sources = Source.objects.filter(brain=brain_id).order_by()
    hidden = _ids(sources.exclude(visible("")))
    languages = {str(id): language for id, language in sources.filter(visible("")).values_list("id", "language")}
    shown = within = frozenset(languages)
    if scope is not None:
        within = shown & _ids(sources.filter(_within(scope)))
        within = within & frozenset(scope.sources) if scope.sources else within
        within -= frozenset(scope.without)
    unread = _ids(sources.filter(searchable_at=None, state__in=_ON_THE_WAY)) & within
    by_words = _ids(sources.filter(stage=SourceStage.EMBED)) & within
    spoken = frozenset(languages[id] for id in within)
    return Searched(within, hidden, within != shown, len(unread), by_words, spoken)


def titles_of(brain_id: UUID, scope: Scope | None) -> dict[str, str]:
    """Of the files that a question may name, by id of the source."""
    scope = scope or Scope()
    sources = Source.objects.filter(visible(""), _within(scope), brain=brain_id).order_by("created_at")
    found = {str(id): title for id, title in sources.values_list("id", "title")}
    return {id: title for id, title in found.items() if not scope.sources or id in scope.sources}


def _ids(sources: QuerySet[Source]) -> frozenset[str]:
    return frozenset(str(id) for id in sources.values_list("id", flat=True))


def _within(scope: Scope) -> Q:
    """A source without a date of its own is outside of all dates."""
    condition = reduce(or_, (Q(media_type__startswith=kind) for kind in scope.kinds), Q())
    if scope.since:
        condition &= Q(document_date__gte=scope.since)
    if scope.until:
        condition &= Q(document_date__lte=scope.until)
    return condition
