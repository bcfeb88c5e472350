"""Which of several values in one statement goes with which words: of "14 days for incremental backups, 90 days for
full ones", the full backups are not kept for 14.

A statement is read in parts, at its commas and its "and"s. A value is paired otherwise if, of the words in which its
part and that of another value of its kind (of the same unit, or both names) differ, the claim has only the other's.
Words that one part has where the other has none are no difference if they may hold for both: "kept" of "daily copies
are kept for 14 days and yearly copies for 90", "attended" of "Ann and Ben attended".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from brain.language import morphemes
from graphqa.grounding.amounts import amounts
from graphqa.language.sentences import is_row
from graphqa.language.values import HANGUL, value_spans
from graphqa.language.wording import content_in_order, listed

_PARTS = re.compile(
    r"[,;]\s+|\s+(?:and|but|while|whereas|or|versus)\s+|(?<=지만)\s+|(?<=하되)\s+|(?<=[고며])\s+|\s+(?:및|또는)\s+"
)
_NAME = "name"
# "and renews for 12 months", "or can be ended".
_VERB_FIRST = re.compile(r"[a-z]+(?:s|ed|ing)$")
_AUXILIARIES = listed("can could will would shall should may might must has have had do does did be is are was were")


@dataclass(frozen=True, slots=True)
class Value:
    """A number or a name in a part of a statement. ``kind``: what it counts, or ``"name"``; ``before`` and ``behind``:
    the words of its part on either side; ``has_subject``: whether a subject stands before it, or it is one."""

    text: str
    kind: str
    part: int
    before: tuple[str, ...]
    behind: tuple[str, ...]
    has_subject: bool

    @property
    def words(self) -> frozenset[str]:
        return frozenset(self.before + self.behind)


def values(statement: str, names: Collection[str]) -> tuple[Value, ...]:
    """Those of a statement that has several parts, ``names`` being the names in it; a table's row has none."""
    if is_row(statement):
        return ()
    names = [name for name in names if not any(name != other and name in other for other in names)]
    read = [text for text in _PARTS.split(statement) if text.strip()]
    return tuple(value for at, text in enumerate(read) for value in _values(at, text, names)) if len(read) > 1 else ()


def paired_otherwise(value: str, words: frozenset[str], told: Collection[Value], beside: Collection[str] = ()) -> bool:
    """Whether ``words``, said of ``value``, are those of another value of the same statement, whose values are
    ``told``. ``beside``: the other values of which the words are said."""
    own = [each for each in told if _is(value, each) and each.kind]
    here = {each.part for each in told if _is(value, each)}
    others = [each for each in told if each.part not in here and not any(_is(known, each) for known in beside)]
    return bool(own) and all(any(_are_of(words, other, each) for other in others) for each in own)


def _is(value: str, told: Value) -> bool:
    """A name may be part of a longer one."""
    return value == told.text or (told.kind == _NAME and value in told.text)


def _are_of(words: frozenset[str], other: Value, own: Value) -> bool:
    later = own.part > other.part
    # What a later part without a subject says is said of the subject before it.
    goes_on = own.kind == _NAME and not own.before and not later and not other.has_subject
    if other.kind != own.kind or goes_on:
        return False
    first, second = (other, own) if later else (own, other)
    of_second, of_first = _difference(second.behind, first.behind)
    if own.has_subject or not later:
        heads = _difference(first.before, second.before)
        of_first, of_second = of_first | heads[0], of_second | heads[1]
    ours, theirs = (of_second, of_first) if later else (of_first, of_second)
    ours, theirs = (ours - other.words, theirs - own.words - {f"w:{own.kind}"})
    return bool(ours and words & theirs and not words & ours)


def _difference(short: Sequence[str], whole: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The words of each where the other has different ones; of ``whole`` those too where the other has none. Where
    ``short`` has more, those next to a word that both have count: "under the rules the adults' dose" against "the
    children's dose"."""
    ours: list[str] = []
    theirs: list[str] = []
    for kind, start, end, there, there_end in SequenceMatcher(None, short, whole, autojunk=False).get_opcodes():
        if kind != "equal":
            count = min(end - start, there_end - there)
            ours += short[end - count : end] if end < len(short) else short[start : start + count]
            theirs += whole[there:there_end]
    return frozenset(ours), frozenset(theirs)


def _values(part: int, text: str, names: Collection[str]) -> Iterator[Value]:
    folded = text.casefold()
    kinds = {each.value: each.unit for each in amounts(text)}
    places = [(name, _NAME, start, start + len(name)) for name in names if (start := folded.find(name)) >= 0]
    places += [(number, kinds.get(number, ""), start, end) for number, start, end in value_spans(text)]
    for value, kind, start, end in places:
        before = text[:start]
        words = content_in_order(before)
        has_subject = _has_subject(before) if words else kind == _NAME
        yield Value(value, kind, part, words, content_in_order(text[end:]), has_subject)


def _has_subject(before: str) -> bool:
    if HANGUL.search(before):
        return any(tag == "JKS" or (tag == "JX" and form in {"은", "는"}) for form, tag, *_place in morphemes(before))
    first = before.split(" ", 1)[0]
    return not (_VERB_FIRST.match(first) or first in _AUXILIARIES)
