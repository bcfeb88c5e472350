"""From a plan to ranked passages: seeds from each list, fused by rank, then a walk over the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, zip_longest
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import OuterRef, QuerySet, Subquery

from brain.language import lexical_query
from brain.ledger.state import chunk_ref, visible
from brain.models import Chunk, Entity, Mention, Relation, RelationMention
from brain.ports import Embedder, VectorStore
from brain.references import article_references
from brain.terms import terms_of
from brain.values import PointFilter, PointKind, SparseVector, Vector, VectorHit
from graphqa.language.wording import ASKING
from graphqa.question.plan import Plan
from graphqa.question.scope import Searched
from graphqa.retrieval import graph_cache
from graphqa.retrieval.fusion import Fused, fuse
from graphqa.retrieval.graph_cache import Walkable
from graphqa.retrieval.lexical_graph import LexicalGraph
from graphqa.retrieval.tuning import BIGRAMS, DENSE, ENTITIES, LEXICAL, MODES, RELATIONS, WALK, Languages, Tuning
from graphqa.retrieval.walk import Floats, Ints, walk

# Cosine below which an entity's phrasing says nothing about the question (multilingual-e5: unrelated texts lie
# between 0.70 and 0.80).
ENTITY_THRESHOLD = 0.82
_ENTITIES = 20
# Small, so that the first places of either list outweigh many middling ones.
_BLEND_K = 10
_CHUNKS_PER_FACT = 5
# A BM25 score so many times the next one's.
_FAR = 1.5
# Named in the statement; of more sources, what lies outside is left out afterwards.
_MOST_NAMED_SOURCES = 500


@dataclass(frozen=True, slots=True)
class Ranked:
    """``ranks`` by list, ``walk`` the share of the walk; ``cosine`` is None where the dense list has it not."""

    ref: str
    score: float
    ranks: Mapping[str, int]
    walk: float
    cosine: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Retrieved:
    """``entities`` and ``relations`` are the keys found, best first; ``by_words``: passages without a vector yet."""

    ranked: tuple[Ranked, ...]
    entities: tuple[str, ...]
    relations: tuple[str, ...]
    best_cosine: float
    by_words: frozenset[str] = frozenset()


def ahead(question: str, embedder: Embedder) -> Future[Vector]:
    """The vector of a question, made beside what else is to be known first: the embedder works outside of Python's
    lock."""
    return _beside.submit(embedder.embed_query, question)


def retrieve(
    plan: Plan,
    brain_id: UUID,
    searched: Searched,
    *,
    vectors: VectorStore,
    embedder: Embedder,
    asked: Future[Vector] | None = None,
    legs: frozenset[str] = MODES["mix"],
    limit: int = 30,
    tuning: Tuning | None = None,
) -> Retrieved:
    """Passages best first. Nothing is looked up in rows but where facts come from: the caller hydrates. ``asked``: the
    question's vector where it is on its way; ``tuning``: other numbers than those of the language, for measurements."""
    asked = asked or ahead(plan.searched, embedder)
    walkable = graph_cache.of(brain_id)
    tuning = tuning or Languages(walkable.graph.languages if walkable else {}).tuning(plan.language)
    lists = gather(plan, brain_id, searched, vectors=vectors, asked=asked, legs=legs, per_list=tuning.per_list)
    fused = fuse(lists.refs, tuning.legs, k=tuning.rrf_k)
    ranked = rank(fused, plan, walkable, tuning, searched) if walkable and WALK in legs else _as_fused(fused)
    ranked = _kept_in_front(ranked, lists.apart, tuning.in_front)
    found = tuple(_ranked(each, mass, lists.cosines.get(each.ref)) for each, mass in ranked[:limit])
    best = max(lists.cosines.values(), default=0.0)
    return Retrieved(found, lists.entities, lists.relations, best, lists.by_words)


@dataclass(frozen=True, slots=True)
class Lists:
    """Refs of passages by list, best first, and what they come from. ``apart``: those whose words set them apart from
    all others; ``by_words``: those that have no vector yet."""

    refs: Mapping[str, Sequence[str]]
    entities: tuple[str, ...]
    relations: tuple[str, ...]
    cosines: Mapping[str, float]
    apart: tuple[str, ...] = ()
    by_words: frozenset[str] = frozenset()


