"""Which statement of a passage is quoted beside a sentence of the answer."""

from __future__ import annotations

from brain.language import terms
from graphqa.evidence.context import Shown
from graphqa.grounding.counting import in_numbers
from graphqa.grounding.forms import one_form, with_dates_in_words, with_english_dates, without_list_mark
from graphqa.grounding.units import in_units_of, measures, written_out
from graphqa.language.sentences import statements
from graphqa.language.values import numbers


def quote_of(text: str, shown: Shown) -> tuple[int, int]:
    """(start, end) in the shown text of the statement that holds most of the numbers of ``text``, and of those that do
    the one that says most of it, wrapped lines and all; the passage's first if none does."""
    spans = statements(shown.text) or [(0, len(shown.text))]
    told = in_numbers(with_english_dates(one_form(shown.text)))
    said = in_units_of(measures(told), in_numbers(with_dates_in_words(one_form(without_list_mark(text)))))
    wanted, counted, measured = terms(text), numbers(said), _measured(said)

    def likeness(span: tuple[int, int]) -> tuple[int, float]:
        own = shown.text[span[0] : span[1]]
        if not counted:
            return 0, _overlap(wanted, own)
        here = in_numbers(with_english_dates(one_form(own)))
        # "7 days" is told by "7 days" rather than by "article 7".
        held = len(counted & (numbers(here) | written_out(here))) + len(measured & _measured(here))
        return held, _overlap(wanted, own)

    return max(spans, key=likeness)


def _measured(text: str) -> frozenset[tuple[str, str]]:
    return frozenset((each.full, each.unit) for each in measures(text) if not each.bare)


def _overlap(wanted: dict[str, int], sentence: str) -> float:
    own = terms(sentence)
    shared = sum(min(count, own[term]) for term, count in wanted.items() if term in own)
    return float(shared / (8 + sum(own.values())) ** 0.5)
