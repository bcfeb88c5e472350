"""Ranked refs become evidence: rows looked up, near-duplicates and one source's crowd thinned out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import CharField
from django.db.models.functions import Cast

from brain.language import searchable
from brain.ledger.state import chunk_ref, split_ref, visible
from brain.models import Chunk
from brain.ports import Reranker
from graphqa.question.scope import Searched
from graphqa.retrieval.search import Ranked

# One source may fill the context only as far as others have nothing to say.
PER_SOURCE = 6
_SAME_WORDS = 0.85
_READ_OF_CHUNK = ("brain", "ordinal", "start", "text", "language", "heading", "page", "second_from")
_READ_OF_SOURCE = ("source__title", "source__document_date", "source__authority")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that may be shown and cited. ``start`` is its offset in the source's text; ``ranks``, ``walk``,
    ``cosine`` say how it was found, ``reason`` in one word."""

    chunk_id: int
    ref: str
    source: str
    title: str
    heading: tuple[str, ...]
    text: str
    start: int
    language: str
    page: int | None
    second: float | None
    dated: date | None
    authority: int
    score: float
    cosine: float | None
    reason: str
    ranks: Mapping[str, int]
    walk: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """What is kept of it: never its text."""
        return {
            "ref": self.ref,
            "source": self.source,
            "page": self.page,
            "second": self.second,
            "score": round(self.score, 5),
            "walk": round(self.walk, 5),
            "cosine": None if self.cosine is None else round(self.cosine, 4),
            "reason": self.reason,
            "ranks": dict(self.ranks),
        }


def evidence(
    ranked: Sequence[Ranked],
    brain_id: UUID,
    searched: Searched,
    *,
    question: str = "",
    reranker: Reranker | None = None,
    limit: int = 8,
) -> list[Evidence]:
    """The best passages in order. A ref without a visible row is dropped, whatever an index still says."""
    # Most of thirty are not looked at: the first eight or so are told apart by the first sixteen.
    some = [ranked[first : first + 2 * limit] for first in range(0, len(ranked), 2 * limit)]
    rows = (row for each in some for row in _hydrated(each, brain_id, searched))
    if reranker is None:
        return _varied(rows, limit)
    if found := list(rows):
        scores = reranker.score(question, [searchable(each.title, each.heading, each.text) for each in found])
        ordered = sorted(zip(scores, range(len(found)), strict=True), key=lambda pair: (-pair[0], pair[1]))
        found = [replace(found[place], score=float(score)) for score, place in ordered]
    return _varied(found, limit)


def _hydrated(ranked: Sequence[Ranked], brain_id: UUID, searched: Searched) -> list[Evidence]:
    places = {(place[0].hex, place[1]) for each in ranked if (place := split_ref(each.ref))}
    # Ids first, from the index alone: the texts of all ordinals of all sources would be read for thirty places. Their
    # sources as text: to make UUIDs of four hundred took a fifth of the time.
    near = Chunk.objects.filter(
        source__in={source for source, _ordinal in places}, ordinal__in={ordinal for _source, ordinal in places}
    ).order_by()
    at = near.values_list("pk", Cast("source_id", CharField()), "ordinal")
    ids = [id for id, source, ordinal in at if (source.replace("-", ""), ordinal) in places]
    rows = Chunk.objects.filter(visible(), pk__in=ids, brain=brain_id).order_by().select_related("source")
    rows = rows.only(*_READ_OF_CHUNK, *_READ_OF_SOURCE)
    chunks = {chunk_ref(row.source_id, row.ordinal): row for row in rows if str(row.source_id) in searched.sources}
    return [_evidence(each, chunks[each.ref]) for each in ranked if each.ref in chunks]


def _evidence(ranked: Ranked, chunk: Chunk) -> Evidence:
    source = chunk.source
    return Evidence(
        chunk_id=chunk.pk,
        ref=ranked.ref,
        source=str(chunk.source_id),
        title=source.title,
        heading=tuple(chunk.heading),
        text=chunk.text,
        start=chunk.start,
        language=chunk.language,
        page=chunk.page,
        second=chunk.second_from,
        dated=source.document_date,
        authority=source.authority,
        score=ranked.score,
        cosine=ranked.cosine,
        reason=ranked.reason,
        ranks=ranked.ranks,
        walk=ranked.walk,
    )


def _varied(found: Iterable[Evidence], limit: int) -> list[Evidence]:
    """Order kept; a passage that repeats one before it is left out, one beyond its source's share waits. Pieces of one
    section count once: a law is one source, and its long articles would use up the share."""
    chosen: list[Evidence] = []
    waiting: list[Evidence] = []
    words: list[frozenset[str]] = []
    share: Counter[str] = Counter()
    sections: set[tuple[str, tuple[str, ...]]] = set()
    for each in found:
        own = frozenset(each.text.casefold().split())
        if any(len(own & other) > _SAME_WORDS * max(1, len(own | other)) for other in words):
            continue
        words.append(own)
        share[each.source] += not each.heading or (each.source, each.heading) not in sections
        sections.add((each.source, each.heading))
        (chosen if share[each.source] <= PER_SOURCE else waiting).append(each)
        if len(chosen) == limit:
            break
    return (chosen + waiting)[:limit]