def gather(
    plan: Plan,
    brain_id: UUID,
    searched: Searched,
    *,
    vectors: VectorStore,
    asked: Future[Vector],
    legs: frozenset[str],
    per_list: int,
) -> Lists:
    """The lists that ``legs`` names; cosines always, because the evidence is judged by them."""
    where = _Where(brain_id, searched, vectors, per_list)
    # Words first: their search costs nothing while the vector is being made. The embedded vector engine holds Python's
    # lock, so that its searches gain nothing side by side.
    worded = _lexical(plan, where, legs)
    vector = asked.result()
    refs: dict[str, Sequence[str]] = {name: [hit.ref for hit in hits] for name, hits in worded.items()}
    dense = where.search(vector, PointKind.CHUNK)
    meant = [hit.ref for hit in dense]
    waiting = _without_vector(refs.get(LEXICAL, ()), meant, searched)
    if DENSE in legs:
        # A passage without a vector is not far in meaning, it is not known yet: its place by words stands in.
        refs[DENSE] = [ref for pair in zip_longest(meant, waiting) for ref in pair if ref]
    entities, relations = (where.keys(vector, kind) if leg in legs else () for leg, kind in _FACTS.items())
    named = {ENTITIES: _mentioning(brain_id, entities, searched), RELATIONS: _stating(brain_id, relations, searched)}
    refs |= _refs(named, searched)
    cosines = {hit.ref: hit.score for hit in dense}
    return Lists(refs, entities, relations, cosines, _apart(worded.get(LEXICAL, ())), frozenset(waiting))


_FACTS = {ENTITIES: PointKind.ENTITY, RELATIONS: PointKind.RELATION}
_beside = ThreadPoolExecutor(max_workers=4, thread_name_prefix="question")


@dataclass(frozen=True, slots=True)
class _Where:
    brain_id: UUID
    searched: Searched
    vectors: VectorStore
    limit: int

    def search(self, query: Vector | SparseVector, kind: PointKind, limit: int = 0) -> list[VectorHit]:
        sources = self.searched.sources if self.searched.narrowed else frozenset()
        where = PointFilter(str(self.brain_id), kind, sources, self.searched.hidden)
        return self.vectors.search(query, where, limit=limit or self.limit)

    def keys(self, asked: Vector, kind: PointKind) -> tuple[str, ...]:
        """Entities or relations, best first."""
        # Each entity has four phrasings per source; the best of them counts.
        hits = self.search(asked, kind, 4 * _ENTITIES)
        return tuple(dict.fromkeys(hit.ref for hit in hits if hit.score >= ENTITY_THRESHOLD))[:_ENTITIES]


def is_said(word: str, brain_id: UUID, searched: Searched, vectors: VectorStore) -> bool:
    """Whether any passage holds ``word``, or a part of a compound."""
    query = lexical_query(word, {"w": 1.0})
    return bool(query.indices) and bool(_Where(brain_id, searched, vectors, 1).search(query, PointKind.CHUNK))


def _without_vector(worded: Sequence[str], meant: Sequence[str], searched: Searched) -> list[str]:
    if not searched.by_words:
        return []
    known = frozenset(meant)
    return [ref for ref in worded if ref not in known and ref.rpartition(":")[0] in searched.by_words]


def _apart(hits: Sequence[VectorHit]) -> tuple[str, ...]:
    """The first hit, or the first two (a passage and its overlap), where the next is far behind: they hold a name or a
    number that hardly another passage holds, and meaning is blind to those."""
    for count in (1, 2):
        if len(hits) == count or (len(hits) > count and hits[count - 1].score >= _FAR * hits[count].score):
            return tuple(hit.ref for hit in hits[:count])
    return ()


def _lexical(plan: Plan, where: _Where, legs: frozenset[str]) -> dict[str, list[VectorHit]]:
    views = {LEXICAL: {"w": 1.0}, BIGRAMS: {"b": 1.0}} if plan.language == "ko" else {LEXICAL: {"w": 1.0}}
    views = {name: weights for name, weights in views.items() if name in legs}
    # In a small brain "who" is a rare word, and outweighed the name that was asked about.
    idle = frozenset() if plan.language == "ko" else ASKING
    queries = {name: lexical_query(plan.searched, weights, without=idle) for name, weights in views.items()}
    return {name: where.search(query, PointKind.CHUNK) for name, query in queries.items() if query.indices}


def _mentioning(brain_id: UUID, keys: Sequence[str], searched: Searched) -> list[int]:
    """Passages that name these entities, those of the best entity first."""
    named = Entity.objects.filter(brain=brain_id, key__in=keys)
    return _first_passages(keys, named, Mention.objects.filter(entity=OuterRef("pk")), searched)


def _stating(brain_id: UUID, keys: Sequence[str], searched: Searched) -> list[int]:
    named = Relation.objects.filter(brain=brain_id, key__in=keys)
    return _first_passages(keys, named, RelationMention.objects.filter(relation=OuterRef("pk")), searched)


