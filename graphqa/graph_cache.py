"""The walked graph of each brain, kept in memory until the brain changes.

A graph that is a little behind harms nothing, because every hit is looked up in the rows before it is used. So
while a brain changes all the time, a rebuild waits for ten times as long as the last one took.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from brain.ledger.state import chunk_ref, visible
from brain.models import Brain, Chunk, ChunkLink, ChunkTerm, Mention, Relation, Source
from graphqa.lexical_graph import LexicalGraph, Row, build
from graphqa.walk import Edge, Transitions, transitions

_KEPT = 8
_PATIENCE = 10.0


@dataclass
class _Kept:
    stamp: tuple[object, ...]
    graph: LexicalGraph
    built: float
    seconds: float
    moves: dict[tuple[tuple[Edge, float], ...], Transitions] = field(default_factory=dict)


_graphs: OrderedDict[UUID, _Kept] = OrderedDict()
_lock = threading.Lock()


def graph_of(brain_id: UUID) -> LexicalGraph:
    return _kept(brain_id).graph


def transitions_of(brain_id: UUID, weights: Mapping[Edge, float]) -> tuple[LexicalGraph, Transitions]:
    """The graph and its transitions for these weights, of the same moment."""
    kept = _kept(brain_id)
    key = tuple(sorted(weights.items()))
    if key not in kept.moves:
        kept.moves[key] = transitions(kept.graph.edges, kept.graph.nodes, weights)
    return kept.graph, kept.moves[key]


def _kept(brain_id: UUID) -> _Kept:
    stamp = _stamp(brain_id)
    with _lock:
        kept = _graphs.get(brain_id)
        now = time.monotonic()
        if kept is None or (kept.stamp != stamp and now - kept.built >= _PATIENCE * kept.seconds):
            graph = load(brain_id)
            kept = _graphs[brain_id] = _Kept(stamp, graph, time.monotonic(), time.monotonic() - now)
        _graphs.move_to_end(brain_id)
        while len(_graphs) > _KEPT:
            _graphs.popitem(last=False)
    return kept


def _stamp(brain_id: UUID) -> tuple[object, ...]:
    """Different after every change that the graph shows: the revision, and what is in the trash."""
    revision = Brain.objects.filter(pk=brain_id).values_list("revision", flat=True).first()
    return revision, Source.objects.filter(visible(""), brain=brain_id).count()


def load(brain_id: UUID) -> LexicalGraph:
    """The graph of the brain's visible sources, from the rows."""
    about, terms, mentions = _terms(brain_id)
    links: dict[int, list[tuple[str, str]]] = defaultdict(list)
    places = ("chunk_id", "kind", "target__source_id", "target__ordinal")
    for chunk, kind, source, ordinal in (
        ChunkLink.objects.filter(brain=brain_id, target__isnull=False).order_by().values_list(*places).iterator()
    ):
        links[chunk].append((kind, chunk_ref(source, ordinal)))
    rows, languages = [], Counter[str]()
    chunks = Chunk.objects.filter(visible(), brain=brain_id).order_by("source_id", "ordinal")
    for id, source, ordinal, language in chunks.values_list("id", "source_id", "ordinal", "language").iterator():
        found = tuple(about[id]), tuple(terms[id]), tuple(links[id]), tuple(mentions[id])
        rows.append(Row(chunk_ref(source, ordinal), *found))
        languages[language] += 1
    relations = Relation.objects.filter(brain=brain_id).order_by().values_list("subject__folded", "object__folded")
    shares = {language: count / len(rows) for language, count in languages.items()}
    return build(rows, relations.iterator(), shares)


_Names = dict[int, list[str]]


def _terms(brain_id: UUID) -> tuple[_Names, _Names, _Names]:
    about: _Names = defaultdict(list)
    terms: _Names = defaultdict(list)
    mentions: _Names = defaultdict(list)
    for chunk, term, is_about in (
        ChunkTerm.objects.filter(brain=brain_id).order_by().values_list("chunk_id", "term", "about").iterator()
    ):
        (about if is_about else terms)[chunk].append(term)
    for chunk, name in (
        Mention.objects.filter(entity__brain=brain_id).order_by().values_list("chunk_id", "entity__folded").iterator()
    ):
        mentions[chunk].append(name)
    return about, terms, mentions
