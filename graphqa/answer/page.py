"""A message as a page shows it: blocks, citations with their places, and how it was answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from brain.ledger.quotes import REMOVED
from brain.ledger.state import split_ref, visible
from brain.models import Chunk, Citation, Feedback, Message, MessageStatus, Source
from graphqa.answer.citations import nearest_statements
from graphqa.answer.explained import Line, explain, reason
from graphqa.answer.refusals import refusal, words
from graphqa.answer.rendering import Block, blocks_of
from graphqa.answer.sides import sides_of
from graphqa.answer.withheld import Reason, Withheld
from graphqa.language.values import HANGUL

_NEAREST = 3
_ANSWERED = {MessageStatus.ANSWERED, MessageStatus.PARTIALLY_SUPPORTED, MessageStatus.CONTRADICTORY}


@dataclass(frozen=True, slots=True)
class ShownQuote:
    """``text`` and ``url`` are empty when the source is gone."""

    page: int | None
    second: float | None
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class ShownCitation:
    """A number of the answer with its quotes, at least one."""

    number: int
    title: str
    quotes: tuple[ShownQuote, ...]
    supported: bool

    @property
    def first(self) -> ShownQuote:
        return self.quotes[0]


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A statement that others contradict; ``why`` it goes before them, if it does."""

    title: str
    quote: ShownQuote
    why: str


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """``text``: where nothing is answered, the statement of the nearest passages that has most of the question's words;
    ``url`` leads to it."""

    title: str
    page: int | None
    second: float | None
    reason: str
    score: float | None
    url: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """``withheld``: why nothing of the answer is shown. ``standalone`` and ``details`` as far as they may be."""

    message: Message
    withheld: Reason
    standalone: str
    details: Mapping[str, Any]
    blocks: list[Block]
    citations: list[ShownCitation]
    sides: list[ShownSide]
    evidence: list[ShownEvidence]
    explained: list[Line]
    feedback: Feedback | None

    @property
    def pending(self) -> bool:
        return self.message.status in {MessageStatus.QUEUED, MessageStatus.RUNNING}

    @property
    def removed(self) -> bool:
        """True when deletions left nothing of the answer."""
        rest = self.message.answer.replace(REMOVED, "")
        return rest != self.message.answer and not any(letter.isalnum() for letter in rest)

    @property
    def refusal(self) -> str:
        """Why there is no answer."""
        return refusal(self.details)

    @property
    def is_translated(self) -> bool:
        """True if the documents say it in another language than the answer."""
        told = self.details.get("translated")
        return isinstance(told, Mapping) and bool(told.get("answer"))

    @property
    def unheld(self) -> str:
        """Names and Korean nouns of the question that no document holds, beside an answer in their language. English
        nouns are too often said with others."""
        gap = self.details.get("gap")
        if self.message.status not in _ANSWERED or self.is_translated or not isinstance(gap, list):
            return ""
        return words([word for word in gap if HANGUL.search(word) or not word.islower()])

    @property
    def nearest(self) -> list[ShownEvidence]:
        """The first passages that were found."""
        return self.evidence[:_NEAREST]

    @property
    def listed(self) -> list[ShownCitation]:
        """The citations without those that the answer does not name and whose quotes are shown as sides."""
        named = {run.number for block in self.blocks for line in block.lines for run in line}
        told = {side.quote for side in self.sides}
        return [each for each in self.citations if each.number in named or not told.issuperset(each.quotes)]

    @property
    def one_goes_first(self) -> bool:
        """True if something says which of the sides to follow."""
        return any(side.why for side in self.sides)

    @property
    def by_number(self) -> dict[int, ShownCitation]:
        return {citation.number: citation for citation in self.citations}


def shown(message: Message, withheld: Withheld) -> ShownMessage:
    """What a template needs; citations and feedback should be fetched with the message."""
    why = withheld.why(message)
    silent = bool(why) or withheld.reworded(message)
    details = {} if silent else message.details
    rows = [] if why else list(message.citations.all())
    sides = sides_of(details, rows) if message.status == MessageStatus.CONTRADICTORY else []
    return ShownMessage(
        message=message,
        withheld=why,
        standalone="" if silent else message.standalone,
        details=details,
        blocks=[] if why else blocks_of(message.answer, _held(message)),
        citations=_citations(rows),
        sides=[ShownSide(side.citation.title, _quote(side.citation), side.why) for side in sides],
        explained=explain(message, details),
        evidence=[] if why else _evidence(message),
        feedback=getattr(message, "feedback", None),
    )


