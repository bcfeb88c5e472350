"""Rows as extraction leaves them, made by hand: what a graph store is asked about in its contract."""

from __future__ import annotations

from dataclasses import dataclass, field

from brain.identity import entity_key, fold_name, relation_key
from brain.ledger import state
from brain.models import Brain, Chunk, ChunkLink, Entity, Mention, Relation, RelationMention, Source
from brain.ports import GraphStore
from brain.text import digest
from brain.values import GraphBatch


@dataclass
class Rows:
    """One brain's rows; ``settle`` brings a store to what they say."""

    brain: Brain
    fence: int = 0
    named: dict[str, set[str]] = field(default_factory=lambda: {k: set() for k in ("e", "r", "c", "s")})

    @property
    def id(self) -> str:
        return str(self.brain.pk)

    def source(self, title: str) -> Source:
        made = Source.objects.create(
            brain=self.brain, title=title, media_type="text/plain", sha256=digest(title, self.id), size=1
        )
        self.named["s"].add(str(made.pk))
        return made

    def chunk(self, source: Source, text: str = "text", page: int | None = None) -> Chunk:
        ordinal = source.chunks.count()
        made = Chunk.objects.create(
            brain=self.brain, source=source, ordinal=ordinal, start=0, end=len(text), text=text, digest=digest(text)
        )
        if page is not None:
            made.page = page
            made.save()
        self.named["c"].add(made.ref)
        return made

    def link(self, start: Chunk, end: Chunk, kind: str = "next") -> None:
        ChunkLink.objects.create(brain=self.brain, chunk=start, target=end, kind=kind)

    def mention(self, chunk: Chunk, name: str, kind: str = "concept", says: str = "", *, of: str = "") -> str:
        """``of``: the display name of the entity that this name means."""
        key = entity_key(of or name, kind)
        entity, _made = Entity.objects.get_or_create(
            brain=self.brain, key=key, defaults={"name": of or name, "folded": fold_name(of or name), "type": kind}
        )
        Mention.objects.create(
            entity=entity,
            chunk=chunk,
            source=chunk.source,
            own_key=entity_key(name, kind),
            name=name,
            type=kind,
            description=says,
        )
        self.named["e"].add(key)
        return key

    def relation(self, chunk: Chunk, subject: str, predicate: str, target: str, says: str = "") -> str:
        key = relation_key(subject, predicate, target)
        ends = {row.key: row for row in Entity.objects.filter(brain=self.brain, key__in=[subject, target])}
        relation, _made = Relation.objects.get_or_create(
            brain=self.brain,
            key=key,
            defaults={"subject": ends[subject], "object": ends[target], "predicate": predicate},
        )
        RelationMention.objects.create(
            relation=relation,
            chunk=chunk,
            source=chunk.source,
            subject_key=subject,
            object_key=target,
            predicate=predicate,
            description=says,
        )
        self.named["r"].add(key)
        return key

    def drop(self, source: Source) -> None:
        """What deletion leaves: no rows of the source, no entity or relation that nobody mentions."""
        source.delete()
        Relation.objects.filter(brain=self.brain, mentions=None).delete()
        Entity.objects.filter(brain=self.brain, mentions=None).delete()

    def batch(self) -> GraphBatch:
        return state.graph_batch(
            self.brain.pk,
            entity_keys=self.named["e"],
            relation_keys=self.named["r"],
            chunk_refs=self.named["c"],
            source_ids=self.named["s"],
        )

    def settle(self, store: GraphStore) -> None:
        self.fence += 1
        store.write(self.id, self.batch(), fence=self.fence)
