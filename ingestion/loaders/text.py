"""Plain text and Markdown, in whatever encoding it was saved."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from django.utils.translation import gettext_noop as _

from brain.errors import EmptySource, SourceLimit, UnreadableSource
from brain.language import detect_language
from brain.text import clean_line, clean_text, is_blank
from brain.values import Document, Notice, Span
from ingestion import media

LETTER_LIMIT = 20_000_000

NO_WORDS = _("The file holds no words.")
TOO_LONG = _("The file holds more than %(limit)s letters. Split it and upload the parts.")
NO_ENCODING = _("The encoding of this text file is not known. Save it as UTF-8 and upload it again.")
LETTERS_LOST = _("%(count)s letters could not be decoded and are left out.")

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HANGUL = re.compile("[가-힣]")
_ASCII = re.compile(r"[\x00-\x7f]+")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_EMPHASIS = re.compile(r"(?<!\w)[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}(?!\w)")
_TITLE_LIMIT = 200
_LINE_LIMIT = 1000


def load(path: Path, media_type: str, *, title: str) -> Document:
    """One span per paragraph; in Markdown each span knows the headings it stands under."""
    decoded, warnings = decode(path.read_bytes())
    text = clean_text(decoded).strip("\n")
    if is_blank(text):
        raise EmptySource(NO_WORDS)
    if len(text) > LETTER_LIMIT:
        raise SourceLimit(TOO_LONG, limit=LETTER_LIMIT)
    markdown = media_type == media.MARKDOWN
    spans = tuple(markdown_spans(text) if markdown else plain_spans(text))
    return Document(
        text=text,
        spans=spans,
        language=detect_language(text),
        title=next((span.heading[0] for span in spans if span.heading), title),
        units=len(spans),
        unit_name="paragraph",
        warnings=warnings,
    )


def decode(data: bytes) -> tuple[str, tuple[Notice, ...]]:
    """By mark, then by strict decoding; a few broken letters cost themselves only."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _lenient(data.removeprefix(mark), encoding)
    if encoding := media.utf16_without_mark(data[: media.HEAD_BYTES]):
        return _lenient(data, encoding)
    for encoding in ("utf-8", "cp949"):  # CP949 holds all of EUC-KR
        text = data.decode(encoding, errors="replace")
        beyond_ascii = _ASCII.sub("", text)
        lost = beyond_ascii.count("\ufffd")
        if lost * (20 if lost > 3 else 4) > len(beyond_ascii):
            continue
        if encoding == "cp949" and not _is_korean(beyond_ascii):
            continue
        return _lenient(data, encoding)
    return _lenient(data, _guess(data))


def _is_korean(letters: str) -> bool:
    """Half of it Hangul of the 2,350 usual syllables: other encodings read as CP949 give the unusual ones."""
    usual = "".join(_HANGUL.findall(letters)).encode("euc-kr", errors="ignore")
    return len(usual) >= len(letters)


def _guess(data: bytes) -> str:
    import charset_normalizer

    best = charset_normalizer.from_bytes(data[:200_000]).best()
    if best is None:
        raise UnreadableSource(NO_ENCODING)
    # Its single-byte guesses for a few accents are a toss-up; Windows wrote most such files in the West.
    return "cp1252" if best.encoding.startswith(("cp125", "iso8859", "latin")) else str(best.encoding)


def _lenient(data: bytes, encoding: str) -> tuple[str, tuple[Notice, ...]]:
    text = data.decode(encoding, errors="replace")
    lost = text.count("\ufffd")
    if not lost:
        return text, ()
    return text.replace("\ufffd", ""), (Notice(LETTERS_LOST, {"count": lost}),)


def plain_spans(text: str) -> Iterator[Span]:
    """Paragraphs: runs of lines that are not blank."""
    start = end = -1
    for line_start, line in _lines(text):
        if not line.strip():
            if start >= 0:
                yield Span(start, end)
            start = -1
            continue
        if start < 0:
            start = line_start
        end = line_start + len(line)
    if start >= 0:
        yield Span(start, end)


def markdown_spans(text: str) -> Iterator[Span]:
    """Paragraphs with their heading path; a heading begins a span and belongs to its own path."""
    headings = {start: (level, title) for start, level, title in _headings(text)}
    path: list[tuple[int, str]] = []
    for block in plain_spans(text):
        start = block.start
        for place in [place for place in _line_starts(text, block) if place in headings]:
            if place > start:
                yield Span(start, _trimmed(text, start, place), heading=tuple(title for _level, title in path))
            level, title = headings[place]
            path = [*(step for step in path if step[0] < level), (level, title)]
            start = place
        yield Span(start, block.end, heading=tuple(title for _level, title in path))


def _headings(text: str) -> Iterator[tuple[int, int, str]]:
    """``#`` and underlined headings outside code fences and front matter, as (start, level, title)."""
    fence = ""
    front_matter = text.startswith("---\n")
    above, above_start = "", 0
    for start, line in _lines(text):
        if front_matter:
            front_matter = start == 0 or line.strip() not in {"---", "..."}
            continue
        if mark := _FENCE.match(line):
            fence = "" if mark[1] == fence else fence or mark[1]
        elif not fence and (heading := _HEADING.match(line)):
            yield start, len(heading[1]), _plain_title(heading[2].rstrip().rstrip("#"))
            line = ""
        elif not fence and above.strip() and (underline := _UNDERLINE.match(line)):
            yield above_start, 1 if underline[1][0] == "=" else 2, _plain_title(above)
            line = ""
        above, above_start = ("" if fence or _is_list(line) else line), start


def _is_list(line: str) -> bool:
    return line.lstrip().startswith(("- ", "* ", "+ ", "> ", "|"))


def _plain_title(line: str) -> str:
    return clean_line(_EMPHASIS.sub("", _LINK.sub(r"\1", line[:_LINE_LIMIT])), limit=_TITLE_LIMIT)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _line_starts(text: str, block: Span) -> Iterator[int]:
    for start, _line in _lines(text[block.start : block.end]):
        yield block.start + start


def _trimmed(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())
