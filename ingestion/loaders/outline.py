"""A PDF's outline (bookmarks) as heading paths for stretches of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import pypdfium2 as pdfium

from brain.text import clean_line
from brain.values import Span

_ENTRY_LIMIT = 5000
_DEPTH_LIMIT = 6
_TITLE_LIMIT = 200
# What may stand before a title on its own line: "2.1.6.1", "Chapter 3.", "제 2 장.".
_NUMBERING = 16


@dataclass(frozen=True, slots=True)
class Entry:
    """``page`` counts from 1, ``level`` from 0."""

    level: int
    title: str
    page: int


def entries(pdf: pdfium.PdfDocument) -> tuple[Entry, ...]:
    """In the outline's order; entries without title or page are left out."""
    found = []
    for bookmark in islice(pdf.get_toc(max_depth=_DEPTH_LIMIT), _ENTRY_LIMIT):
        title = clean_line(bookmark.get_title() or "", limit=_TITLE_LIMIT)
        destination = bookmark.get_dest()
        index = destination.get_index() if destination else None
        if title and index is not None:
            found.append(Entry(bookmark.level, title, index + 1))
    return tuple(found)


def spans(pages: Mapping[int, tuple[int, str]], outline: Sequence[Entry]) -> Iterator[Span]:
    """``pages``: number to (start in the document, text), ascending. A heading's span begins at its line."""
    path: tuple[tuple[int, str], ...] = ()
    waiting = sorted(outline, key=lambda entry: entry.page)
    for number, (offset, text) in pages.items():
        start = 0
        while waiting and waiting[0].page <= number:
            entry = waiting.pop(0)
            place = _place(entry.title, text, start) if entry.page == number else start
            if text[start:place].strip():
                yield _span(offset, text, start, place, number, path)
                start = place
            path = (*(step for step in path if step[0] < entry.level), (entry.level, entry.title))
        if text[start:].strip():
            yield _span(offset, text, start, len(text), number, path)


def _span(offset: int, text: str, start: int, end: int, page: int, path: tuple[tuple[int, str], ...]) -> Span:
    end = start + len(text[start:end].rstrip())
    return Span(offset + start, offset + end, page=page, heading=tuple(title for _level, title in path))


def _place(title: str, text: str, start: int) -> int:
    """Where the title's line begins: alone on a line (not in a running head) if it is; ``start`` if nowhere."""
    letters = r"\s*".join(re.escape(letter) for letter in title if not letter.isspace())
    for pattern in (rf"(?m)^[^\n]{{0,{_NUMBERING}}}{letters}[ \t.]*$", letters):
        if found := re.compile(pattern, re.IGNORECASE).search(text, start):
            return max(start, text.rfind("\n", 0, found.start() + 1) + 1)
    return start
