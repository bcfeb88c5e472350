"""A sentence taken apart: what it is about, and what it states of that in days and years, amounts and names.

Words as written, Korean ones without their particle: reading every sentence's morphemes would take longer than the
whole retrieval. Names are looked for by them, in the few sentences that are near the question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from graphqa.language.notation import MONTHS, ONES, TEENS, TENS
from graphqa.language.values import CODE, HANGUL, as_value, korean_names, names
from graphqa.language.wording import told_by

Kind = Literal["moments", "amounts", "names", "negation"]

_MONTH = rf"(?:{'|'.join(MONTHS)})"
_NTH = r"\d{1,2}(?:st|nd|rd|th)?"
_BEFORE_A_DATE = r"\b(?i:in|from|to|and|until|till|by|since|of|before|after|during|between|through)\s+"
# "May" is a month where a date would stand, and so is a bare year, or at an end of a heading; "2000 euros" are not.
_MOMENT = re.compile(
    rf"\b{_NTH}(?: of)? {_MONTH}\b(?:,? \d{{4}}\b)?|\b{_MONTH} {_NTH}\b(?:,? \d{{4}}\b)?|\b{_MONTH},? \d{{4}}\b"
    rf"|{_BEFORE_A_DATE}(?:{_MONTH}\b|(?:1[5-9]|20)\d\d\b(?![.,]\d))"
    r"|^(?:1[5-9]|20)\d\d\b|\b(?:1[5-9]|20)\d\d$"
    r"|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|[월화수목금토일]요일[가-힣]*"
    r"|\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{4}\.\s?\d{1,2}\.\s?\d{1,2}\b"
    r"|(?:\d{4}년\s?)?(?<!\d)\d{1,2}월(?:\s?\d{1,2}일)?[가-힣]*|(?<!\d)(?:1[5-9]|20)\d\d년(?!\s?(?:간|동안))[가-힣]*"
)
_DAY_OR_YEAR = re.compile(rf"\d+|{_MONTH}|[A-Z][a-z]+day|[월화수목금토일](?=요일)")
_SPELLED = {word: str(number) for word, number in (ONES | TEENS | TENS).items()}
_SPELLED_OUT = re.compile(rf"\b(?:{'|'.join(_SPELLED)})\b(?! of\b)", re.IGNORECASE)
# With what a Korean number counts, which is written onto it.
_AMOUNT = re.compile(r"\d+(?:[.,:/\-]\d+)*[가-힣]*")
_DIGITS = re.compile(r"\d+(?:[.,:/\-]\d+)*")
_WORD = re.compile(r"[^\W\d_]{2,}")
_PARTICLE = re.compile(r"(?<=[가-힣])(?:에서|에게|으로|까지|부터|에는|에도|은|는|이|가|을|를|의|에|와|과|도|로|만)$")
_NOT = re.compile(
    r"\b(?:not|never|no|cannot|without|nor)\b|n['’]t\b|않|없|아니|못\s?[하한할합]|금지|불가", re.IGNORECASE
)
# Numbers of items and of articles differ from law to law and state nothing.
_PLACE = re.compile(r"^\s*\(?\d{1,3}[.)](?=\s|$)|제\s?\d+(?:조|항|호|장|절)(?:의\s?\d+)?", re.MULTILINE)
# A version's date, and what it says of itself.
_OF_ITSELF = re.compile(
    r"\W*(?:date|dated|version|edition|effective|issued|revised|amended|approved|published|updated|as of|valid from"
    r"|last (?:updated|revised|amended|changed)|this|these)\b"
    r"|\W*(?:날짜|일자|작성일|시행일|개정일|발행일|공포일|버전|판|본|이)(?:\s|[:：은는이가자])",
    re.IGNORECASE,
)
_KOREAN_IS = re.compile(
    r"(?<=[가-힣])(?:[은는]\s+(?P<is>[가-힣]{2,}?(?:\s[가-힣]+?)?)(?:이다|입니다|이에요|예요)"
    r"|:\s*(?P<field>[가-힣]{2,}(?:\s[가-힣]+)?))\W*$"
)
_ENDED = tuple(".!?。！？…\"'”’)]")


@dataclass(frozen=True, slots=True)
class Told:
    """``subject``: its words without its values, nor the last word of a Korean sentence, which is its verb. ``words``
    as many as it has, values not counted."""

    subject: frozenset[str]
    moments: frozenset[frozenset[str]]
    amounts: frozenset[str]
    names: frozenset[str]
    negated: bool
    words: int


def told(sentence: str, *, asked: str) -> Told:
    """A name that is ``asked`` about, folded, or that stands first is part of what the sentence is about."""
    stated = _PLACE.sub(" ", sentence)
    found = [_moment(each) for each in _MOMENT.findall(stated)]
    rest = _MOMENT.sub(" ", stated)
    moments = found if sentence.endswith(_ENDED) and not _OF_ITSELF.match(sentence) else []
    codes = frozenset(code.casefold() for code in CODE.findall(rest))
    rest = CODE.sub(" ", rest)
    called = frozenset(name for name in _names(rest) if name not in asked)
    rest = _without(rest, called)
    rest = _SPELLED_OUT.sub(lambda word: _SPELLED[word.group().casefold()], rest)
    amounts = frozenset(as_value(digits) for digits in _DIGITS.findall(rest))
    subject = frozenset(key for word in _subject(_AMOUNT.sub(" ", rest)) if (key := _key(word)))
    count = len(frozenset(_WORD.findall(_DIGITS.sub(" ", stated))))
    return Told(subject | codes, frozenset(moments), amounts, called, bool(_NOT.search(stated)), count)


def differing(one: Told, two: Told) -> frozenset[Kind]:
    """Kinds of values of which each of them states others."""
    kinds: set[Kind] = set()
    if one.amounts and two.amounts and not one.amounts & two.amounts:
        kinds.add("amounts")
    if one.names - two.names and two.names - one.names:
        kinds.add("names")
    if _others(one.moments, two.moments) and _others(two.moments, one.moments):
        kinds.add("moments")
    if one.negated != two.negated:
        kinds.add("negation")
    return frozenset(kinds)


def _others(some: frozenset[frozenset[str]], all_of_them: frozenset[frozenset[str]]) -> bool:
    """Whether there are days that are not one of these, told more or less exactly."""
    return any(not any(day <= known or known <= day for known in all_of_them) for day in some)


def _moment(written: str) -> frozenset[str]:
    parts = _DAY_OR_YEAR.findall(written)
    return frozenset(str(MONTHS.index(part) + 1) if part in MONTHS else as_value(part) for part in parts)


def _names(text: str) -> list[str]:
    folded = text.strip().casefold()
    found = [name for name in [*names(text), *korean_names(text)] if not folded.startswith(name)]
    # "김영희" is read as three words, and of "담당자: 이네스 오카포" none is known as a name.
    return [*found, *(each["is"] or each["field"] for each in _KOREAN_IS.finditer(folded))]


def _without(text: str, called: frozenset[str]) -> str:
    for name in sorted(called, key=len, reverse=True):
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
    return text


def _subject(text: str) -> list[str]:
    words = _WORD.findall(text)
    return words[:-1] if words and HANGUL.search(words[-1]) else words


def _key(word: str) -> str:
    return _PARTICLE.sub("", word) if HANGUL.search(word) else told_by(word)
