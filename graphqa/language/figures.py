"""The numbers of a text, however the language writes them: what a translation has to keep.

"On 11 March 2024 it was 3 million" and "2024년 3월 11일에 300만이었다" have the same ones: 3, 11, 2024, 3000000.
"""

from __future__ import annotations

import re
from decimal import Decimal

from graphqa.language.notation import MONTH, POWERS, SCALES, month_number
from graphqa.language.values import as_value

_MONTH = re.compile(rf"\b({MONTH})\b(?=\.?,?\s\d)|(?<=\d )({MONTH})\b|(?<=of )({MONTH})\b|(?<=in )({MONTH})\b")
# "조" behind the number of an article is no trillion.
_NUMBER = re.compile(
    r"(?P<article>제\s?)?(?P<value>\d+(?:[.,]\d+)*)"
    rf"(?:[-\s]?(?P<scale>{'|'.join(SCALES)})\b|\s?(?P<powers>[{''.join(POWERS)}]+))?",
    re.IGNORECASE,
)


def figures(text: str) -> tuple[str, ...]:
    """Every number written out, sorted; months are numbers."""
    text = _MONTH.sub(lambda month: str(month_number(month[0])), text)
    return tuple(sorted(map(_written_out, _NUMBER.finditer(text))))


def _written_out(found: re.Match[str]) -> str:
    value = as_value(found["value"])
    scale = SCALES.get((found["scale"] or "").casefold(), 0) + sum(POWERS[sign] for sign in found["powers"] or "")
    if found["article"] or not scale or value.count(".") > 1:
        return value
    written = f"{Decimal(value).scaleb(scale):f}"
    return written.rstrip("0").rstrip(".") if "." in written else written
