"""Values as Neo4j's properties, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brain.identity import fold_name
from brain.values import Described, GraphChunk, GraphEntity, GraphRelation, GraphSource

# A text index takes values of up to 32,766 bytes; a character has four at most.
_NAMES_LIMIT = 8000


@dataclass(frozen=True, slots=True)
class Rows:
    """Parameters of the writing queries; each list is sorted by key."""

    brain: str
    hashed: Callable[[str, str], str]

    def sources(self, sources: Iterable[GraphSource]) -> list[dict[str, Any]]:
        return self._sorted(
            self._row(each.id, source_id=each.id, title=each.title, media_type=each.media_type) for each in sources
        )

    def chunks(self, chunks: Iterable[GraphChunk]) -> list[dict[str, Any]]:
        return self._sorted(
            {
                **self._row(each.ref, ref=each.ref, source=each.source, ordinal=each.ordinal, page=each.page),
                "source": self._key(each.source),
                "links": [f"{kind} {self._key(ref)}" for kind, ref in each.links],
            }
            for each in chunks
        )

    def links(self, chunks: Iterable[GraphChunk]) -> list[dict[str, str]]:
        found = [
            {"start": self._key(each.ref), "kind": kind, "end": self._key(ref), "ref": ref}
            for each in chunks
            for kind, ref in each.links
        ]
        return sorted(found, key=lambda link: (link["start"], link["end"], link["kind"]))

    def entities(self, entities: Iterable[GraphEntity]) -> list[dict[str, Any]]:
        return self._sorted(
            self._row(
                each.key,
                entity_key=each.key,
                name=each.name,
                type=each.type,
                aliases=list(each.aliases),
                names="\n".join(map(fold_name, (each.name, *each.aliases)))[:_NAMES_LIMIT],
                descriptions=[said.text for said in each.descriptions],
                description_sources=[said.source for said in each.descriptions],
            )
            for each in entities
        )

    def mentions(self, entities: Iterable[GraphEntity]) -> list[dict[str, str]]:
        found = [
            {"entity": self._key(each.key), "chunk": self._key(ref), "ref": ref}
            for each in entities
            for ref in each.chunks
        ]
        return sorted(found, key=lambda mention: (mention["entity"], mention["chunk"]))

    def relations(self, relations: Iterable[GraphRelation]) -> list[dict[str, Any]]:
        return self._sorted(
            {
                "key": self._key(each.key),
                "subject": self._key(each.subject),
                "subject_key": each.subject,
                "object": self._key(each.object),
                "object_key": each.object,
                "properties": {
                    "key": self._key(each.key),
                    "relation_key": each.key,
                    "predicate": each.predicate,
                    "descriptions": [said.text for said in each.descriptions],
                    "sources": [said.source for said in each.descriptions],
                    "chunks": list(each.chunks),
                },
            }
            for each in relations
        )

    def _key(self, key: str) -> str:
        return self.hashed(self.brain, key)

    def _row(self, key: str, **properties: Any) -> dict[str, Any]:
        hashed = self._key(key)
        return {"key": hashed, "properties": {"key": hashed, "brain": self.brain, **properties}}

    @staticmethod
    def _sorted(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        return sorted(rows, key=lambda row: str(row["key"]))


def entity(row: Mapping[str, Any]) -> GraphEntity:
    """One without a name is an end that was never written itself."""
    kept = row["entity"]
    return GraphEntity(
        key=kept["entity_key"],
        name=kept.get("name", ""),
        type=kept.get("type", ""),
        aliases=tuple(kept.get("aliases", ())),
        descriptions=_described(kept.get("description_sources", ()), kept.get("descriptions", ())),
        chunks=tuple(sorted(row["chunks"])),
    )


def named(row: Mapping[str, Any]) -> GraphEntity:
    """An entity with names only."""
    return GraphEntity(row["entity_key"], row["name"], row["type"], tuple(row["aliases"]), ())


def relation(row: Mapping[str, Any]) -> GraphRelation:
    kept = row["relation"]
    return GraphRelation(
        key=kept["relation_key"],
        subject=row["subject"],
        predicate=kept["predicate"],
        object=row["object"],
        descriptions=_described(kept["sources"], kept["descriptions"]),
        chunks=tuple(kept["chunks"]),
    )


def chunk(row: Mapping[str, Any]) -> GraphChunk:
    kept = row["chunk"]
    return GraphChunk(
        ref=kept["ref"],
        source=kept.get("source", ""),
        ordinal=kept.get("ordinal", -1),
        page=kept.get("page"),
        links=tuple(sorted((kind, ref) for kind, ref in row["links"])),
    )


def source(row: Mapping[str, Any]) -> GraphSource:
    kept = row["source"]
    return GraphSource(kept["source_id"], kept.get("title", ""), kept.get("media_type", ""))


def _described(sources: Sequence[str], texts: Sequence[str]) -> tuple[Described, ...]:
    return tuple(Described(owner, text) for owner, text in zip(sources, texts, strict=True))
