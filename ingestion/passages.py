"""A source's text cut into parts that fit a page, with the places it came from and a stretch that is marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from brain.models import Segment

PART_CHARACTERS = 12_000


@dataclass(frozen=True, slots=True)
class Run:
    """Text that is shown one way: ``quote`` is the cited words, ``passage`` the passage around them."""

    text: str
    look: Literal["", "quote", "passage"]
    first: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one segment. ``opens``: it starts the segment, so its place is shown."""

    start: int
    end: int
    segment: Segment | None
    opens: bool


@dataclass(frozen=True, slots=True)
class Stretch:
    start: int
    end: int

    def __bool__(self) -> bool:
        return self.end > self.start


def pieces_of(text: str, segments: Sequence[Segment]) -> list[Piece]:
    """Segments in order, long ones cut at line ends; text without any segment is cut the same way."""
    if not segments:
        return _cut(text, 0, len(text), None)
    return [piece for segment in segments for piece in _cut(text, segment.start, segment.end, segment)]


def _cut(text: str, start: int, end: int, segment: Segment | None) -> list[Piece]:
    pieces, place = [], start
    while place < end:
        stop = min(end, place + PART_CHARACTERS)
        if stop < end:
            stop = max(text.rfind("\n", place, stop) + 1, 0) or stop
        pieces.append(Piece(place, stop, segment, place == start))
        place = stop
    return pieces


def parts_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces gathered until a part is long enough."""
    parts: list[list[Piece]] = []
    length = PART_CHARACTERS
    for piece in pieces:
        if length >= PART_CHARACTERS or length + piece.end - piece.start > PART_CHARACTERS * 1.25:
            parts.append([])
            length = 0
        parts[-1].append(piece)
        length += piece.end - piece.start
    return parts


def part_at(parts: Sequence[Sequence[Piece]], offset: int) -> int:
    """Index of the part that holds an offset, or of the last that begins before it."""
    found = 0
    for number, part in enumerate(parts):
        if part[0].start <= offset:
            found = number
    return found


def runs_of(text: str, piece: Piece, quote: Stretch, passage: Stretch) -> list[Run]:
    """The piece as runs: the quote stands out, the passage around it a little."""
    edges = {piece.start, piece.end}
    edges |= {
        edge for stretch in (quote, passage) for edge in (stretch.start, stretch.end) if piece.start < edge < piece.end
    }
    places = sorted(edges)
    runs = []
    for start, end in pairwise(places):
        look: Literal["", "quote", "passage"] = ""
        if quote.start <= start < quote.end:
            look = "quote"
        elif passage.start <= start < passage.end:
            look = "passage"
        runs.append(Run(text[start:end], look, first=_is_first(look, start, quote, passage)))
    return runs


def _is_first(look: str, start: int, quote: Stretch, passage: Stretch) -> bool:
    """True for the run that the page scrolls to: where the quote, or without one the passage, begins."""
    return bool(look) and start == (quote or passage).start
