"""One way of writing what is written in several: dates, spans of time and money, the same in an answer as in its
passages."""

from __future__ import annotations

import re

from graphqa.language.notation import CODES, MONTH, MONTHS, SIGN_OF, month_number

_NAMES = "|".join(MONTHS)
_SHORTENED = re.compile(
    rf"\b({MONTH})\.?(?=\s(?:\d{{1,2}}(?:st|nd|rd|th)?\b|\d{{4}}\b))|(?<=\d )({MONTH})\b(?:\.(?=\s\d{{4}}\b))?"
)
_MONTH_FIRST = re.compile(rf"\b({_NAMES}) (\d{{1,2}})(?:st|nd|rd|th)?(?:,(?= \d{{4}}\b)|(?![\d:]|[.,]\d))")
_ORDINAL_DAY = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th) (?:of )?(?=(?:{_NAMES})\b)")
_KOREAN_DATE = re.compile(r"(?<!\d)(\d{4})년\s?(1[0-2]|0?[1-9])월\s?(\d{1,2})일")
_NUMERIC_DATE = re.compile(r"(?<![\d-])(\d{4})-(1[0-2]|0[1-9])-([0-2]\d|3[01])(?![\d-])")
_CODE = re.compile(rf"\b({CODES})\s?(?=\d)|(?<=\d)\s?({CODES})\b")
_LIST_MARK = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*•])\s+")


def without_list_mark(text: str) -> str:
    return _LIST_MARK.sub("", text)


def one_form(text: str) -> str:
    """ "Feb. 14, 2023" as "14 February 2023", "EUR 1,350" as "€1,350", "1,350 EUR" as "1,350€"."""
    text = _SHORTENED.sub(lambda month: MONTHS[month_number(month[1] or month[2]) - 1], text)
    text = _MONTH_FIRST.sub(r"\2 \1", _ORDINAL_DAY.sub(r"\1 ", text))
    return _CODE.sub(lambda code: SIGN_OF[code[1] or code[2]], text)


def with_dates_in_words(text: str) -> str:
    """ "2023-02-14" as "14 February 2023"."""
    return _NUMERIC_DATE.sub(_in_words, text)


def with_english_dates(text: str) -> str:
    """What a passage says of "2024년 3월 11일" or "2024-03-11" an answer in English says of 11 March 2024."""
    for numeric in (_KOREAN_DATE, _NUMERIC_DATE):
        text = numeric.sub(lambda date: f"{date[0]} {_in_words(date)}", text)
    return text


def _in_words(date: re.Match[str]) -> str:
    return f"{int(date[3])} {MONTHS[int(date[2]) - 1]} {date[1]}"
