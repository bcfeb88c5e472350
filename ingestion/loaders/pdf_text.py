"""From a PDF reader's raw page text to text as a person would type it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from brain.text import clean_text
from ingestion.loaders.hangul import LineEnds

# PDFium writes U+FFFE for a hyphen at the end of a line and joins the halves; other readers leave both.
# The second half is looked at, not taken: it may be broken again. Bounded, for words of a million letters.
_HYPHEN_AT_END = re.compile(
    "(?<!\\w)(\\w{1,60})[ \t]*(\ufffe|[-\u2010\u2011][ \t]*\r?\n|\u00ad[ \t]*(?:\r?\n)?)[ \t]*(?=(\\w{1,60}))"
)
# Hangul, kana and Chinese letters are not hyphenated at line ends: there, a hyphen is meant.
_UNHYPHENATED = "\u1100"
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*")
# What pypdf writes for a glyph that has a name but no letter.
_GLYPH_NAME = re.compile(r"/[A-Za-z]{1,5}\d{1,5}(?=/|\s|\Z)")
_BLANKS = re.compile("[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_LINE_EDGES = re.compile(r" *\n *")
# First halves that keep their hyphen before nearly any word. Not here: co, inter, multi, over, pre, sub, under
# and their like, which are written together at least as often.
_COMPOUND_FIRST = frozenset(
    {"all", "cross", "double", "far", "first", "five", "four", "full", "half", "hard", "high", "ill", "large", "last"}
    | {"late", "left", "light", "like", "long", "low", "mid", "near", "never", "next", "non", "off", "old", "one"}
    | {"open", "part", "peer", "quasi", "real", "right", "same", "second", "self", "semi", "short", "single", "six"}
    | {"small", "so", "state", "ten", "third", "three", "time", "top", "two", "user", "vice", "well", "wide", "world"}
    | {"year", "zero"}
)


class Vocabulary:
    """The words of a document, as far as no line end runs through them. Folded."""

    def __init__(self, pages: Iterable[str]) -> None:
        pages = list(pages)
        self._counts: Counter[str] = Counter()
        self.line_ends = LineEnds(pages)
        for page in pages:
            whole = _HYPHEN_AT_END.sub(" ", page)
            self._counts.update(word.casefold() for word in _WORD.findall(whole))

    def __getitem__(self, word: str) -> int:
        return self._counts[word.casefold()]


def readable_share(text: str) -> float:
    """The share of visible characters that mean something: not private use, unassigned, controls or U+FFFD."""
    visible = [letter for letter in _GLYPH_NAME.sub("\ufffd", text) if not letter.isspace() and letter != "\ufffe"]
    if not visible:
        return 1.0
    odd = sum(1 for c in visible if c == "\ufffd" or unicodedata.category(c) in {"Co", "Cn", "Cc", "Cs"})
    return 1.0 - odd / len(visible)


def tidy(raw: str, words: Vocabulary) -> str:
    """Halved words joined, one kind of blank, no blanks at line ends, then the door for text."""
    text = _HYPHEN_AT_END.sub(lambda found: _joined(found, words), words.line_ends.mend(raw))
    text = _BLANKS.sub(" ", clean_text(text))
    return _LINE_EDGES.sub("\n", text).strip()


def _joined(found: re.Match[str], words: Vocabulary) -> str:
    first, mark, second = found[1], found[2], found[3]
    if mark[0] == "\u00ad":
        return first
    return f"{first}-" if _keeps_hyphen(first, second, words) else first


def _keeps_hyphen(first: str, second: str, words: Vocabulary) -> bool:
    """The document's own spelling decides; then the form of the halves; a hyphen at a line end is else a break."""
    hyphened, whole = words[f"{first}-{second}"], words[first + second]
    if hyphened != whole:
        return hyphened > whole
    if not (first.isalpha() and second.isalpha()) or max(first + second) >= _UNHYPHENATED:
        return True
    if second[0].isupper() and not first.isupper():
        return True
    return first.casefold() in _COMPOUND_FIRST
