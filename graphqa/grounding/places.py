"""On which page, or at which second, a quote stands: a passage may go over several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Q

from brain.models import Segment


@dataclass(frozen=True, slots=True)
class Spot:
    """An offset in a source's text and where the passage around it begins."""

    source: str
    passage: int
    offset: int


@dataclass(frozen=True, slots=True)
class Place:
    page: int | None
    second: float | None


def places(spots: Sequence[Spot]) -> list[Place | None]:
    """One query for all. What stands between two segments belongs to the one before; None where there is none."""
    if not spots:
        return []
    # Only what is under the passages: a recording has thousands of segments.
    under = reduce(or_, (Q(source=each.source, start__lte=each.offset, end__gt=each.passage) for each in spots))
    segments = list(Segment.objects.filter(under).order_by("start"))
    return [_place(segments, spot) for spot in spots]


def _place(segments: Sequence[Segment], spot: Spot) -> Place | None:
    own = (each for each in segments if str(each.source_id) == spot.source and each.end > spot.passage)
    last = max((each for each in own if each.start <= spot.offset), key=lambda each: each.start, default=None)
    return Place(last.page, last.second_from) if last else None
