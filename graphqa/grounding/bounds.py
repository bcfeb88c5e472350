"""Which way a bound goes: "by 31 March" is not "from 31 March", "30일 이내" not "30일 후", "at least" not "at most".

A sentence is at fault if the statements that say the same have its date or number with the opposite bound only. Where
one of them is negated nothing is told: "no longer than 30 days" is what "not after 30 days" means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from brain.language import detect_language
from graphqa.grounding.clauses import Clause, clauses, may_be_negated
from graphqa.grounding.dates import dates
from graphqa.grounding.passages import Passage
from graphqa.language.notation import MONTHS
from graphqa.language.values import as_value
from graphqa.language.wording import content

_MONTH = "|".join(MONTHS)
_ENGLISH_DATE = rf"(?:\d{{1,2}} )?\b(?:{_MONTH})\b(?: \d{{4}}| \d{{1,2}}\b)?"
_KOREAN_DATE = rf"(?:\d{{4}}년\s?)?\d{{1,2}}월(?:\s?\d{{1,2}}일)?(?: {_ENGLISH_DATE})?"
_VALUE = re.compile(rf"(?P<date>{_KOREAN_DATE}|{_ENGLISH_DATE})|(?P<clock>\d{{1,2}}:\d\d)|(?P<number>\d+(?:[.,]\d+)*)")
_OPPOSITE = {
    "begin": {"end"},
    "end": {"begin"},
    "least": {"most"},
    "most": {"least", "later"},
    "later": {"earlier", "most"},
    "earlier": {"later"},
}
# What stands before a value, at its end; behind a value and its unit, at its beginning.
_BEFORE_POINT = {
    "end": r"until|till|through|by|before|up to|(?:no|not) later than|not after",
    "begin": r"from|since|after|starting(?: on| from)?|beginning(?: on)?|(?:no|not) earlier than|not before",
}
_BEFORE_NUMBER = {
    "most": r"(?:no|not) (?:more|longer|later|greater|higher|older) than|at (?:the )?most|up to|within|under|below"
    r"|less than|fewer than|younger than|maximum of|not exceeding|최대|많아야|길어야",
    "least": r"(?:no|not) (?:less|fewer|earlier|younger) than|at (?:the )?least|over|above|more than|exceeding"
    r"|older than|minimum of|최소|적어도",
    "later": r"after",
    "begin": r"from",
    "end": r"to",
}
_BEHIND_NUMBER = {
    "most": r"(?:or|and) (?:less|fewer|under|younger|below)\b|at (?:the )?(?:most|latest)\b"
    r"|이하|미만|이내|안에|내에|내로",
    "least": r"(?:or|and) (?:more|over|older|above|longer)\b|at least\b|이상|초과",
    "later": r"(?:after|later|following)\b|(?:이후|후|뒤)(?=[부에의로\s,.]|$)|(?:이\s)?지난|(?:이\s)?지나",
    "earlier": r"(?:before|earlier|prior to)\b|(?:이전|전)(?=[까에의\s,.]|$)",
    "end": r"까지|으?로(?=[\s,.]|$)",
    "begin": r"부터|에서",
}
_BEHIND_POINT = {
    "end": r"까지|이내|(?:이전|전)(?=[까에의\s,.]|$)",
    "begin": r"부터|(?:이후|후)(?=[부에의로\s,.]|$)",
}
_UNIT = r"[\s-]?(?:[^\W\d_가-힣]+(?:['’]s?)?|[만억천백]*\s?[가-힣%]{1,3}?)??(?:을|를|이)?\s?"
_SAYING_BOUNDS = content(
    """from since until till through by before after within at least most up to over under above below more less fewer
    than no later earlier start begin maximum minimum old young 이상 이하 초과 미만 이내 이후 이전 최대 최소 후 전 뒤
    안 내 지나"""
)


def _at_end(table: dict[str, str]) -> list[tuple[re.Pattern[str], str]]:
    return [
        (re.compile(rf"(?:\b|(?<=[가-힣]))(?:{words})\s(?:the |an? )?[€$£₩¥]?$", re.I), way)
        for way, words in table.items()
    ]


def _at_start(table: dict[str, str], unit: str) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(rf"{unit}(?:{words})", re.I), way) for way, words in table.items()]


_POINT = _at_end(_BEFORE_POINT), _at_start(_BEHIND_POINT, r"\s?")
_NUMBER = _at_end(_BEFORE_NUMBER), _at_start(_BEHIND_NUMBER, _UNIT)


def bounded_otherwise(said: str, passages: Sequence[Passage]) -> bool:
    bounds = [each for each in _bounds(said) if each[1]]
    words = frozenset(word for word in content(said) - _SAYING_BOUNDS if not word[2:].isdigit())
    claim, language = Clause(words, negated=False, without=False), detect_language(said)
    if not bounds or _negates(said, claim):
        return False
    told = [
        bound
        for passage in passages
        for here in passage.statements
        if here.has_most_of(words) or detect_language(here.text) != language
        for bound in _bounds(here.text, negated=_negates(here.text, claim))
    ]
    return any(_opposite(value, ways, told) for value, ways in bounds)


def _negates(text: str, claim: Clause) -> bool:
    return may_be_negated(text) and any(each.negates(claim) for each in clauses(text))


_Bound = tuple[str, frozenset[str]]


def _opposite(value: str, ways: frozenset[str], told: Sequence[_Bound]) -> bool:
    same = [each for known, each in told if known == value]
    against = frozenset[str]().union(*(_OPPOSITE[way] for way in ways))
    return bool(same) and all(each & against and not each & ways for each in same)


def _bounds(text: str, *, negated: bool = False) -> Iterator[_Bound]:
    """The dates and numbers of a text and the ways of each; none where it is ``negated``."""
    for found in _VALUE.finditer(text):
        before, behind = _NUMBER if found["number"] else _POINT
        head, tail = text[max(0, found.start() - 30) : found.start()], text[found.end() : found.end() + 30]
        ways = [next((way for pattern, way in before if pattern.search(head)), "")]
        ways += [way for pattern, way in behind if pattern.match(tail)]
        yield _value(found), frozenset() if negated else frozenset(ways) - {""}


def _value(found: re.Match[str]) -> str:
    if found["date"]:
        return " ".join(sorted({f"{date.day}.{date.month}" for date in dates(found["date"])}))
    return found["clock"] or as_value(found["number"])