def _held(message: Message) -> frozenset[int] | None:
    """Where an answer holds only in part: the numbers whose passages hold what cites them."""
    if message.status != MessageStatus.PARTIALLY_SUPPORTED:
        return None
    return frozenset(citation.number for citation in message.citations.all() if citation.supported)


def place_url(source_id: UUID | str, **place: int | None) -> str:
    """The viewer at a place of a source."""
    given = urlencode({name: value for name, value in place.items() if value is not None})
    return f"{reverse('source', args=[source_id])}?{given}#cited"


def _citations(rows: Iterable[Citation]) -> list[ShownCitation]:
    """``rows`` in order of number."""
    return [_citation(number, list(same)) for number, same in groupby(rows, key=lambda row: row.number)]


def _citation(number: int, rows: Sequence[Citation]) -> ShownCitation:
    return ShownCitation(
        number=number,
        title=rows[0].title or _("a source that was deleted"),
        # What a deletion left of several is the same nothing.
        quotes=tuple(dict.fromkeys(_quote(row) for row in rows)),
        supported=any(row.supported for row in rows),
    )


def _quote(citation: Citation) -> ShownQuote:
    source = citation.source
    readable = source is not None and source.purge_requested_at is None
    url = ""
    if readable and source is not None:
        ordinal = citation.chunk.ordinal if citation.chunk else None
        url = place_url(source.pk, chunk=ordinal, start=citation.start, end=citation.end)
    return ShownQuote(citation.page, citation.second_from, citation.quote if readable else "", url)


def _evidence(message: Message) -> list[ShownEvidence]:
    """What was retrieved. Rows keep no titles: these are read now, so that one in the trash or deleted shows none."""
    items = [item for item in message.evidence if isinstance(item, Mapping)]
    places = {str(item.get("ref", "")): split_ref(str(item.get("ref", ""))) for item in items}
    wanted = {place[0] for place in places.values() if place}
    titles = dict(Source.objects.filter(visible(""), id__in=wanted).values_list("id", "title"))
    known = [(item, place) for item in items if (place := places[str(item.get("ref", ""))]) and place[0] in titles]
    quoted = _nearest_statements(message, [place for _item, place in known[:_NEAREST]])
    return [_shown_evidence(item, titles[place[0]], place, quoted.get(place)) for item, place in known]


_Place = tuple[UUID, int]


def _nearest_statements(message: Message, places: Sequence[_Place]) -> dict[_Place, tuple[str, int, int]]:
    """Of a question that was not answered, by source and ordinal of the passage: its nearest statement with its place
    in the source. They are read now: a message keeps no text of documents."""
    if message.status != MessageStatus.INSUFFICIENT_CONTEXT or message.answer:
        return {}
    wanted = Q(pk__in=[])
    for source_id, ordinal in places:
        wanted |= Q(source_id=source_id, ordinal=ordinal)
    chunks = {chunk.pk: chunk for chunk in Chunk.objects.filter(wanted)}
    nearest = nearest_statements({pk: chunk.text for pk, chunk in chunks.items()}, message.standalone)
    return {
        (chunk.source_id, chunk.ordinal): (chunk.text[start:end], chunk.start + start, chunk.start + end)
        for pk, chunk in chunks.items()
        for start, end in [nearest[pk]]
        if end
    }


def _shown_evidence(
    item: Mapping[str, Any], title: str, place: _Place, quoted: tuple[str, int, int] | None
) -> ShownEvidence:
    score = item.get("score")
    text, start, end = quoted or ("", None, None)
    return ShownEvidence(
        title=title,
        page=item.get("page"),
        second=item.get("second"),
        reason=reason(str(item.get("reason", ""))),
        score=float(score) if isinstance(score, int | float) else None,
        url=place_url(place[0], chunk=place[1], start=start, end=end),
        text=" ".join(text.split()),
    )
