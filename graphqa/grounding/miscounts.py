"""Whether a sentence counts, in words, what its passages count otherwise: "three lanes", "세 번".

Such a number need not stand in the passages: "two months of rent" may be worked out, "two conditions" be counted. It is
at fault only if none has this number and a statement that says the same has another one.
"""

from __future__ import annotations

from collections.abc import Sequence

from brain.language import detect_language
from graphqa.grounding.amounts import amounts
from graphqa.grounding.counting import Worded, worded
from graphqa.grounding.passages import Passage, Statement
from graphqa.grounding.units import measures
from graphqa.language.wording import content


def is_told(said: Worded, passages: Sequence[Passage]) -> bool:
    """Whether the passages have that number, and of what it counts."""
    measure = measures(said.counted)[0]
    if measure.unit:
        known = [each for passage in passages for each in passage.measures]
        return any(
            each.quantity == measure.quantity or (each.value == said.value and each.unit in {"", measure.unit})
            for each in known
        )
    unit = amounts(said.counted)[0].unit
    known_amounts = [each for passage in passages for counted in passage.amounts for each in counted]
    return any(each.value == said.value and unit in each.near for each in known_amounts)


def miscounted(text: str, passages: Sequence[Passage]) -> bool:
    """``text``: with its numbers that are told in digits."""
    return any(_otherwise(text, each, passage) for each in worded(text) for passage in passages)


def _otherwise(text: str, said: Worded, passage: Passage) -> bool:
    words = content(f"{text[: said.start]} {text[said.end :]}") - content(said.noun)
    measure = measures(said.counted)[0]
    translated = bool(measure.unit) and detect_language(text) != detect_language(passage.text)
    unit = amounts(said.counted)[0].unit
    return any(
        (translated or _says_same(words, here))
        and (
            any(each.quantity[0] == measure.quantity[0] for each in measures(here.text))
            if measure.unit
            else any(each.unit == unit for each in counted)
        )
        for here, counted in zip(passage.statements, passage.amounts, strict=True)
    )


def _says_same(words: frozenset[str], here: Statement) -> bool:
    own = words & here.words
    return not words or (bool(own) and 2 * len(own | words & here.words_before) > len(words))
