"""Names and numbers in a sentence: what an answer may not get wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain.language import morphemes
from brain.terms import capitalised

# "QL-200" and "HR-7" are names: their numbers count nothing.
CODE = re.compile(r"[A-Za-z]+[-–]?\d[\w-]*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
HANGUL = re.compile("[가-힣]")
# Greek to Georgian, kana, Chinese characters.
_OTHER_SCRIPT = re.compile(r"[\u0370-\u10ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_ARTICLE = re.compile(r"^제\d+조(?:의\d+)?\s?(?:\([^)]*\)\s?)?")
_PARTICLE = re.compile(r"(?<=[a-z0-9])[가-힣]+$")
_OF_A_NAME = ("NNP", "NNG", "SL", "XSN")
_SHORTEST = 2
_BEFORE_SUBJECT = 2


def numbers(text: str) -> frozenset[str]:
    """Numbers as values: thousands separators and leading zeros do not count."""
    return frozenset(value for value, _start, _end in value_spans(text))


def value_spans(text: str) -> list[tuple[str, int, int]]:
    """Each number's value and where it stands."""
    blank = CODE.sub(lambda code: " " * len(code[0]), text)
    return [(as_value(found[0]), *found.span()) for found in _NUMBER.finditer(blank)]


def as_value(number: str) -> str:
    return number.replace(",", "").strip(".").lstrip("0") or "0"


def names(text: str) -> list[str]:
    """Capitalised names, folded, also such as "QL-200"; without the sentence's first word, which may be capitalised for
    standing first. Each stands in the folded text as it is given: of "St. Georg" the two words, of "You'll" none."""
    folded = text.casefold()
    first = _PARTICLE.sub("", _first_word(folded))
    whole = filter(_is_name, capitalised(text))
    parts = (part for name in whole for part in ([name] if name in folded else name.split()))
    found = dict.fromkeys(part for part in parts if _is_name(part) and part in folded)
    return [name for name in found if name != first or CODE.fullmatch(name)]


def _is_name(name: str) -> bool:
    """ "Margaret, Edgar" of "Margaret, Edgar's sister" is two names, and each of them is told apart from this one."""
    return name[:1].isalpha() and ", " not in name


def korean_names(text: str) -> list[str]:
    """Proper names written in Hangul, without particles, in their order: nouns written as one word, the first of them a
    proper one."""
    if not HANGUL.search(text):
        return []
    found: list[tuple[int, int]] = []
    for _form, tag, start, end in morphemes(text):
        if tag in _OF_A_NAME and found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        elif tag == "NNP":
            found.append((start, end))
    return [text[start:end].casefold() for start, end in found if end - start >= _SHORTEST]


def named(text: str) -> tuple[str, ...]:
    """Every name of a sentence, folded, in either script."""
    return tuple(dict.fromkeys([*names(text), *korean_names(text)]))


def in_other_script(text: str) -> frozenset[str]:
    """What is written in neither Latin letters nor Hangul, folded."""
    return frozenset(_OTHER_SCRIPT.findall(text.casefold()))


def begins_with_name(text: str, names: Iterable[str]) -> bool:
    """Whether a sentence names what it is about first, so that no pronoun leans on what comes before. ``names``: those
    in it."""
    folded = text.casefold()
    first = _first_word(_ARTICLE.sub("", folded))
    return any(name in first if HANGUL.search(name) else stands_first(name, folded) for name in names)


def stands_first(name: str, folded: str) -> bool:
    """Whether a name stands where a sentence's subject does: "In 2015 ...", "The young ..." may go before it."""
    return len(folded[: folded.find(name)].split()) <= _BEFORE_SUBJECT


def _first_word(text: str) -> str:
    return text.split(" ", 1)[0]
