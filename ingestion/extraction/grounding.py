"""Where a name stands in a passage, if it does, and the sentence around it."""

from __future__ import annotations

import itertools
import re
import unicodedata
from bisect import bisect_left

from brain.identity import without_particle
from brain.text import clean_line

_IGNORED = re.compile("[\\s\"'`´‘’‚‛“”„‟«»‹›「」『』〈〉《》\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff_]")
_LATIN_OR_DIGIT = re.compile(r"[0-9A-Za-z\u00c0-\u024f]")
# A sentence ends at its sign before a blank, at a blank line, or where a line starts a list item or a heading; not
# after an initial or a title, whose point is part of a name.
_SENTENCE_END = re.compile(
    r"(?<=[.!?。！？])(?<!\b[A-Z]\.)(?<!\b(?:Mr|Dr|St|vs|No|Co)\.)(?<!\b(?:Mrs|Inc|Ltd|Fig|Sec|Art|etc)\.)"
    r"[\"'”’)\]]*\s+|\n\s*\n|\n(?=\s*(?:[-*•·○◦▪#|]|\d+[.)]\s|[가-하][.)]\s))"
)
SENTENCE_LIMIT = 300
_READ_FOR_PARTICLES = 100


class Grounds:
    """A passage prepared for looking names up: case, blanks and quotes do not count, whole words do."""

    def __init__(self, passage: str) -> None:
        self.passage = passage
        folded: list[str] = []
        self._places: list[int] = []
        for place, character in enumerate(passage):
            for kept in _fold(character):
                folded.append(kept)
                self._places.append(place)
        self._folded = "".join(folded)
        self._breaks = [match.end() for match in _SENTENCE_END.finditer(passage)]

    def find(self, name: str) -> tuple[int, int] | None:
        """Offsets of the first place where ``name`` stands as a word of its own."""
        wanted = "".join(_fold(character) for character in unicodedata.normalize("NFC", name))
        at = self._folded.find(wanted) if wanted else -1
        while at >= 0:
            start, end = self._places[at], self._places[at + len(wanted) - 1] + 1
            if self._is_word(start, end):
                return start, end
            at = self._folded.find(wanted, at + 1)
        return None

    def locate(self, name: str) -> tuple[int, int] | None:
        """As ``find``; a Korean name may carry another particle than it has in the passage."""
        bare = without_particle(name) if len(name) <= _READ_FOR_PARTICLES else name
        found = self.find(bare) if bare != name else None
        return found or self.find(name)

    def sentence(self, start: int, end: int) -> str:
        """The sentence around a stretch, in one line, at most ``SENTENCE_LIMIT`` characters, the stretch in it."""
        left, right = self.sentence_bounds(start, end)
        if right - left > SENTENCE_LIMIT:
            left = max(left, min(start, right - SENTENCE_LIMIT))
            right = min(right, left + SENTENCE_LIMIT)
        return clean_line(self.passage[left:right], limit=SENTENCE_LIMIT)

    def sentence_bounds(self, start: int, end: int) -> tuple[int, int]:
        index = bisect_left(self._breaks, start + 1)
        left = self._breaks[index - 1] if index else 0
        index = bisect_left(self._breaks, end)
        right = self._breaks[index] if index < len(self._breaks) else len(self.passage)
        return left, right

    def shared_sentence(self, left: str, right: str) -> str:
        """The first sentence that holds both names, or an empty text."""
        bounds = [0, *self._breaks, len(self.passage)]
        for start, end in itertools.pairwise(bounds):
            part = Grounds(self.passage[start:end]) if end - start > 2 else None
            if part and (a := part.find(left)) and (b := part.find(right)):
                return part.sentence(min(a[0], b[0]), max(a[1], b[1]))
        return ""

    def _is_word(self, start: int, end: int) -> bool:
        """Not a piece of a longer word or number. A Korean particle may follow, an English plural too."""
        text = self.passage
        if start and _LATIN_OR_DIGIT.match(text[start]) and _LATIN_OR_DIGIT.match(text[start - 1]):
            return False
        if end < len(text) and _LATIN_OR_DIGIT.match(text[end - 1]) and _LATIN_OR_DIGIT.match(text[end]):
            rest = re.match(r"(?:e?s)(?![0-9A-Za-z\u00c0-\u024f])", text[end:])
            return rest is not None
        return True


def _fold(character: str) -> str:
    folded = unicodedata.normalize("NFKC", character).casefold()
    return _IGNORED.sub("", folded)
