"""What the rows say the graph must hold. The one definition, as pure queries.

A store that answers from the rows, the projector that writes to the others, and the check that compares them all
ask here. Sources in the trash or on their way out do not count: what only they say is gone.

Per entity: ``aliases`` are the names as written other than the display name; a source's description is what its
chunks say in their order, each sentence once, joined by line feeds. A source that names an entity without
describing it owns an empty description.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Q, QuerySet

from brain.models import Chunk, ChunkLink, Entity, Mention, Relation, RelationMention, Source
from brain.values import Described, GraphBatch, GraphChunk, GraphEntity, GraphRelation, GraphSource

# SQLite takes 32,766 values in one statement; small batches also keep PostgreSQL's planner on the index.
_BATCH = 500

T = TypeVar("T")


def visible(prefix: str = "source__") -> Q:
    """Rows of sources that count; ``prefix`` leads from the row to its source ("" on sources)."""
    return Q(**{f"{prefix}trashed_at": None, f"{prefix}purge_requested_at": None})


def chunk_ref(source_id: UUID | str, ordinal: int) -> str:
    """``Chunk.ref`` without the row."""
    return f"{source_id}:{ordinal}"


def split_ref(ref: str) -> tuple[UUID, int] | None:
    """The source and ordinal of a chunk ref; None if it is not one."""
    source, _colon, ordinal = ref.rpartition(":")
    try:
        return UUID(source), int(ordinal)
    except ValueError:
        return None


def graph_batch(
    brain_id: UUID | str,
    *,
    entity_keys: Iterable[str] = (),
    relation_keys: Iterable[str] = (),
    chunk_refs: Iterable[str] = (),
    source_ids: Iterable[UUID | str] = (),
) -> GraphBatch:
    """The state of the named items; those without visible rows are in ``gone_*``. Each tuple is sorted by key."""
    brain = _uuid(brain_id)
    wanted_entities, wanted_relations = set(entity_keys), set(relation_keys)
    wanted_chunks, wanted_sources = set(chunk_refs), {str(each) for each in source_ids}
    found_entities = entities(brain, wanted_entities)
    found_relations = relations(brain, wanted_relations)
    found_chunks = _chunks_by_ref(brain, wanted_chunks)
    found_sources = _sources(Source.objects.filter(brain=brain, id__in=wanted_sources))
    return GraphBatch(
        entities=found_entities,
        relations=found_relations,
        chunks=found_chunks,
        sources=found_sources,
        gone_entities=tuple(sorted(wanted_entities - {each.key for each in found_entities})),
        gone_relations=tuple(sorted(wanted_relations - {each.key for each in found_relations})),
        gone_chunks=tuple(sorted(wanted_chunks - {each.ref for each in found_chunks})),
        gone_sources=tuple(sorted(wanted_sources - {each.id for each in found_sources})),
    )


def whole_graph(brain_id: UUID | str) -> GraphBatch:
    """All that a graph store must hold of a brain."""
    brain = _uuid(brain_id)
    return GraphBatch(
        entities=_entities(Mention.objects.filter(entity__brain=brain)),
        relations=_relations(RelationMention.objects.filter(relation__brain=brain)),
        chunks=_chunks(Chunk.objects.filter(brain=brain), ChunkLink.objects.filter(brain=brain)),
        sources=_sources(Source.objects.filter(brain=brain)),
    )


def entities(brain_id: UUID | str, keys: Iterable[str]) -> tuple[GraphEntity, ...]:
    """Those of ``keys`` that a visible source mentions, sorted by key."""
    mentions = Mention.objects.filter(entity__brain=_uuid(brain_id))
    found: list[GraphEntity] = []
    for some in batches(sorted(set(keys))):
        found.extend(_entities(mentions.filter(entity__key__in=some)))
    return tuple(found)


def relations(brain_id: UUID | str, keys: Iterable[str]) -> tuple[GraphRelation, ...]:
    """Those of ``keys`` that a visible source states, sorted by key."""
    found: list[GraphRelation] = []
    for some in batches(sorted(set(keys))):
        found.extend(
            _relations(RelationMention.objects.filter(relation__brain=_uuid(brain_id), relation__key__in=some))
        )
    return tuple(found)


def _uuid(value: UUID | str) -> UUID:
    return value if isinstance(value, UUID) else UUID(value)


def batches(values: Sequence[T]) -> Iterator[list[T]]:
    """``values`` in lists that fit one statement."""
    remaining = iter(values)
    while some := list(islice(remaining, _BATCH)):
        yield some


@dataclass
class _Said:
    """What the mentions of one item say, gathered in (source, chunk) order."""

    row: Sequence[Any]
    names: set[str] = field(default_factory=set)
    texts: dict[str, dict[str, None]] = field(default_factory=dict)
    chunks: set[str] = field(default_factory=set)

    def add(self, source: str, ordinal: int, text: str) -> None:
        kept = self.texts.setdefault(source, {})
        if text:
            kept[text] = None
        self.chunks.add(chunk_ref(source, ordinal))

    @property
    def descriptions(self) -> tuple[Described, ...]:
        return tuple(Described(source, "\n".join(self.texts[source])) for source in sorted(self.texts))


def _entities(mentions: QuerySet[Mention]) -> tuple[GraphEntity, ...]:
    said: dict[str, _Said] = {}
    rows = (
        mentions.filter(visible())
        .order_by("chunk__ordinal", "own_key")
        .values_list("entity_id", "source_id", "chunk__ordinal", "description", "name")
    )
    heads = _heads(mentions)
    for entity_id, source_id, ordinal, description, name in rows.iterator(chunk_size=2000):
        if entity_id not in heads:  # committed between the two queries: its own outbox row follows
            continue
        key, display, kind = heads[entity_id]
        each = said.setdefault(key, _Said((display, kind)))
        each.names.add(name)
        each.add(str(source_id), ordinal, description)
    return tuple(
        GraphEntity(
            key=key,
            name=each.row[0],
            type=each.row[1],
            aliases=tuple(sorted(each.names - {each.row[0]})),
            descriptions=each.descriptions,
            chunks=tuple(sorted(each.chunks)),
        )
        for key, each in sorted(said.items())
    )


def _heads(mentions: QuerySet[Mention]) -> Mapping[int, tuple[str, str, str]]:
    """Key, name and type by row id: read once per entity, not once per mention."""
    rows = Entity.objects.filter(id__in=mentions.order_by().values("entity_id")).order_by()
    return {row[0]: row[1:] for row in rows.values_list("id", "key", "name", "type")}


def _relations(mentions: QuerySet[RelationMention]) -> tuple[GraphRelation, ...]:
    said: dict[str, _Said] = {}
    heads = {
        row[0]: row[1:]
        for row in Relation.objects.filter(id__in=mentions.order_by().values("relation_id"))
        .order_by()
        .values_list("id", "key", "subject__key", "predicate", "object__key")
    }
    rows = (
        mentions.filter(visible())
        .order_by("chunk__ordinal", "subject_key", "predicate", "object_key")
        .values_list("relation_id", "source_id", "chunk__ordinal", "description")
    )
    for relation_id, source_id, ordinal, description in rows.iterator(chunk_size=2000):
        if relation_id not in heads:
            continue
        key, *head = heads[relation_id]
        said.setdefault(key, _Said(head)).add(str(source_id), ordinal, description)
    return tuple(
        GraphRelation(
            key=key,
            subject=each.row[0],
            predicate=each.row[1],
            object=each.row[2],
            descriptions=each.descriptions,
            chunks=tuple(sorted(each.chunks)),
        )
        for key, each in sorted(said.items())
    )


def _chunks_by_ref(brain: UUID, refs: set[str]) -> tuple[GraphChunk, ...]:
    ordinals: dict[UUID, list[int]] = {}
    for place in map(split_ref, refs):
        if place:
            ordinals.setdefault(place[0], []).append(place[1])
    found: list[GraphChunk] = []
    for source_id, wanted in ordinals.items():
        for some in batches(sorted(wanted)):
            found.extend(
                _chunks(
                    Chunk.objects.filter(brain=brain, source=source_id, ordinal__in=some),
                    ChunkLink.objects.filter(chunk__source=source_id, chunk__ordinal__in=some),
                )
            )
    return tuple(sorted(found, key=lambda chunk: chunk.ref))


def _chunks(chunks: QuerySet[Chunk], links: QuerySet[ChunkLink]) -> tuple[GraphChunk, ...]:
    """``links`` are those that start at ``chunks``; one without a visible target is not an edge."""
    edges: dict[int, set[tuple[str, str]]] = {}
    rows = links.filter(visible("target__source__"), target__isnull=False).order_by()
    for chunk_id, kind, source_id, ordinal in rows.values_list(
        "chunk_id", "kind", "target__source_id", "target__ordinal"
    ).iterator(chunk_size=2000):
        edges.setdefault(chunk_id, set()).add((kind, chunk_ref(source_id, ordinal)))
    found = [
        GraphChunk(chunk_ref(source_id, ordinal), str(source_id), ordinal, page, tuple(sorted(edges.get(row_id, ()))))
        for row_id, source_id, ordinal, page in chunks.filter(visible())
        .order_by()
        .values_list("id", "source_id", "ordinal", "page")
    ]
    return tuple(sorted(found, key=lambda chunk: chunk.ref))


def _sources(sources: QuerySet[Source]) -> tuple[GraphSource, ...]:
    rows = sources.filter(visible("")).order_by().values_list("id", "title", "media_type")
    return tuple(sorted((GraphSource(str(row[0]), row[1], row[2]) for row in rows), key=lambda source: source.id))
