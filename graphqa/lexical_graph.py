"""The graph that a question walks over, in memory, made from the ledger's rows of one brain.

Passages and terms are nodes. A term is a folded name; an extracted entity is the node of its name, so what the
model found strengthens what was there without it. Terms of one passage only and of very many say nothing and
are left out, unless a passage is about them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from graphqa.walk import Edge, Edges

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
    rarity: Mapping[int, float]
    edges: Edges
    nodes: int
    languages: Mapping[str, float] = field(default_factory=dict)


def build(
    rows: Sequence[Row], relations: Iterable[tuple[str, str]] = (), languages: Mapping[str, float] | None = None
) -> LexicalGraph:
    """The graph over these passages; ``relations`` join extracted entities by folded names."""
    passages = {row.ref: node for node, row in enumerate(rows)}
    owners: dict[str, set[int]] = defaultdict(set)
    named: dict[str, set[int]] = defaultdict(set)
    mentioned: dict[str, set[int]] = defaultdict(set)
    for node, row in enumerate(rows):
        for term in row.about:
            owners[term].add(node)
        for term in row.terms:
            named[term].add(node)
        for term in row.mentions:
            mentioned[term].add(node)
    _name_parts(named, owners)
    kept = _kept(len(rows), owners, named, mentioned)
    terms = {term: len(rows) + place for place, term in enumerate(kept)}
    frequency = {term: len(owners[term] | named[term] | mentioned[term]) for term in kept}
    rarity = {terms[term]: float(np.log(1 + len(rows) / frequency[term])) for term in kept}
    found = [
        *_term_edges(terms, rarity, owners, named),
        *_mention_edges(terms, rarity, mentioned),
        *((terms[a], terms[b], Edge.RELATES, 1.0) for a, b in relations if a in terms and b in terms),
        *_link_edges(rows, passages),
    ]
    nodes = len(rows) + len(terms)
    refs = tuple(row.ref for row in rows)
    return LexicalGraph(refs, passages, terms, rarity, _arrays(found), nodes, dict(languages or {}))


def _name_parts(named: dict[str, set[int]], owners: Mapping[str, set[int]]) -> None:
    """A passage that names a longer name also names the title inside it."""
    for term in [each for each in named if each.count(" ") >= 2]:
        words = term.split(" ")
        for length in range(2, min(len(words), _LONGEST_PART + 1)):
            for start in range(len(words) - length + 1):
                part = " ".join(words[start : start + length])
                if part in owners:
                    named[part] |= named[term]


def _kept(
    passages: int, owners: Mapping[str, set[int]], named: Mapping[str, set[int]], mentioned: Mapping[str, set[int]]
) -> list[str]:
    most = max(MOST_LEAST, MOST_SHARE * passages)
    kept = []
    for term in sorted({*owners, *named, *mentioned}):
        everywhere = owners.get(term, set()) | named.get(term, set()) | mentioned.get(term, set())
        if len(everywhere) <= most and (len(everywhere) >= 2 or term in owners or term in mentioned):
            kept.append(term)
    return kept


_Found = tuple[int, int, Edge, float]


def _term_edges(
    terms: Mapping[str, int],
    rarity: Mapping[int, float],
    owners: Mapping[str, set[int]],
    named: Mapping[str, set[int]],
) -> Iterator[_Found]:
    for term, node in terms.items():
        about, weight = owners.get(term, set()), rarity[node]
        for passage in about:
            yield node, passage, Edge.OWNER, weight
            # What a passage is about leads back to others about it only through their owner edges.
            yield passage, node, Edge.LINK if len(about) > 1 else Edge.TERM, weight
        for passage in named.get(term, set()) - about:
            yield node, passage, Edge.NAMES, weight
            yield passage, node, Edge.LINK if about else Edge.TERM, weight


def _mention_edges(
    terms: Mapping[str, int], rarity: Mapping[int, float], mentioned: Mapping[str, set[int]]
) -> Iterator[_Found]:
    for term, passages in mentioned.items():
        if (node := terms.get(term)) is not None:
            for passage in passages:
                yield node, passage, Edge.MENTIONED, rarity[node]
                yield passage, node, Edge.MENTION, rarity[node]


_LINKS = {
    "next": (Edge.NEXT, Edge.NEXT),
    "section": (Edge.SECTION, Edge.SECTION),
    "cites": (Edge.CITES, Edge.CITED),
}


def _link_edges(rows: Sequence[Row], passages: Mapping[str, int]) -> Iterator[_Found]:
    for node, row in enumerate(rows):
        for kind, ref in row.links:
            if (target := passages.get(ref)) is not None and target != node:
                there, back = _LINKS[kind]
                yield node, target, there, 1.0
                yield target, node, back, 1.0


def _arrays(found: Sequence[_Found]) -> Edges:
    if not found:
        none = np.empty(0, dtype=np.int64)
        return Edges(none, none, none.astype(np.int8), none.astype(np.float64))
    heads, tails, kinds, base = zip(*found, strict=True)
    return Edges(
        np.array(heads, dtype=np.int64),
        np.array(tails, dtype=np.int64),
        np.array(kinds, dtype=np.int8),
        np.array(base, dtype=np.float64),
    )
