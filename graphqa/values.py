"""Names and numbers in a sentence: what an answer may not get wrong."""

from __future__ import annotations

import re

from brain.terms import capitalised

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def numbers(text: str) -> frozenset[str]:
    """Numbers as values: thousands separators and leading zeros do not count."""
    found = (number.replace(",", "").strip(".") for number in _NUMBER.findall(text))
    return frozenset(number.lstrip("0") or "0" for number in found)


def names(text: str) -> list[str]:
    """Names inside the sentence, folded; its first word may be capitalised for standing first."""
    found = [name for name in capitalised(text) if not any(c.isdigit() for c in name)]
    first = text.split(" ", 1)[0].casefold() if text else ""
    return [name for name in found if name != first]
