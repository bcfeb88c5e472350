"""Finding entities by words, and what a picture shows of them: the one rule of all adapters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from brain.identity import fold_name
from brain.values import GraphEntity, GraphRelation, Subgraph


def folded_words(words: str) -> tuple[str, ...]:
    """What has to stand in a name: each word, folded, in any order."""
    return tuple(fold_name(words).split())


def holds(name: str, words: tuple[str, ...]) -> bool:
    folded = fold_name(name)
    return bool(words) and all(word in folded for word in words)


def best_first(entities: Iterable[GraphEntity], words: tuple[str, ...]) -> list[GraphEntity]:
    """Those whose name or alias holds ``words``: exact names, then exact aliases, then the shorter name."""
    exact = " ".join(words)

    def rank(entity: GraphEntity) -> tuple[int, int, str]:
        if fold_name(entity.name) == exact:
            return (0, len(entity.name), entity.key)
        if any(fold_name(alias) == exact for alias in entity.aliases):
            return (1, len(entity.name), entity.key)
        return (2, len(entity.name), entity.key)

    found = [entity for entity in entities if any(holds(name, words) for name in (entity.name, *entity.aliases))]
    return sorted(found, key=rank)


def picture(entities: Iterable[GraphEntity], relations: Iterable[GraphRelation]) -> Subgraph:
    """Names and ends, sorted by key."""
    named = [replace(each, aliases=(), descriptions=(), chunks=()) for each in entities]
    joined = [replace(each, descriptions=(), chunks=()) for each in relations]
    return Subgraph(tuple(sorted(named, key=_key)), tuple(sorted(joined, key=_key)))


def _key(each: GraphEntity | GraphRelation) -> str:
    return each.key
