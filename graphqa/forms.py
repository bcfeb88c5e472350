"""One way of writing what is written in several: dates and money, the same in an answer as in its passages."""

from __future__ import annotations

import re

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_MONTH_FIRST = re.compile(rf"\b({'|'.join(_MONTHS)}) (\d{{1,2}})(?:st|nd|rd|th)?,? (?=\d{{4}}\b)")
_ORDINAL_DAY = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th) (?:of )?(?=(?:{'|'.join(_MONTHS)})\b)")
_KOREAN_DATE = re.compile(r"(?<!\d)(\d{4})년\s?(1[0-2]|[1-9])월\s?(\d{1,2})일")
_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£", "KRW": "₩", "JPY": "¥"}
_CODE = re.compile(r"\b(EUR|USD|GBP|KRW|JPY)\s?(?=\d)|(?<=\d)\s?(EUR|USD|GBP|KRW|JPY)\b")


def one_form(text: str) -> str:
    """ "February 14, 2023" as "14 February 2023", "EUR 1,350" as "€1,350", "1,350 EUR" as "1,350€"."""
    text = _MONTH_FIRST.sub(r"\2 \1 ", _ORDINAL_DAY.sub(r"\1 ", text))
    return _CODE.sub(lambda code: _SIGNS[code[1] or code[2]], text)


def with_english_dates(text: str) -> str:
    """What a passage says of "2024년 3월 11일" an answer in English says of 11 March 2024."""
    return _KOREAN_DATE.sub(lambda date: f"{date[0]} {date[3]} {_MONTHS[int(date[2]) - 1]} {date[1]}", text)