def _first_passages(keys: Sequence[str], named: QuerySet[Any], said: QuerySet[Any], searched: Searched) -> list[int]:
    """A few passages of each: asked for one by one, because a hub is named in thousands."""
    if not keys:
        return []
    if searched.hidden:
        said = said.filter(visible())
    if searched.narrowed and len(searched.sources) <= _MOST_NAMED_SOURCES:
        said = said.filter(source__in=searched.sources)
    places = {f"at{n}": Subquery(said.order_by("pk").values("chunk_id")[n : n + 1]) for n in range(_CHUNKS_PER_FACT)}
    found = {row[0]: row[1:] for row in named.annotate(**places).order_by().values_list("key", *places)}
    return [id for key in keys for id in found.get(key, ()) if id is not None]


def _refs(lists: Mapping[str, Sequence[int]], searched: Searched) -> dict[str, list[str]]:
    """The refs of the rows that may be searched, each once in its list."""
    rows = Chunk.objects.filter(pk__in=set(chain(*lists.values()))).order_by().values_list("pk", "source_id", "ordinal")
    refs = {id: chunk_ref(source, ordinal) for id, source, ordinal in rows if str(source) in searched.sources}
    return {name: list(dict.fromkeys(refs[id] for id in ids if id in refs)) for name, ids in lists.items()}


_Walked = list[tuple[Fused, float]]


def _kept_in_front(ranked: _Walked, apart: Sequence[str], place: int) -> _Walked:
    """Passages that stand ``apart`` come behind the first ``place`` at the latest."""
    late = [each for each in ranked[place:] if each[0].ref in apart]
    return [*ranked[:place], *late, *(each for each in ranked[place:] if each[0].ref not in apart)] if late else ranked


def _as_fused(fused: Sequence[Fused]) -> _Walked:
    return [(each, 0.0) for each in fused]


def rank(fused: Sequence[Fused], plan: Plan, walkable: Walkable, tuning: Tuning, searched: Searched) -> _Walked:
    """The first of the fused list stay in front, then what the walk reaches, then the rest."""
    graph, moves = walkable.graph, walkable.moves(tuning.edges)
    seeds = seeds_of(fused, plan, graph, tuning)
    if not seeds:
        return _as_fused(fused)
    mass = walk(moves, seeds, damping=tuning.damping)[: len(graph.refs)]
    reached = [graph.refs[node] for node in _most(mass, 2 * tuning.per_list)]
    reached = [ref for ref in reached if ref.rpartition(":")[0] in searched.sources][: tuning.per_list]
    base = [each.ref for each in fused]
    both = fuse({WALK: reached, "base": base}, {WALK: 1.0, "base": tuning.blend}, k=_BLEND_K)
    known = {each.ref: each for each in fused}
    order = dict.fromkeys([*base[: tuning.in_front], *(each.ref for each in both), *base])
    return [
        (known.get(ref) or Fused(ref, 0.0, {}), float(mass[graph.passages[ref]]) if ref in graph.passages else 0.0)
        for ref in order
    ]


def _most(mass: Floats, count: int) -> Ints:
    """Places of the largest shares, largest first, ties by place. All of 20,000 in order would take 1.7 ms."""
    least = np.partition(mass, -count)[-count] if count < mass.size else 0.0
    found = np.flatnonzero(mass >= least) if least > 0 else np.flatnonzero(mass)
    return found[np.argsort(-mass[found], kind="stable")[:count]]


def seeds_of(fused: Sequence[Fused], plan: Plan, graph: LexicalGraph, tuning: Tuning) -> dict[int, float]:
    """Where the walk starts: the best passages by fused score, and the rare terms that the question names."""
    best = [each for each in fused[: tuning.seed_passages] if each.ref in graph.passages]
    total = sum(each.score for each in best)
    seeds = {graph.passages[each.ref]: (1 - tuning.term_share) * each.score / total for each in best}
    if tuning.term_share:
        named = {graph.terms[term] for term in _terms_named(plan.searched) if term in graph.terms}
        rarity = sum(graph.rarity[node] for node in named)
        seeds.update({node: tuning.term_share * graph.rarity[node] / rarity for node in named})
    return seeds


@lru_cache(maxsize=1024)
def _terms_named(question: str) -> frozenset[str]:
    cited = {reference.key for reference in article_references(question, "")}
    return frozenset(terms_of([question])[0]) | cited


def _ranked(each: Fused, mass: float, cosine: float | None) -> Ranked:
    return Ranked(each.ref, each.score, each.ranks, mass, cosine, _reason(each, mass))


def _reason(each: Fused, mass: float) -> str:
    """The list that ranks it highest; ``graph`` where only the walk found it."""
    best = min(each.ranks.items(), key=lambda item: (item[1], item[0]), default=None)
    if best is None or (best[1] > 20 and mass > 0):
        return "graph"
    return best[0]
