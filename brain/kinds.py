"""The kinds of things that extraction offers where a brain names none, in the two languages that passages have.

What a Korean passage calls 사람 and an English one a person is one kind to whoever looks at the graph. Rows keep the
word that was written; pages show one label a kind.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import get_language

#: In the same order; the last one stands for anything else.
ENGLISH = ("person", "organization", "place", "product", "event", "work", "law", "date", "concept")
KOREAN = ("사람", "기관", "장소", "제품", "사건", "작품", "법률", "날짜", "개념")
_PLACE = {word: place for words in (ENGLISH, KOREAN) for place, word in enumerate(words)}


def label(kind: str) -> str:
    """A kind in the language of the page; one that somebody else named, as it is."""
    place = _PLACE.get(kind.strip().casefold())
    if place is None:
        return kind
    return (KOREAN if (get_language() or "").startswith("ko") else ENGLISH)[place]


def same(kind: str, english: str) -> bool:
    """Whether a kind is that of an English word, in whichever of the two languages it was written."""
    return _PLACE.get(kind.strip().casefold()) == _PLACE[english]


def by_label(counts: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Counts of kinds as counts of their labels, most first."""
    found: dict[str, int] = {}
    for kind, count in counts:
        found[label(kind)] = found.get(label(kind), 0) + count
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))
