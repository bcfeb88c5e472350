"""How often, or for how long a time: a weekly allowance is not a daily one, "매년 25일" not "매월 25일"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphqa.grounding.passages import Passage
from graphqa.language.wording import content

_NOT_A_RATE = r"(?! (?:ago|later|earlier|after|before|from|of|old|long|early|late)\b)"
_ENGLISH = {
    "hour": "hourly",
    "day": "daily",
    "week": "weekly",
    "month": "monthly",
    "quarter": "quarterly",
    "year": "yearly|annual(?:ly)?|per annum",
}
_KOREAN = {
    "hour": r"시간당|매\s?시간|시간마다",
    "day": r"매일|날마다|하루에|하루마다|(?<!\d)1일에|일일(?=\s)",
    "week": r"매주|주마다|주당|일주일에|(?<!\d)1주일?에",
    "month": r"매월|매달|달마다|다달이|한 달에|(?<!\d)1개월에",
    "quarter": r"매\s?분기|분기마다|분기별",
    "year": r"매년|해마다|연간|한 해에|(?<!\d)1년에|(?<![가-힣])연 (?=\d)",
}
# "25일에" is the day of a month.
_SEVERAL = {"day": "일(?:마다|에 한)", "week": "주(?:에|마다)", "month": "개월(?:에|마다)", "year": "년(?:에|마다)"}
_RATES = {
    unit: re.compile(
        rf"\b(?:{words}|(?:per|each|every|a|an) {unit}\b{_NOT_A_RATE})(?![-\w])|{_KOREAN[unit]}", re.IGNORECASE
    )
    for unit, words in _ENGLISH.items()
}
_LONGER = {"day": (7, "week"), "month": (12, "year")}
_EVERY_SEVERAL = {
    unit: re.compile(rf"\bevery (\d+) {unit}s\b|(?<!\d)(\d+){korean}(?=\s)", re.IGNORECASE)
    for unit, korean in _SEVERAL.items()
}
_SAYING_RATES = content(
    """hourly daily weekly monthly quarterly yearly annual annually annum hour day week month quarter year each every
    매일 매주 매월 매달 매년 해 하루 날 달 분기 연간 주 년 월 일 개월 시간 당 마다 매"""
)


def paced_otherwise(said: str, passages: Sequence[Passage]) -> bool:
    """Whether every statement that says the same and tells how often tells another time."""
    own = frozenset(_rates(said))
    words = content(said) - _SAYING_RATES
    if not own or not words:
        return False
    near = [
        here.text
        for passage in passages
        for here in passage.statements
        if here.has_most_of(words) and not here.text.endswith("?")
    ]
    told = [rates for text in near if (rates := frozenset(_rates(text)))]
    return bool(told) and all(not own & rates for rates in told)


def _rates(text: str) -> Iterator[str]:
    for unit, pattern in _RATES.items():
        if pattern.search(text):
            yield unit
    for unit, pattern in _EVERY_SEVERAL.items():
        for found in pattern.finditer(text):
            yield _every(int(found[1] or found[2]), unit)


def _every(number: int, unit: str) -> str:
    """24 months are 2 years."""
    size, longer = _LONGER.get(unit, (0, ""))
    if size and number % size == 0:
        number, unit = number // size, longer
    return unit if number == 1 else f"{number} {unit}"
