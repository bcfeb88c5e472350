"""Names and numbers in a sentence: what an answer may not get wrong."""

from __future__ import annotations

import re

from brain.language import morphemes
from brain.terms import capitalised

# "QL-200" and "HR-7" are names: their numbers count nothing.
_CODE = re.compile(r"[A-Za-z]+[-–]?\d[\w-]*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_HANGUL = re.compile("[가-힣]")
_PARTICLE = re.compile(r"(?<=[a-z0-9])[가-힣]+$")
_OF_A_NAME = ("NNP", "NNG", "SL", "XSN")
_SHORTEST = 2


def numbers(text: str) -> frozenset[str]:
    """Numbers as values: thousands separators and leading zeros do not count."""
    found = (number.replace(",", "").strip(".") for number in _NUMBER.findall(_CODE.sub(" ", text)))
    return frozenset(number.lstrip("0") or "0" for number in found)


def names(text: str) -> list[str]:
    """Capitalised names, folded, also such as "QL-200"; without the sentence's first word, which may be capitalised for
    standing first."""
    first = _PARTICLE.sub("", first_word(text.casefold()))
    found = dict.fromkeys(capitalised(text))
    return [name for name in found if name[:1].isalpha() and (name != first or _CODE.fullmatch(name))]


def korean_names(text: str) -> list[str]:
    """Proper names written in Hangul, without particles, in their order: nouns written as one word, the first of them a
    proper one."""
    if not _HANGUL.search(text):
        return []
    found: list[tuple[int, int]] = []
    for _form, tag, start, end in morphemes(text):
        if tag in _OF_A_NAME and found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        elif tag == "NNP":
            found.append((start, end))
    return [text[start:end].casefold() for start, end in found if end - start >= _SHORTEST]


def first_word(text: str) -> str:
    return text.split(" ", 1)[0]
