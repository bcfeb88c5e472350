"""The clauses of a sentence, and which of them are negated, in English and Korean.

An even number of negations is none: "하지 않을 수 없다".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from brain.language import morphemes
from graphqa.language.values import HANGUL
from graphqa.language.wording import content, listed

_CLAUSES = re.compile(
    r"[,;:]\s+|\s+(?:and|but|while|whereas|because|although|though|if|when|that|which|who|whom|whose)\s+"
    r"|\s+(?=unless\b)|(?<=아니라)\s+|(?<=지만)\s+|(?<=하되)\s+|(?<=[고며])\s+"
)
_NOT = re.compile(
    r"\b(?:not|cannot|never|nor|no|none|nobody|nothing|unless|prohibit\w*|forbid\w*)\b|n['’]t\b", re.IGNORECASE
)
# "not only", "no later than", "No. 5", "with no delay".
_NO_NEGATION = re.compile(
    r"\b(?:not|no)\s+(?:only|just|merely|necessarily|later|earlier|sooner|more|less|fewer|longer\s+than)\b"
    r"|\bno\.?\s?(?=\d)|\bwith\s+no\b|\bor\s+not\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"\bwithout\b|없이|없어도|없더라도", re.IGNORECASE)
_KOREAN_NOT = {
    **dict.fromkeys(("않", "없", "아니", "못하", "말"), ("VX", "VA", "VCN")),
    **dict.fromkeys(("안", "못"), ("MAG",)),
    "밖에": ("JX",),
}
_KOREAN_FORBIDDEN = re.compile(r"금지|불가능|불허|불가(?=[\s.,하한합함]|$)")
# "지나지 않는다", "뿐만 아니라", "아니면".
_KOREAN_NO_NEGATION = re.compile(r"지나지\s?않|뿐만?\s?아니|아니면|아닌지")
_KOREAN_LETTERS = re.compile("[않없안못말찮잖]|아니|아닌|아닙|금지|불가|불허|밖에")
# "않은 경우" is "않으면".
_NO_NOUN = listed("경우 때 한 이상 동안 기간 상태")
_SHORT_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)
_SET_APART = re.compile(r"\s*not\b", re.IGNORECASE)
_IDLE = frozenset(
    f"w:{word}"
    for word in listed(
        """must may shall should would will might need ought allow permit requir oblig prohibit forbid forbidden not
        never no none noth nobodi nor without unless cannot have within under over after befor until till through dure
        per each everi ani all some 없 안 못 않 아니 금지 불가 불가능 가능 허용 허가 의무 없이 불 불허"""
    )
)


@dataclass(frozen=True, slots=True)
class Clause:
    """``words``: without those that negate, and without verbs such as "must" and "allow"; ``said`` with them.
    ``without``: "without consent", "동의 없이", which does not negate the verb but turns it: "not ... without" is
    "only ... with". ``qualified``: the Korean nouns behind a verb's form, "쓴 휴가"; ``excluded``: those behind a
    negated one, "쓰지 않은 휴가", which ``negated`` counts too."""

    words: frozenset[str]
    negated: bool
    without: bool
    qualified: frozenset[str] = frozenset()
    excluded: tuple[str, ...] = ()
    said: frozenset[str] = frozenset()

    def negates(self, other: Clause) -> bool:
        """Whether it is negated as ``other`` would say it, which may leave out what qualifies a noun."""
        left_out = sum(noun in other.words - other.qualified for noun in self.excluded)
        return self.negated != (left_out % 2 == 1)


def clauses(text: str) -> tuple[Clause, ...]:
    """Without those that only set apart: "..., not 2,700 euros"."""
    first, *others = _CLAUSES.split(text)
    parts = [first, *(part for part in others if part.strip() and not _SET_APART.match(part))]
    return tuple(_clause(part) for part in parts)


def _clause(part: str) -> Clause:
    said = content(_SHORT_NOT.sub("", part))
    excluded, qualified = _behind_verbs(part) if HANGUL.search(part) else ((), frozenset[str]())
    return Clause(said - _IDLE, _is_negated(part), bool(_WITHOUT.search(part)), qualified, excluded, said)


def _behind_verbs(part: str) -> tuple[tuple[str, ...], frozenset[str]]:
    read = morphemes(part)
    nouns = [
        (before[0], f"w:{noun[0]}")
        for before, form, noun in zip(read, read[1:], read[2:], strict=False)
        if form[1] == "ETM" and noun[1] in {"NNG", "NNP"} and noun[0] not in _NO_NOUN
    ]
    excluded = tuple(noun for verb, noun in nouns if verb in {"않", "못하", "없"})
    return excluded, frozenset(noun for _verb, noun in nouns)


def may_be_negated(text: str) -> bool:
    """Told from the letters alone."""
    return bool(_NOT.search(text) or _KOREAN_LETTERS.search(text))


def _is_negated(clause: str) -> bool:
    count = len(_NOT.findall(_NO_NEGATION.sub(" ", clause)))
    if HANGUL.search(clause):
        read = morphemes(_KOREAN_NO_NEGATION.sub(" ", _WITHOUT.sub(" ", clause)))
        count += sum(tag.split("-")[0] in _KOREAN_NOT.get(form, ()) for form, tag, *_place in read)
        count += len(_KOREAN_FORBIDDEN.findall(clause))
    return count % 2 == 1
