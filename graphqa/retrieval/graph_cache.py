"""The walked graph of each brain, kept in memory until the brain changes.

A graph that is a little behind harms nothing, because every hit is looked up in the rows before it is used. So a large
one is made again beside the questions, which go on with the one before; while a brain changes all the time, not more
often than each ten times as long as it took. Until the first graph of a large brain is there, questions go without.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from django.db import DatabaseError, connections

from brain.ledger.state import chunk_ref, visible
from brain.models import Brain, Chunk, ChunkLink, ChunkTerm, Mention, Relation, Source
from graphqa.retrieval.lexical_graph import LexicalGraph, Row, build
from graphqa.retrieval.walk import Edge, Transitions, transitions

logger = logging.getLogger(__name__)

_KEPT = 8
_PATIENCE = 10.0
# A question waits for a graph that takes half a second; of so many passages, where none was made yet.
_WAIT_SECONDS = 0.5
WAIT_PASSAGES = 1_000


@dataclass
class Walkable:
    """A graph of one moment; ``seconds``: what it took."""

    stamp: tuple[object, ...]
    graph: LexicalGraph
    built: float
    seconds: float
    _moves: dict[tuple[tuple[Edge, float], ...], Transitions] = field(default_factory=dict)

    def moves(self, weights: Mapping[Edge, float]) -> Transitions:
        key = tuple(sorted(weights.items()))
        if key not in self._moves:
            self._moves[key] = transitions(self.graph.edges, self.graph.nodes, weights)
        return self._moves[key]


_graphs: OrderedDict[UUID, Walkable] = OrderedDict()
_making: defaultdict[UUID, threading.Lock] = defaultdict(threading.Lock)
_lock = threading.Lock()


def of(brain_id: UUID, *, wait: int = WAIT_PASSAGES) -> Walkable | None:
    """The graph as it is, or was lately; None while the first one of a brain of more than ``wait`` passages is being
    made."""
    stamp = _stamp(brain_id)
    with _lock:
        kept = _graphs.get(brain_id)
    if kept and (kept.stamp == stamp or time.monotonic() - kept.built < _PATIENCE * kept.seconds):
        return kept
    if _worth_waiting(brain_id, kept, wait):
        return warm(brain_id)
    threading.Thread(target=_make_beside, args=(brain_id,), name="graph", daemon=True).start()
    return kept


def warm(brain_id: UUID) -> Walkable:
    """The graph as it is now, however long it takes."""
    stamp = _stamp(brain_id)
    with _lock:
        making = _making[brain_id]
    with making:
        with _lock:
            kept = _graphs.get(brain_id)
        return kept if kept and kept.stamp == stamp else _make(brain_id, stamp)


def _worth_waiting(brain_id: UUID, kept: Walkable | None, passages: int) -> bool:
    if kept:
        return kept.seconds < _WAIT_SECONDS
    return Chunk.objects.filter(brain=brain_id).count() <= passages


def _make_beside(brain_id: UUID) -> None:
    """In a thread of its own; nothing if another one is at it."""
    with _lock:
        making = _making[brain_id]
    if not making.acquire(blocking=False):
        return
    try:
        made = _make(brain_id, _stamp(brain_id))
        logger.info("brain=%s graph of %d passages in %.1f s", brain_id, len(made.graph.refs), made.seconds)
    except DatabaseError:
        logger.warning("brain=%s graph not made: the database does not answer", brain_id, exc_info=True)
    finally:
        making.release()
        connections.close_all()


def _make(brain_id: UUID, stamp: tuple[object, ...]) -> Walkable:
    began = time.monotonic()
    graph = load(brain_id)
    made = Walkable(stamp, graph, time.monotonic(), time.monotonic() - began)
    with _lock:
        _graphs[brain_id] = made
        _graphs.move_to_end(brain_id)
        while len(_graphs) > _KEPT:
            _graphs.popitem(last=False)
    return made


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
