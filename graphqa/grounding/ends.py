"""Who did it to whom: "A acquired B" is not what a passage says of which B acquired A.

Read from a sentence's surface, without a parser. English: the names around a past form, "was ... by" turning them
round. Korean: nouns by their particles before the verb. What cannot be read so is left alone, as are verbs that
hold both ways ("married"): an exchange is told only where a passage has the same verb with its ends the other way round
and nowhere the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from brain.language import morphemes
from graphqa.language.values import HANGUL
from graphqa.language.wording import content, listed

_WORD = re.compile(r"[^\W_]+(?:['’\-.&][^\W_]+)*|[^\w\s]")
_BE = listed("is are was were be been being get got")
_INSIDE = listed("of the de la le du da del der den von van al el bin ibn mac")
# "by" in them names no doer, and a name after them belongs to another clause.
_BREAKS = listed(
    """, ; : ( ) when while after before until because that which who whom whose where since although though if and
    but or with than like as he she it they we i you him her them"""
)
_ADVERBS = listed("also later then soon first")
_NO_SUBJECT = listed("he she it they we i you")
_NO_NAME = listed(
    """a an the in on at by for from to with of as and or but when while after before since until although though
    if he she it they we i you his her its their this that these those there both all some many most no not"""
)
_PAST = {
    form: base
    for base, forms in {
        "buy": "bought",
        "sell": "sold",
        "win": "won",
        "beat": "beat beaten",
        "lead": "led",
        "take": "took taken",
        "give": "gave given",
        "make": "made",
        "write": "wrote written",
        "build": "built",
        "lose": "lost",
        "teach": "taught",
        "pay": "paid",
        "send": "sent",
        "choose": "chose chosen",
        "overthrow": "overthrew overthrown",
        "drive": "drove driven",
        "hold": "held",
        "find": "found",
        "tell": "told",
        "bring": "brought",
        "catch": "caught",
        "lend": "lent",
        "shoot": "shot",
        "steal": "stole stolen",
        "strike": "struck stricken",
    }.items()
    for form in forms.split()
}
# They hold both ways, or say where something is.
_BOTH_WAYS = listed(
    """married wedded divorced merged joined allied played faced battled fought tied bordered shared equalled
    equaled resembled matched compared related connected linked located based situated named called titled
    entitled used engaged dated paired"""
)
_KOREAN_BOTH_WAYS = frozenset({"만나", "닮", "비교", "마주치"})
_NOUNS = ("NN", "NR", "SN", "SL", "SH", "XSN", "XPN")
# Behind a participle as well as behind a past: "officers sent from A", "A sent from B".
_PLACES = listed("from to through via in into at near under within between on for among")
_LOSING = frozenset({"lost", "surrendered"})
# Words that may stand between a verb and the name behind it.
_REACH = 8
_FROM = frozenset({"에게서", "한테서", "로부터", "으로부터"})
_TO = frozenset({"에게", "한테", "께"})


@dataclass(frozen=True, slots=True)
class Act:
    """A verb and the names at its ends, folded, by role."""

    verb: str
    ends: Mapping[str, str]


def acts(sentence: str) -> tuple[Act, ...]:
    return tuple(_korean(sentence) if HANGUL.search(sentence) else _english(sentence))


def exchanged(said: Sequence[Act], told: Iterable[Act]) -> bool:
    """Whether one of the acts ``said`` stands among ``told`` only with its ends the other way round."""
    known = list(told)
    return any(
        any(_turned(act, each) for each in known) and not any(_agrees(act, each) for each in known) for act in said
    )


def _turned(one: Act, other: Act) -> bool:
    return any(_same(one, a, other, b) and _same(one, b, other, a) for a, b in _shared(one, other))


def _agrees(one: Act, other: Act) -> bool:
    return any(_same(one, a, other, a) and _same(one, b, other, b) for a, b in _shared(one, other))


def _shared(one: Act, other: Act) -> Iterator[tuple[str, str]]:
    return combinations(sorted(one.ends.keys() & other.ends.keys()), 2) if one.verb == other.verb else iter(())


def _same(one: Act, at: str, other: Act, there: str) -> bool:
    """Whether a name is the other or a part of it: 심상정 of 기호 2번 심상정 후보."""
    name, known = f" {one.ends[at]} ", f" {other.ends[there]} "
    return name in known or known in name


def _english(sentence: str) -> Iterator[Act]:
    words = _WORD.findall(sentence)
    spans = list(_name_spans(words))
    for at, word in enumerate(words):
        verb = _PAST.get(word) or (next(iter(content(word)), "") if word.endswith("ed") and word.islower() else "")
        if not verb or word in _BOTH_WAYS:
            continue
        before = next((span for span in reversed(spans) if span.stop <= at), None)
        if before is None or any(each in _NO_SUBJECT for each in words[before.stop : at]):
            continue
        passive = _is_passive(words, at)
        after = next((span for span in spans if span.start > at), None)
        if passive is None or after is None or not _reaches(words[at + 1 : after.start], by=passive):
            continue
        first, last = (_called(words[span.start : span.stop]) for span in (before, after))
        yield Act(verb, {"doer": last, "done": first} if passive else {"doer": first, "done": last})


def _is_passive(words: Sequence[str], at: int) -> bool | None:
    """None where it cannot be told: "A, located near B"; "A was taken to B"; "A won by beating B"; "made by A and sold
    by B"; "officers sent from A"."""
    after = words[at + 1 : at + 1 + _REACH]
    if words[at - 1] == "and" or ("".join(after[:1]) in _PLACES and words[at] not in _LOSING):
        return None
    by = after.index("by") if "by" in after else -1
    named = by >= 0 and not "".join(after[by + 1 : by + 2]).endswith("ing")
    adverb = words[at - 1].endswith("ly") or words[at - 1] in _ADVERBS
    if by == 0 or words[at - 1 - adverb] in _BE:
        return True if named else None
    return None if by > 0 or words[at - 1] in {",", "("} else False


