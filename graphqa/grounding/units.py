"""What a number measures: "412 metres" are not 412 feet, nor 9 million 9 billion, nor 250 mg 250 g.

A number of the answer with a unit or a scale of the table is at fault if the cited passages give that number others of
the table, and nowhere this one or none. A number that stands bare, or with a unit that the table lacks, may measure
anything; a date measures nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from graphqa.language.notation import CALLED, CODES, CURRENCIES, MONTH, POWERS, SCALES, SIGNS
from graphqa.language.values import CODE, as_value

# Each line is one unit: its English spellings and signs; behind the bar its Korean ones. Money is one more line each;
# "pound" is money and weight.
_TABLE = """
metre metres meter meters m | 미터
foot feet ft | 피트
kilometre kilometres kilometer kilometers km ㎞ | 킬로미터
centimetre centimetres centimeter centimeters cm ㎝ | 센티미터 센티
millimetre millimetres millimeter millimeters mm ㎜ | 밀리미터
mile miles mi | 마일
inch inches | 인치
yard yards yd | 야드
kilogram kilograms kilogramme kilogrammes kilo kilos kg kgs ㎏ | 킬로그램
gram grams gramme grammes g | 그램
milligram milligrams mg ㎎ | 밀리그램
microgram micrograms mcg µg μg | 마이크로그램
tonne tonnes ton tons t | 톤
ounce ounces oz | 온스
pound lb lbs | 파운드
litre litres liter liters l ℓ | 리터
millilitre millilitres milliliter milliliters ml ㎖ | 밀리리터
cent cents | 센트
percent % ％ | 퍼센트 프로(?![그젝])
kilowatt kilowatts kw | 킬로와트
watt watts w | 와트
second seconds sec secs | 초
minute minutes min mins | 분(?![의기])
hour hours hr hrs h | 시간
day days | 일
week weeks | 주(?![년차택의])
month months | 개월 달
year years yr yrs | 년(?![대생])
"""
# What a unit is of a smaller one.
_OF = {
    "year": ("month", 12),
    "week": ("day", 7),
    "day": ("hour", 24),
    "hour": ("minute", 60),
    "minute": ("second", 60),
    "kilometre": ("metre", 1000),
    "metre": ("centimetre", 100),
    "centimetre": ("millimetre", 10),
    "tonne": ("kilogram", 1000),
    "kilogram": ("gram", 1000),
    "gram": ("milligram", 1000),
    "milligram": ("microgram", 1000),
    "litre": ("millilitre", 1000),
    "kilowatt": ("watt", 1000),
}
_LETTERS = {"k": 3, "K": 3, "m": 6, "M": 6, "mn": 6, "bn": 9, "B": 9, "tn": 12}
_LINES = [line.split(" | ") for line in _TABLE.strip().splitlines()]
_LINES += [[f"{english} {sign}", korean] for sign, english, korean in CURRENCIES.values()]
_ENGLISH = {spelling: line[0].split()[0] for line in _LINES for spelling in line[0].split()}
_KOREAN = [(re.compile(spelling), line[0].split()[0]) for line in _LINES for spelling in line[1].split()]
_KOREAN.sort(key=lambda each: -len(each[0].pattern))
_MONEY = rf"[{SIGNS}]|\b(?:{CODES}|{CODES.lower()})\b"
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_BEFORE = re.compile(rf"({_MONEY})\s?$")
_SCALE = re.compile(rf"[-\s]?({'|'.join(SCALES)})\b", re.IGNORECASE)
_POWER = re.compile(f"[{''.join(POWERS)}]+")
_MONEY_WORD = re.compile(rf"\s?(?:{'|'.join(CALLED.values())}|{_MONEY})")
_LETTER = re.compile(r"(bn|mn|tn|[kKmMB])(?![^\W\d_])")
_UNIT = re.compile(rf"[-\s]?(per cent\b|[%％{SIGNS}]|[^\W\d_가-힣]+)(?![²³^])")
_RANGE = re.compile(rf"\s*(?:[-–~]|to\b|or\b|and\b|내지|또는)\s*[{SIGNS}]?\d")
_DAY = r"\d{1,2}(?:st|nd|rd|th)?\b"
_DATE = re.compile(
    rf"\b{MONTH}\b\.? {_DAY}(?:,? \d{{4}}\b)?|\b{_DAY} (?:of )?{MONTH}\b\.?(?: \d{{4}}\b)?"
    r"|(?<![\d,.])[12]\d{3}년(?:\s?\d{1,2}월)?(?:\s?\d{1,2}일)?|\d{1,2}월(?:\s?\d{1,2}일)?|(?:매월|매달|당월|익월)\s?\d{1,2}일"
    r"|제\s?\d+[조항호]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Measure:
    """``unit``: ``""`` if none of the table; ``scale``: the power of ten behind the number; ``written``: all of it as
    it stands, beginning at ``start``."""

    value: str
    scale: int
    unit: str
    written: str
    start: int

    @property
    def bare(self) -> bool:
        return not self.unit and not self.scale

    @property
    def full(self) -> str:
        """The number written out: "9 million" as "9000000"."""
        if not self.scale or self.value.count(".") > 1:
            return self.value
        written = f"{Decimal(self.value).scaleb(self.scale):f}"
        return written.rstrip("0").rstrip(".") if "." in written else written

    @property
    def quantity(self) -> tuple[str, Decimal]:
        """The smallest unit of its kind, and how many of it: 2 years as 24 months."""
        unit, many = self.unit, Decimal(self.full if self.full.count(".") < 2 else "NaN")
        while unit in _OF:
            unit, times = _OF[unit]
            many *= times
        return unit, many


def measures(text: str) -> tuple[Measure, ...]:
    text = _DATE.sub(lambda date: " " * len(date[0]), text)
    codes = [code.span() for code in CODE.finditer(text)]
    found = (number for number in _NUMBER.finditer(text) if not any(a <= number.start() < b for a, b in codes))
    return tuple(_measure(text, number) for number in found)


def in_units_of(told: Sequence[Measure], text: str) -> str:
    """``text`` with "2 years" as "24 months" and "25 million won" as "2,500만 원", where ``told`` has it so."""
    for said in reversed(measures(text)):
        # A bare number may be that of a list: "2. Fee".
        known = [each for each in told if not each.bare]
        if said.bare or any(_agree(said, each) and said.value in {each.value, each.full} for each in known):
            continue
        same = next((each for each in known if each.quantity == said.quantity), None)
        if same is not None:
            text = text[: said.start] + same.written + text[said.start + len(said.written) :]
    return text


def written_out(text: str) -> frozenset[str]:
    return frozenset(each.full for each in measures(text) if each.scale)


def measures_otherwise(said: Iterable[Measure], told: Sequence[Measure]) -> bool:
    """``told``: the measures of the cited passages."""
    return any(not each.bare and _otherwise(each, told) for each in said)


def _otherwise(said: Measure, told: Sequence[Measure]) -> bool:
    same = [each for each in told if each.value == said.value or each.full == said.full]
    return bool(same) and not any(_agree(said, each) for each in same)


def _agree(said: Measure, told: Measure) -> bool:
    return told.bare or (said.full == told.full and (not said.unit or not told.unit or said.unit == told.unit))


def _measure(text: str, number: re.Match[str]) -> Measure:
    value = as_value(number[0])
    at = number.end()
    if _RANGE.match(text, at):
        return Measure(
            value, 0, "", number[0], number.start()
        )  # "2 to 3 million": what measures it stands behind the other number
    before = _BEFORE.search(text, 0, number.start())
    scale, at = _scale(text, at, money=bool(before))
    unit, end = (_ENGLISH[before[1].casefold()], at) if before else _unit(text, at)
    start = before.start() if before else number.start()
    return Measure(value, scale, unit, text[start:end], start)


def _scale(text: str, at: int, *, money: bool) -> tuple[int, int]:
    """The power of ten behind a number, and where it ends."""
    scale = 0
    while found := _SCALE.match(text, at):
        scale, at = scale + SCALES[found[1].casefold()], found.end()
    if scale:
        return scale, at
    if found := _POWER.match(text, at):
        return sum(POWERS[sign] for sign in found[0]), found.end()
    letter = _LETTER.match(text, at)
    if letter and (money or letter[1] != "m" or _MONEY_WORD.match(text, letter.end())):
        return _LETTERS[letter[1]], letter.end()
    return 0, at


def _unit(text: str, at: int) -> tuple[str, int]:
    """The unit behind a number, and where it ends."""
    if found := _UNIT.match(text, at):
        unit = _ENGLISH.get(found[1].casefold().replace("per cent", "percent"), "")
        return unit, found.end() if unit else at
    space = text[at : at + 1] == " "
    for spelling, unit in _KOREAN:
        found = spelling.match(text, at + space)
        if found and not (space and len(found[0]) == 1 and unit != "won"):
            return unit, found.end()
    return "", at
