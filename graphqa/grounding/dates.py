"""Which day of which month: an answer's "14 May" is not what a passage says of 14 February."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graphqa.language.notation import MONTHS, month_number

_NAMES = "|".join(MONTHS)
# "14 February 2023", "from 8 to 14 May"; "May 14", "May 2023", "May".
_ENGLISH = re.compile(
    r"(?:\b(?P<first>\d{1,2})\s?(?:[-–]|to|and|until)\s?)?"
    rf"\b(?P<day>\d{{1,2}}) (?P<month>{_NAMES})\b(?: (?P<year>\d{{4}})\b)?"
    rf"|\b(?P<only>{_NAMES})\b(?: (?:(?P<its_day>\d{{1,2}})(?!\d)|(?P<its_year>\d{{4}})\b))?"
)
_KOREAN = re.compile(r"(?:(?<!\d)(?P<year>\d{4})년\s?)?(?<!\d)(?P<month>1[0-2]|0?[1-9])월(?:\s?(?P<day>\d{1,2})일)?")


@dataclass(frozen=True, slots=True)
class Date:
    """A month and what stands beside it; 0 for what does not."""

    day: int
    month: int
    year: int


def dates(text: str) -> tuple[Date, ...]:
    """Of a text in ``forms.one_form``."""
    return (*_english(text), *_korean(text))


def dated_otherwise(said: Iterable[Date], told: Iterable[Date]) -> bool:
    """Whether a day of ``said`` stands among ``told`` in other months only, a month of a year as another one, or a day
    of a month in other years."""
    known = frozenset(told)
    return any(_otherwise(date, known) for date in said)


def _otherwise(said: Date, told: frozenset[Date]) -> bool:
    if said.day:
        same_day = [each for each in told if each.day == said.day]
        years = {each.year for each in same_day if each.month == said.month} - {0}
        return _lacks({each.month for each in same_day}, said.month) or bool(said.year and _lacks(years, said.year))
    alone = {each.month for each in told if not each.day and not each.year}
    months = {each.month for each in told if each.year == said.year != 0}
    return _lacks(months, said.month) and said.month not in alone


def _lacks(known: set[int], wanted: int) -> bool:
    return bool(known) and wanted not in known


def _english(text: str) -> Iterator[Date]:
    for found in _ENGLISH.finditer(text):
        month, year = month_number(found["month"] or found["only"]), int(found["year"] or found["its_year"] or 0)
        yield Date(int(found["day"] or found["its_day"] or 0), month, year)
        if found["first"]:
            yield Date(int(found["first"]), month, year)


def _korean(text: str) -> Iterator[Date]:
    for found in _KOREAN.finditer(text):
        yield Date(int(found["day"] or 0), int(found["month"]), int(found["year"] or 0))
