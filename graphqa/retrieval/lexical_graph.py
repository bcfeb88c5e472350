"""The graph that a question walks over, in memory, made from the ledger's rows of one brain.

Passages and terms are nodes. A term is a folded name; an extracted entity is the node of its name, so what the
model found strengthens what was there without it. Terms of one passage only and of very many say nothing and
are left out, unless a passage is about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphqa.retrieval.walk import Edge, Edges, Floats, Ints, concatenate

# A term in more than a tenth of the passages joins everything to everything; below 30 passages nothing is rare.
MOST_SHARE = 0.1
MOST_LEAST = 12
# Longer names hold shorter ones ("Muhammad bin Saud Al Muqrin"); this many words of a name are tried.
_LONGEST_PART = 8


@dataclass(frozen=True, slots=True)
class Row:
    """A passage as the graph needs it; links are (kind, ref of the target)."""

    ref: str
    about: tuple[str, ...]
    terms: tuple[str, ...]
    links: tuple[tuple[str, str], ...] = ()
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True)
class LexicalGraph:
    """``passages`` and ``terms`` give the node of a ref or folded name; ``rarity`` is the terms' inverse document
    frequency by node."""

    refs: tuple[str, ...]
    passages: Mapping[str, int]
    terms: Mapping[str, int]
    rarity: Floats
    edges: Edges
    nodes: int
    languages: Mapping[str, float] = field(default_factory=dict)


def build(
    rows: Sequence[Row], relations: Iterable[tuple[str, str]] = (), languages: Mapping[str, float] | None = None
) -> LexicalGraph:
    """The graph over these passages; ``relations`` join extracted entities by folded names.

    Array by array: 20,000 passages with a million terms took eight seconds one by one, and take a fifth so.
    """
    numbers: dict[str, int] = {}
    about = _Pairs.of((row.about for row in rows), numbers)
    named = _Pairs.of((row.terms for row in rows), numbers)
    mentioned = _Pairs.of((row.mentions for row in rows), numbers)
    named = named.joined(_inside_longer_names(named, about, numbers)).without(about)
    everywhere = about.joined(named).joined(mentioned)
    frequency = np.bincount(everywhere.terms, minlength=len(numbers))
    owned = np.bincount(about.terms, minlength=len(numbers))
    extracted = np.bincount(mentioned.terms, minlength=len(numbers))
    most = max(MOST_LEAST, MOST_SHARE * len(rows))
    kept = (frequency <= most) & ((frequency >= 2) | (owned > 0) | (extracted > 0))
    # Node by number of a term; -1 where it is none.
    node = np.where(kept, np.cumsum(kept) + len(rows) - 1, -1)
    nodes = len(rows) + int(kept.sum())
    rarity = np.zeros(nodes)
    rarity[node[kept]] = np.log(1 + len(rows) / frequency[kept])
    passages = {row.ref: place for place, row in enumerate(rows)}
    edges = concatenate(
        [
            # What a passage is about leads back to others about it only through their owner edges.
            *_both_ways(about, node, rarity, Edge.OWNER, owned > 1),
            *_both_ways(named, node, rarity, Edge.NAMES, owned > 0),
            *_both_ways(mentioned, node, rarity, Edge.MENTIONED, None),
            _relations(relations, numbers, node),
            _links(rows, passages),
        ]
    )
    terms = {term: int(node[number]) for term, number in numbers.items() if kept[number]}
    return LexicalGraph(tuple(passages), passages, terms, rarity, edges, nodes, dict(languages or {}))


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Numbers of terms and the passages that have them, each pair once."""

    terms: Ints
    passages: Ints

    @classmethod
    def of(cls, held: Iterable[Sequence[str]], numbers: dict[str, int]) -> _Pairs:
        """Terms that are new get the next number."""
        terms: list[int] = []
        counts: list[int] = []
        for some in held:
            terms.extend(numbers.setdefault(term, len(numbers)) for term in some)
            counts.append(len(some))
        passages = np.repeat(np.arange(len(counts)), counts)
        return cls(np.array(terms, dtype=np.int64), passages.astype(np.int64))._once()

    def joined(self, other: _Pairs) -> _Pairs:
        terms, passages = (self.terms, other.terms), (self.passages, other.passages)
        return _Pairs(np.concatenate(terms), np.concatenate(passages))._once()

    def without(self, other: _Pairs) -> _Pairs:
        left = ~np.isin(self._keys(), other._keys())
        return _Pairs(self.terms[left], self.passages[left])

    def _once(self) -> _Pairs:
        _keys, first = np.unique(self._keys(), return_index=True)
        return _Pairs(self.terms[first], self.passages[first])

    def _keys(self) -> Ints:
        return self.terms << 32 | self.passages


