"""What a number counts: "1,240 people" in 2021 is not "2021 people".

A number of the answer belongs to something else if each passage statement that holds it gives it another unit, or a
date, and counts what the answer counts with another number. A number that stands bare there may count anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from brain.language import morphemes
from graphqa.language.notation import CALLED, month_number
from graphqa.language.values import CODE, HANGUL, as_value
from graphqa.language.wording import content, listed

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\w\s]")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)\b")
_SCALES = listed("hundred thousand million billion trillion 백 천 만 억 조")
# Won are counted by their Korean word: an answer in English about them says "won", one in Korean "원".
_SIGNS = CALLED | {"₩": "원", "percent": "%", "퍼센트": "%", "프로": "%"}
_BEFORE_YEAR = listed(
    """in since until by from during of between early late around about circa a an the this that his her its their"""
)
_NO_UNIT = listed(
    """after before until through during over under between among while when but than per not only also then or if
    he she it they we who which will would can could may might upstairs
    downstairs inside outside abroad elsewhere today yesterday last next ago earlier later more fewer less others apiece
    each altogether total"""
)
# As far behind a number as what it counts may stand: "8,000 of the 20,000 troops", "30 large rooms".
_NEAR = 5
DATE = "date"


@dataclass(frozen=True, slots=True)
class Amount:
    """``unit``: what follows the number, as a term; ``""`` if nothing tells. ``near``: the terms behind it,
    ``label`` the one before it: "version 2"."""

    value: str
    unit: str
    near: frozenset[str]
    label: str


def amounts(text: str) -> tuple[Amount, ...]:
    tokens = _tokens(_ORDINAL.sub(" ", CODE.sub(" ", text)))
    return tuple(_amount(tokens, at) for at, token in enumerate(tokens) if token[:1].isdigit())


def belongs_elsewhere(said: Iterable[Amount], statements: Sequence[Sequence[Amount]]) -> bool:
    """``statements``: the amounts of each statement of the cited passages."""
    return any(each.unit not in {"", DATE} and _elsewhere(each, statements) for each in said)


def _elsewhere(said: Amount, statements: Sequence[Sequence[Amount]]) -> bool:
    holding = [each for each in statements if any(amount.value == said.value for amount in each)]
    here = [amount for each in holding for amount in each if amount.value == said.value]
    if any(not each.unit or said.unit in each.near or (each.label and each.label == said.label) for each in here):
        return False
    return any(other.unit == said.unit and other.value != said.value for each in holding for other in each)


def _amount(tokens: Sequence[str], at: int) -> Amount:
    before = tokens[at - 1].casefold() if at else ""
    behind = [token.casefold() for token in tokens[at + 1 : at + 1 + _NEAR]]
    value = as_value(tokens[at])
    if before in _SIGNS:
        return Amount(value, _term(before), frozenset({_term(before)}), "")
    while behind and behind[0] in _SCALES:
        behind = behind[1:]
    near = frozenset(_term(token) for token in behind) - {""}
    unit = _term(behind[0]) if behind and behind[0] not in _NO_UNIT and not behind[0].isdigit() else ""
    month = month_number(before) or (behind and month_number(behind[0]))
    if month or _is_year(tokens[at], before) or (unit == "년" and value.isdigit() and len(value) == 4):
        unit = DATE
    return Amount(value, unit, near, _term(before))


def _is_year(number: str, before: str) -> bool:
    """ "In 1994 people moved"; "a 2014 film"."""
    return before in _BEFORE_YEAR and number.isdigit() and len(number) == 4


def _term(token: str) -> str:
    token = _SIGNS.get(token, token)
    return token if token in {"%", "원"} or HANGUL.search(token) else next(iter(content(token)), "")


def _tokens(text: str) -> list[str]:
    """Words, numbers and signs; of Korean words their nouns, what else there is as a mark that counts nothing."""
    if not HANGUL.search(text):
        return _TOKEN.findall(text)
    read = [(text[start:end], tag) for _form, tag, start, end in morphemes(text) if tag != "XSN"]
    return [form if tag.startswith(("NN", "NR", "SN", "SL", "SW")) else "," for form, tag in read]
