"""The date a document gives itself: what it says at its head, else its file name, else what its file says of itself.

It decides which of two documents is the newer where they disagree, and which are asked where a person chooses dates.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import date

from brain.models import DatedBy
from brain.values import Document

# Letterheads, front matter and the preamble of a statute; dates further down are of what the text is about.
HEAD = 1200
_YEARS = range(1900, 2101)

_MONTHS = {name[:3].casefold(): number for number, name in enumerate(calendar.month_name) if name}
_MONTH = r"(?P<month_name>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
# "03/04/2024" is not read: March here, April there.
_DATE = re.compile(
    r"(?<!\d)(?P<y1>\d{4})\s?[-./]\s?(?P<m1>\d{1,2})\s?[-./]\s?(?P<d1>\d{1,2})(?!\d)"
    r"|(?<!\d)(?P<y2>\d{4})년\s?(?P<m2>\d{1,2})월\s?(?P<d2>\d{1,2})일"
    rf"|(?<!\d)(?P<d3>\d{{1,2}})(?:st|nd|rd|th)? {_MONTH.replace('month_name', 'm3')},? (?P<y3>\d{{4}})(?!\d)"
    rf"|\b{_MONTH.replace('month_name', 'm4')} (?P<d4>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y4>\d{{4}})(?!\d)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:\b(?:date[d]?|effective|issued|published|revised|updated|modified|amended|adopted|signed|in force|as of)\b"
    r"|일자|날짜|일시|작성일|시행|발행|개정|제정|공포|기준일|회의일|체결일|게시일)\W{0,3}"
    r"(?:(?:date|on|from|as of|since|일)\W{0,3})?$",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)[-_. ]?(?P<m>0[1-9]|1[0-2])[-_. ]?(?P<d>0[1-9]|[12]\d|3[01])(?!\d)")
# A line that is a date: "Seoul, 15 May 2024", "2024. 5. 15. (수)".
_BEFORE = re.compile(r"\W*(?:[\w ]{1,30},)?\W*(?:\w{3,6}day)?\W*", re.IGNORECASE)
_BEHIND = re.compile(r"\W*(?:\w{3,6}day|[월화수목금토일](?:요일)?)?\W*", re.IGNORECASE)


def date_of(document: Document, file_name: str) -> tuple[date | None, str]:
    """The date and who gave it (``DatedBy``); (None, "") where there is none."""
    found, by = said_or_named(document.text[:HEAD], file_name)
    return (document.dated, DatedBy.FILE) if document.dated and not found else (found, by)


def said_or_named(head: str, file_name: str) -> tuple[date | None, str]:
    """The same from the beginning of its text and its name alone."""
    if found := _said(head):
        return found, DatedBy.TEXT
    if (match := _NAME.search(file_name)) and (found := _date(match["y"], match["m"], match["d"])):
        return found, DatedBy.NAME
    return None, ""


def _said(head: str) -> date | None:
    """The last of the labelled ones ("issued ..., revised ..."), else the first that has a line to itself."""
    labelled: list[date] = []
    alone: list[date] = []
    for line in head.splitlines():
        for start, end, found in _dates(line):
            if _LABEL.search(line[:start]):
                labelled.append(found)
            elif _BEFORE.fullmatch(line[:start]) and _BEHIND.fullmatch(line[end:]):
                alone.append(found)
    return max(labelled, default=None) or (alone[0] if alone else None)


def _dates(line: str) -> Iterator[tuple[int, int, date]]:
    for match in _DATE.finditer(line):
        year, month, day = next((match[f"y{n}"], match[f"m{n}"], match[f"d{n}"]) for n in range(1, 5) if match[f"y{n}"])
        if found := _date(year, month, day):
            yield match.start(), match.end(), found


def _date(year: str, month: str, day: str) -> date | None:
    number = int(month) if month.isdigit() else _MONTHS[month[:3].casefold()]
    try:
        return date(int(year), number, int(day)) if int(year) in _YEARS else None
    except ValueError:
        return None