def _inside_longer_names(named: _Pairs, about: _Pairs, numbers: Mapping[str, int]) -> _Pairs:
    """A passage that names a longer name also names the title inside it."""
    owned = set(about.terms.tolist())
    longer = [(term, number) for term, number in numbers.items() if term.count(" ") >= 2]
    inside = [(number, part) for term, number in longer for part in _parts(term, numbers) if part in owned]
    if not inside:
        return _Pairs(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    # ``named`` is sorted by term, so the passages of one are a stretch of it.
    starts = np.searchsorted(named.terms, [whole for whole, _part in inside])
    ends = np.searchsorted(named.terms, [whole for whole, _part in inside], side="right")
    parts = np.repeat([part for _whole, part in inside], ends - starts)
    places = [named.passages[start:end] for start, end in zip(starts, ends, strict=True)]
    return _Pairs(parts, np.concatenate(places))


def _parts(term: str, numbers: Mapping[str, int]) -> set[int]:
    words = term.split(" ")
    found = set()
    for length in range(2, min(len(words), _LONGEST_PART + 1)):
        for start in range(len(words) - length + 1):
            if (number := numbers.get(" ".join(words[start : start + length]))) is not None:
                found.add(number)
    return found


def _both_ways(pairs: _Pairs, node: Ints, rarity: Floats, there: Edge, linking: object) -> list[Edges]:
    """From terms to passages, and back: over ``MENTION`` where ``linking`` is None, else over ``LINK`` for the terms
    it marks and ``TERM`` for the others."""
    terms = node[pairs.terms]
    kept = terms >= 0
    terms, passages = terms[kept], pairs.passages[kept]
    if linking is None:
        back = np.full(len(terms), Edge.MENTION, dtype=np.int8)
    else:
        back = np.where(np.asarray(linking)[pairs.terms[kept]], Edge.LINK, Edge.TERM).astype(np.int8)
    forth = np.full(len(terms), there, dtype=np.int8)
    return [Edges(terms, passages, forth, rarity[terms]), Edges(passages, terms, back, rarity[terms])]


def _relations(relations: Iterable[tuple[str, str]], numbers: Mapping[str, int], node: Ints) -> Edges:
    ends = [(numbers[one], numbers[two]) for one, two in relations if one in numbers and two in numbers]
    both = node[np.array(ends, dtype=np.int64).reshape(-1, 2)]
    heads, tails = both[(both >= 0).all(axis=1)].T
    return _plain(heads, tails, Edge.RELATES)


_LINKS = {
    "next": (Edge.NEXT, Edge.NEXT),
    "section": (Edge.SECTION, Edge.SECTION),
    "cites": (Edge.CITES, Edge.CITED),
}


def _links(rows: Sequence[Row], passages: Mapping[str, int]) -> Edges:
    parts = []
    for kind, (there, back) in _LINKS.items():
        ends = [
            (node, target)
            for node, row in enumerate(rows)
            for each, ref in row.links
            if each == kind and (target := passages.get(ref)) is not None and target != node
        ]
        heads, tails = np.array(ends, dtype=np.int64).reshape(-1, 2).T
        parts += [_plain(heads, tails, there), _plain(tails, heads, back)]
    return concatenate(parts)


def _plain(heads: Ints, tails: Ints, kind: Edge) -> Edges:
    return Edges(heads, tails, np.full(len(heads), kind, dtype=np.int8), np.ones(len(heads)))
