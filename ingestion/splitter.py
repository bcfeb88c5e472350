"""A document cut into passages that fit an embedding and a prompt, each knowing where it came from."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from brain.language import detect_language
from brain.text import is_blank
from brain.values import Document, Span

if TYPE_CHECKING:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

SIZE = 1000
OVERLAP = 200
WHOLE_UP_TO = 2000

# Between paragraphs, lines, sentences (Korean ones end in "다." and the like), clauses, words. Each separator stays
# at the end of its piece, so that the pieces are an exact partition of the text.
_SEPARATORS = [r"\n[ \t]*\n+", r"\n", r"(?<=[.!?。！？…])[\"'”’)\]]*\s+", r"(?<=[,;:，、])\s*", r"\s+", ""]


@dataclass(frozen=True, slots=True)
class Passage:
    """``text == document.text[start:end]``. Page, seconds and heading are those of the spans it lies on;
    a passage over several headings has what their paths share."""

    ordinal: int
    start: int
    end: int
    text: str
    language: str
    heading: tuple[str, ...]
    page: int | None
    page_to: int | None
    second_from: float | None
    second_to: float | None


def split(document: Document) -> tuple[Passage, ...]:
    """Passages in order; every visible character is in one at least. Texts and sections of up to 2,000 characters
    stay whole; longer ones become passages of up to 1,000 that share up to 200 with the one before."""
    spans = document.spans or (Span(0, len(document.text)),)
    starts = [span.start for span in spans]
    passages: list[Passage] = []
    for start, end in _cuts(document, spans):
        text = document.text[start:end]
        start, end = start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())
        if start >= end or is_blank(document.text[start:end]):
            continue
        passages.append(_passage(len(passages), document, start, end, _under(spans, starts, start, end)))
    return tuple(passages)


def _cuts(document: Document, spans: Sequence[Span]) -> Iterator[tuple[int, int]]:
    if len(document.text) <= WHOLE_UP_TO:
        yield 0, len(document.text)
        return
    for start, end in _sections(len(document.text), spans):
        if end - start <= WHOLE_UP_TO:
            yield start, end
        else:
            yield from _pieces(document.text, start, end)


def _sections(length: int, spans: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """Stretches under one heading path; small neighbours under the same top heading are taken together.

    The first begins at 0, each ends where the next begins: text between spans belongs to the one before it.
    """
    heads = [(path, next(group).start) for path, group in groupby(spans, key=lambda span: span.heading)]
    bounds = [0, *(start for _path, start in heads[1:]), length]
    begin, top = 0, heads[0][0][:1]
    for (path, _start), start, end in zip(heads, bounds, bounds[1:], strict=False):
        if start > begin and (path[:1] != top or end - begin > SIZE):
            yield begin, start
            begin = start
        top = path[:1]
    yield begin, length


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """RecursiveCharacterTextSplitter makes pieces of 800 without overlap, whose offsets simply add up; each is then
    extended to the left by up to 200. Its own overlap has to be searched for afterwards (``add_start_index``),
    which finds the wrong place in text that repeats itself."""
    place = start
    for piece in _splitter().split_text(text[start:end]):
        yield _left_edge(text, max(start, place - OVERLAP), place), place + len(piece)
        place += len(piece)


def _left_edge(text: str, least: int, place: int) -> int:
    """The first beginning of a line, sentence or word in ``text[least:place]``; ``least`` at a word's own start."""
    for mark in ("\n", ". ", "? ", "! ", " "):
        if (found := text.find(mark, least, place)) >= 0:
            return found + len(mark)
    return least


@cache
def _splitter() -> RecursiveCharacterTextSplitter:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    return RecursiveCharacterTextSplitter(
        _SEPARATORS,
        keep_separator="end",
        is_separator_regex=True,
        chunk_size=SIZE - OVERLAP,
        chunk_overlap=0,
        strip_whitespace=False,
    )


def _under(spans: Sequence[Span], starts: Sequence[int], start: int, end: int) -> Sequence[Span]:
    """The spans that ``[start, end)`` touches."""
    first = max(0, bisect_right(starts, start) - 1)
    touched = [span for span in spans[first : bisect_left(starts, end)] if span.end > start]
    return touched or spans[first : first + 1]


def _passage(ordinal: int, document: Document, start: int, end: int, under: Sequence[Span]) -> Passage:
    text = document.text[start:end]
    pages = [span.page for span in under if span.page is not None]
    seconds = [span.seconds for span in under if span.seconds is not None]
    return Passage(
        ordinal=ordinal,
        start=start,
        end=end,
        text=text,
        language=detect_language(text) or document.language,
        heading=_shared([span.heading for span in under]),
        page=pages[0] if pages else None,
        page_to=pages[-1] if pages else None,
        second_from=min((first for first, _last in seconds), default=None),
        second_to=max((last for _first, last in seconds), default=None),
    )


def _shared(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    steps = takewhile(lambda step: len(set(step)) == 1, zip(*paths, strict=False))
    return tuple(step[0] for step in steps)
