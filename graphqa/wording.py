"""The words of a question: what they say, and how the person wrote them."""

from __future__ import annotations

import re
import unicodedata

from brain.language import morphemes, terms
from graphqa.plan import ASKING

_WORD = re.compile(r"[^\W_]+(?:[.\-+#&'’][^\W_]+)*[+#]*")
_HANGUL = re.compile("[가-힣]")
#: Korean words that stand without their particle: nouns, foreign words, numbers.
_BARE = ("NN", "NR", "NP", "SL", "SN", "SH", "W_SERIAL")


def content(text: str) -> frozenset[str]:
    """Words that say something: stems, or Korean morphemes, as ``w:`` terms."""
    return frozenset(term for term in terms(text) if term.startswith("w:") and term not in ASKING)


def as_typed(question: str, missing: frozenset[str]) -> tuple[str, ...]:
    """The words of ``question`` whose terms are all ``missing``, as they were typed, in their order."""
    text = unicodedata.normalize("NFKC", question)
    found = [
        (word.start(), word.group())
        for word in _WORD.finditer(text)
        if not _HANGUL.search(word.group()) and (said := content(word.group())) and said <= missing
    ]
    if _HANGUL.search(text):
        found += _korean(text, missing)
    return tuple(dict.fromkeys(word for _start, word in sorted(found)))


def _korean(text: str, missing: frozenset[str]) -> list[tuple[int, str]]:
    """Missing nouns without their particles; the whole word for a missing verb or adjective."""
    folded = text.casefold()
    shown = text if len(text) == len(folded) else folded
    words = [(word.start(), word.end()) for word in _WORD.finditer(shown)]
    found = []
    for form, tag, start, end in morphemes(folded):
        if f"w:{form}" in missing and _HANGUL.search(form):
            whole = next((word for word in words if word[0] <= start < word[1]), (start, end))
            first, last = (start, end) if tag.startswith(_BARE) else whole
            found.append((first, shown[first:last]))
    return found
