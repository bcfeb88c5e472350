"""Which article or section a sentence points to: "제6조에 따른다" is not what a passage says of 제5조.

A reference is at fault if the passages number articles and none so, or if the statements that say the same, and point
to an article or stand under one, have other numbers only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphqa.grounding.passages import Passage, Statement
from graphqa.language.wording import content

_REFERENCE = re.compile(
    r"제\s?(?P<number>\d+)\s?(?P<kind>[조항장절])"
    r"|(?:\b(?P<word>article|section|clause|paragraph|chapter|art\.|sec\.)|(?P<sign>§))\s?(?P<its>\d+(?:\.\d+)*)",
    re.IGNORECASE,
)
_KINDS = {"paragraph": "항", "chapter": "장"}
# "4. Fees", "4.2 Fees": of any kind.
_HEADING = re.compile(r"^[\s#*(]*(\d+(?:\.\d+)*)[.)]?\s")

Reference = tuple[str, str]


def without_references(text: str) -> str:
    return _REFERENCE.sub(" ", text)


def refers_elsewhere(said: str, passages: Sequence[Passage], question: str) -> bool:
    """``question``: what it points to the answer may repeat."""
    wanted = set(_references(said)) - set(_references(question))
    if not wanted:
        return False
    words = content(without_references(said))
    under = [pair for passage in passages for pair in _with_references(passage)]
    known = frozenset[Reference]().union(*(references for _here, references in under))
    same = [references for here, references in under if here.has_most_of(words)]
    return any(_lacks(each, [known]) or _lacks(each, same) for each in wanted)


def _lacks(wanted: Reference, told: Sequence[frozenset[Reference]]) -> bool:
    kind, number = wanted
    of_kind = [each for references in told for each in references if each[0] == kind]
    return bool(of_kind) and not any(each in {wanted, ("", number)} for references in told for each in references)


def _with_references(passage: Passage) -> Iterator[tuple[Statement, frozenset[Reference]]]:
    """Each statement with what it points to, and with the article that it stands under."""
    place = frozenset(_references(passage.place))
    under = frozenset[Reference]()
    for here in passage.statements:
        heading = _REFERENCE.match(here.text) or _HEADING.match(here.text)
        if heading:
            under = frozenset(_references(heading[0])) or frozenset({("", heading[1])})
        yield here, place | under | frozenset(_references(here.text))


def _references(text: str) -> Iterator[Reference]:
    for found in _REFERENCE.finditer(text):
        if found["number"]:
            yield found["kind"], found["number"]
        else:
            yield _KINDS.get((found["word"] or "").casefold(), "조"), found["its"]
