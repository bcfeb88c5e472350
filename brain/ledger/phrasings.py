"""The texts behind entity and relation points. Each depends on what one source says and on nothing else.

An entity is found by what it is, by what is said of it, and by a question about it, so every description a source
gives is embedded in four phrasings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from brain.ledger.points import point_id, text_digest
from brain.ledger.state import batches
from brain.models import Mention, RelationMention
from brain.ports import Embedder
from brain.values import PointKind, VectorPoint

Item = tuple[str, str, str]
"""(kind, source id, key)"""

#: Phrasings per item: the most any kind has.
MOST = 4
#: Longer descriptions are cut for embedding: 500 characters are what the model attends to, and keep four
#: phrasings of one description under half a second.
_DESCRIPTION_LIMIT = 500

_ENTITY = {
    "en": (
        "{name} is a {type}. {description}",
        "{name} ({type}): {description}",
        "About {name}, a {type}: {description}",
        "{description}",
    ),
    "ko": (
        "{name}은(는) {type}이다. {description}",
        "{name} ({type}): {description}",
        "{type} {name}에 대하여: {description}",
        "{description}",
    ),
}


def entity_phrasings(name: str, kind: str, description: str, language: str) -> tuple[str, ...]:
    """Four texts, or one where there is no description."""
    forms = _ENTITY["ko" if language == "ko" else "en"]
    if not description:
        return (f"{name} ({kind})",)
    cut = description[:_DESCRIPTION_LIMIT]
    return tuple(form.format(name=name, type=kind, description=cut) for form in forms)


def of(brain_id: UUID, items: Iterable[Item]) -> dict[Item, tuple[str, ...]]:
    """The texts of those items that still have mentions in their source."""
    by_source: dict[tuple[str, str], set[str]] = defaultdict(set)
    for kind, source, key in items:
        by_source[kind, source].add(key)
    texts: dict[Item, tuple[str, ...]] = {}
    for (kind, source), keys in by_source.items():
        for some in batches(sorted(keys)):
            read = _entities if kind == PointKind.ENTITY else _relations
            texts.update({(kind, source, key): each for key, each in read(brain_id, source, some).items()})
    return texts


def _entities(brain_id: UUID, source: str, keys: Sequence[str]) -> dict[str, tuple[str, ...]]:
    said: dict[str, list[tuple[str, str, str, str]]] = defaultdict(list)
    rows = (
        Mention.objects.filter(source_id=source, entity__brain=brain_id, entity__key__in=keys)
        .order_by("chunk__ordinal", "own_key")
        .values_list("entity__key", "name", "type", "description", "source__language")
    )
    for key, name, kind, description, language in rows:
        said[key].append((name, kind, description, language))
    return {
        key: entity_phrasings(
            usual(name for name, *_ in mentions),
            usual(kind for _, kind, *_ in mentions),
            " ".join(dict.fromkeys(text for _, _, text, _ in mentions if text)),
            mentions[0][3],
        )
        for key, mentions in said.items()
    }


def _relations(brain_id: UUID, source: str, keys: Sequence[str]) -> dict[str, tuple[str, ...]]:
    said: dict[str, tuple[str, str, str, list[str]]] = {}
    rows = (
        RelationMention.objects.filter(source_id=source, relation__brain=brain_id, relation__key__in=keys)
        .order_by("chunk__ordinal", "subject_key", "predicate", "object_key")
        .values_list("relation__key", "chunk_id", "subject_key", "predicate", "object_key", "description")
    )
    names: dict[tuple[int, str], str] = {}
    found = list(rows)
    for chunk_id, own_key, name in Mention.objects.filter(
        source_id=source, chunk_id__in={row[1] for row in found}
    ).values_list("chunk_id", "own_key", "name"):
        names[chunk_id, own_key] = name
    for key, chunk_id, subject, predicate, object_, description in found:
        head = (names.get((chunk_id, subject), ""), predicate, names.get((chunk_id, object_), ""))
        said.setdefault(key, (*head, []))[3].append(description)
    return {
        key: (
            f"{subject} {predicate.replace('_', ' ')} {object_}. {' '.join(dict.fromkeys(filter(None, texts)))}"[
                : 2 * _DESCRIPTION_LIMIT
            ].strip(),
        )
        for key, (subject, predicate, object_, texts) in said.items()
    }


def usual(values: Iterable[str]) -> str:
    """The most frequent; among equals the first by code point, so that order of arrival does not matter."""
    counted = Counter(values)
    return min(counted, key=lambda value: (-counted[value], value))


def points(brain_id: UUID, texts: Mapping[Item, tuple[str, ...]], embedder: Embedder) -> list[VectorPoint]:
    """The points of these texts."""
    flat = [(item, number, text) for item, each in sorted(texts.items()) for number, text in enumerate(each)]
    if not flat:
        return []
    vectors = embedder.embed_passages([text for _, _, text in flat])
    return [
        VectorPoint(
            id=point_id(kind, brain_id, source, key, number),
            brain=str(brain_id),
            source=source,
            kind=PointKind(kind),
            ref=key,
            digest=text_digest(text),
            dense=vectors[row],
        )
        for row, ((kind, source, key), number, text) in enumerate(flat)
    ]
