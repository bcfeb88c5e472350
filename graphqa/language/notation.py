"""Months, currencies and numbers as they are written: one table for everything that reads dates, money and counts."""

from __future__ import annotations

#: In their order.
MONTHS = (
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
)
_SHORT = {each[:3]: at for at, each in enumerate(MONTHS, start=1) if len(each) > 3} | {"Sept": 9}
_NUMBER_OF = {each.casefold(): at for at, each in enumerate(MONTHS, start=1)} | {
    each.casefold(): at for each, at in _SHORT.items()
}
#: A month as a pattern, without groups or the full stop of a short one.
MONTH = rf"(?:{'|'.join([*MONTHS, *sorted(_SHORT, key=len, reverse=True)])})"

#: By code: the sign, what it is called in English, and in Korean as a pattern.
CURRENCIES = {
    "EUR": ("€", "euro euros eur", "유로"),
    "USD": ("$", "dollar dollars usd", "달러 불(?!교)"),
    "GBP": ("£", "pound pounds gbp", "파운드"),
    "KRW": ("₩", "won krw", "원(?![칙소자형])"),
    "JPY": ("¥", "yen jpy", "엔"),
}
SIGN_OF = {code: sign for code, (sign, _english, _korean) in CURRENCIES.items()}
CODES = "|".join(CURRENCIES)
SIGNS = "".join(SIGN_OF.values())
#: By sign: the English word for one of it.
CALLED = {sign: english.split()[0] for sign, english, _korean in CURRENCIES.values()}


def numbered(words: str, first: int, step: int = 1) -> dict[str, int]:
    """Words in the order of what they count."""
    return {word: first + step * at for at, word in enumerate(words.split())}


ONES = numbered("one two three four five six seven eight nine", 1)
TEENS = numbered("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", 10)
TENS = numbered("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10)


def month_number(word: str) -> int:
    """1 to 12; 0 for what is no month."""
    return _NUMBER_OF.get(word.casefold(), 0)


#: Words behind a number, and the power of ten that they stand for.
SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
POWERS = {"십": 1, "백": 2, "천": 3, "만": 4, "억": 8, "조": 12}