def _reaches(between: Sequence[str], *, by: bool) -> bool:
    if by:
        return "by" in between and not _BREAKS & set(between[: between.index("by")])
    return len(between) <= _REACH and not _BREAKS & set(between)


def _name_spans(words: Sequence[str]) -> Iterator[range]:
    """Runs of capitalised words, short words inside them included."""
    start = end = -1
    for at, word in enumerate(words):
        if word[:1].isupper() and not (end < 0 and word.casefold() in _NO_NAME):
            start, end = (at if start < 0 else start), at + 1
        elif start >= 0 and not (word in _INSIDE and at - end < 2):
            yield range(start, end)
            start = end = -1
    if start >= 0:
        yield range(start, end)


def _called(words: Sequence[str]) -> str:
    return " ".join(word.casefold().removesuffix("'s").removesuffix("’s").strip(".") for word in words)


def _korean(sentence: str) -> Iterator[Act]:
    """Each verb with the nearest subject before it and what stands between it and the verb before."""
    subject = ""
    others: dict[str, str] = {}
    run: list[tuple[int, int]] = []
    for form, tag, start, end in morphemes(sentence):
        if tag.startswith(_NOUNS) or (tag == "SW" and run):
            run.append((start, end))
            continue
        noun = sentence[run[0][0] : run[-1][1]].casefold() if run else ""
        last = sentence[run[-1][0] : run[-1][1]] if run else ""
        run = []
        if tag == "JKS" or (tag == "JX" and form in {"은", "는"}):
            subject = noun
        elif role := _role(form, tag):
            others[role] = noun
        elif tag.startswith("VV") or (tag == "XSV" and form == "하"):
            verb = form if tag.startswith("VV") else last
            if subject and others and verb not in _KOREAN_BOTH_WAYS:
                yield Act(verb, {"subject": subject, **others})
            others = {}


def _role(form: str, tag: str) -> str:
    if tag == "JKO":
        return "object"
    return "" if tag != "JKB" else "from" if form in _FROM else "to" if form in _TO else ""
