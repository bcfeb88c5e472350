"""Numbers that are written as words: "twenty-one years", "세 번", "사흘"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graphqa.language.notation import ONES, TEENS, TENS, numbered

_VALUES = ONES | TEENS | TENS | {"a": 1}
_BELOW_TEN = "|".join(ONES)
_SMALL = rf"(?:{'|'.join(TENS)})(?:[-\s](?:{_BELOW_TEN}))?|{'|'.join(TEENS)}|{_BELOW_TEN}"
_SPAN = r"(?:years?|months?|weeks?|days?|hours?|minutes?)\b"
# "One" is as often no number: "one day he left", "one party". "Four Seasons" is a name.
_ENGLISH = re.compile(
    rf"\b(?!(?i:one)[\s-](?!(?i:year|month|week|hour)s?\b|(?i:hundred)\b))"
    rf"(?P<words>(?i:(?:(?:a|{_BELOW_TEN})[\s-]hundred(?:\sand)?(?:\s(?:{_SMALL}))?|{_SMALL})))"
    rf"(?=[\s-](?P<span>(?i:{_SPAN}))|\s(?P<noun>(?!(?:hundred|of|or|and|to|the|for|in|on|at|as|by|is|are|was|were)\b)"
    r"[a-z]{3,})\b)"
)
_KOREAN_TENS = numbered("열 스물 서른 마흔 쉰 예순 일흔 여든 아흔", 10, 10) | {"스무": 20}
_KOREAN_ONES = numbered("한 두 세 네 다섯 여섯 일곱 여덟 아홉", 1) | {"석": 3, "넉": 4}
_COUNTERS = "개월|개|달|시간|주|번|명|사람|가지|차례|살|배|대|권|장|마리|병|잔|곳|건"
_BEHIND = r"(?=[^가-힣]|$|에|이|은|는|을|를|의|으로|로|도|만|씩|마다|동안|까지|부터|간|당|뿐|밖|안|입|과|와)"
# Without a lone "한", which is as often "some" or "the same", but before spans of time.
_KOREAN = re.compile(
    r"(?<![가-힣])(?!한(?!\s?(?:달|시간|주)))"
    rf"(?=[가-힣])(?P<tens>{'|'.join(_KOREAN_TENS)})?(?P<ones>{'|'.join(_KOREAN_ONES)})?(?<=[가-힣])"
    rf"(?=\s?(?P<noun>{_COUNTERS}){_BEHIND})"
)
_DAYS = numbered("이틀 사흘 나흘 닷새 엿새 이레 여드레 아흐레 열흘", 2) | {"보름": 15}
_KOREAN_DAYS = re.compile(rf"(?<![가-힣])({'|'.join(_DAYS)}){_BEHIND}")


@dataclass(frozen=True, slots=True)
class Worded:
    """A number in words. ``digits`` stands for it in a text; ``counted`` is the number with the ``noun`` it counts:
    "3 years", "3번"."""

    start: int
    end: int
    value: str
    noun: str
    digits: str
    counted: str


def worded(text: str) -> Iterator[Worded]:
    for found in _ENGLISH.finditer(text):
        value, noun = str(_english(found["words"].casefold())), found["span"] or found["noun"]
        yield Worded(found.start(), found.end(), value, noun, value, f"{value} {noun}")
    for found in _KOREAN.finditer(text):
        value = str(_KOREAN_TENS.get(found["tens"], 0) + _KOREAN_ONES.get(found["ones"], 0))
        blank = " " if text[found.end()] == " " else ""
        yield Worded(found.start(), found.end() + len(blank), value, found["noun"], value, value + found["noun"])
    for found in _KOREAN_DAYS.finditer(text):
        value = str(_DAYS[found[1]])
        yield Worded(found.start(), found.end(), value, "일", f"{value}일", f"{value}일")


def in_numbers(text: str, wanted: Callable[[Worded], bool] = lambda _each: True) -> str:
    """ "two years" as "2 years", of all numbers in words or of those ``wanted``."""
    for each in sorted(worded(text), key=lambda each: -each.start):
        if wanted(each):
            text = text[: each.start] + each.digits + text[each.end :]
    return text


def _english(words: str) -> int:
    before, hundred, behind = words.rpartition("hundred")
    parts = [_VALUES[part] for part in re.split(r"[\s-]+", behind) if part in _VALUES]
    return (100 * _VALUES[before.strip(" -")] if hundred else 0) + sum(parts)
