"""A small model that has no more to say may say the same again until its last token: it is stopped while it does, and
what it said once stays.

Only words that come back in the same order, one round right behind the other, are a repetition. An enumeration whose
items begin alike differs somewhere in each of them; marks of passages and numbers of items do not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from brain.values import Completion
from graphqa.language.sentences import sentences

_WORD = re.compile(r"\[\s*\d[\d\s,;]*\]|^\s*(?:\d{1,2}[.)]|[-*•])\s|(?P<word>\w+)", re.MULTILINE)
# Rounds that make a repetition, and letters that they hold together: "very, very, very" is none. Of a round as long as
# a sentence two are enough: three would not fit into an answer.
_ROUNDS, _LETTERS, _SENTENCE = 3, 24, 40
_ENDED = re.compile(r"(?:[.!?。！？…][\"'”’)\]]*|\[\d[\d\s,;]*\])\s*$")


class RepeatWatch:
    """Hears an answer piece by piece and passes it on; ``stop`` becomes true where it begins to repeat itself."""

    def __init__(self, told: Callable[[str], None] | None, cancelled: Callable[[], bool]) -> None:
        self.repeating = False
        self._told = told
        self._cancelled = cancelled
        self._text = ""

    def hear(self, piece: str) -> None:
        if self._told is not None:
            self._told(piece)
        self._text += piece
        words = [word.group().casefold() for word in _words(self._text)]
        self.repeating = self.repeating or bool(_round(words, len(words)))

    def stop(self) -> bool:
        return self.repeating or self._cancelled()


def told_once(reply: Completion) -> str:
    """What ``reply`` says before it repeats itself, in whole sentences. A reply cut for its length keeps its only
    sentence, half as it is."""
    if cut := _repeats_from(reply.text):
        return _in_whole_sentences(reply.text[:cut])
    return (_in_whole_sentences(reply.text) or reply.text) if reply.finish == "length" else reply.text


def _repeats_from(text: str) -> int:
    """Where the first round ends, or the sentence that it ends in; 0 if nothing is repeated."""
    found = _words(text)
    words = [word.group().casefold() for word in found]
    for end in range(2, len(words) + 1):
        if length := _round(words, end):
            first = end - length * _rounds(words[end - length : end])
            one, two = (found[first + n * length - 1].end() for n in (1, 2))
            ends = (end for _start, end in sentences(text) if one <= end < two and _ENDED.search(text[:end]))
            return next(ends, one)
    return 0


def _words(text: str) -> list[re.Match[str]]:
    return [word for word in _WORD.finditer(text) if word["word"]]


def _round(words: Sequence[str], end: int) -> int:
    """Of how many words the shortest round is that is repeated up to ``end``; 0 if none is."""
    for length in range(1, end // 2 + 1):
        if words[end - 1] == words[end - 1 - length]:
            span = length * _rounds(words[end - length : end])
            if span <= end and words[end - span : end - length] == words[end - span + length : end]:
                return length
    return 0


def _rounds(words: Sequence[str]) -> int:
    letters = sum(map(len, words))
    return 2 if letters >= _SENTENCE else max(_ROUNDS, -(-_LETTERS // letters))


def _in_whole_sentences(text: str) -> str:
    spans = sentences(text)
    if spans and not _ENDED.search(text) and "\n" not in text[spans[-1][1] :]:
        text = text[: spans[-1][0]]
    return text.rstrip()
