"""Writing what was found in a chunk, and keeping entities and relations the pure function of it that they are.

Every function here runs in the caller's transaction and leaves outbox rows for what it changed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import F

from brain.identity import entity_key, fold_name, fold_predicate, relation_key
from brain.ledger import projection
from brain.ledger.phrasings import usual
from brain.ledger.state import batches
from brain.models import Alias, Brain, Chunk, Entity, Extraction, Mention, Relation, RelationMention
from brain.values import FoundEntity, FoundRelation, ModelCall

NAME_LIMIT = 400
PREDICATE_LIMIT = 200


@dataclass(slots=True)
class Affected:
    """Rows whose derived fields must be worked out again."""

    entities: set[int] = field(default_factory=set)
    relations: set[int] = field(default_factory=set)


def replace_chunk_facts(
    chunk: Chunk,
    entities: Sequence[FoundEntity],
    relations: Sequence[FoundRelation],
    calls: Sequence[ModelCall],
) -> None:
    """Make the ledger hold exactly these facts for the chunk; what it held before is replaced, never stacked."""
    affected = _forget_chunk(chunk)
    Extraction.objects.bulk_create(
        Extraction(
            chunk=chunk,
            model_id=call.model_id,
            prompt_version=call.prompt_version,
            reply=call.reply,
            finish=call.finish,
            prompt_tokens=call.prompt_tokens,
            completion_tokens=call.completion_tokens,
            seconds=call.seconds,
            counts=dict(call.counts),
        )
        for call in calls
    )
    mentions = _mentions(chunk, entities)
    rows = _lock_entities(chunk.brain_id, _resolved(chunk.brain_id, mentions))
    leads_to = _aliases(chunk.brain_id)
    for own_key, mention in mentions.items():
        mention.entity = rows[leads_to.get(own_key, own_key)]
    Mention.objects.bulk_create(mentions.values())
    affected.entities.update(row.pk for row in rows.values())
    affected.relations.update(_write_relations(chunk, relations, rows, leads_to))
    refresh(chunk.brain_id, affected, sources={str(chunk.source_id)})


def affected_by(**owner: object) -> Affected:
    """What the mentions of a chunk or a source (``chunk=...``, ``source=...``) hold up."""
    stated = RelationMention.objects.filter(relation__isnull=False, **owner)
    return Affected(
        set(Mention.objects.filter(**owner).values_list("entity_id", flat=True)),
        set(stated.values_list("relation_id", flat=True)),
    )


def _forget_chunk(chunk: Chunk) -> Affected:
    affected = affected_by(chunk=chunk)
    RelationMention.objects.filter(chunk=chunk).delete()
    Mention.objects.filter(chunk=chunk).delete()
    Extraction.objects.filter(chunk=chunk).delete()
    return affected


def _mentions(chunk: Chunk, entities: Sequence[FoundEntity]) -> dict[str, Mention]:
    """One mention per identity; what several spellings say is joined in their order."""
    found: dict[str, Mention] = {}
    for entity in entities:
        name = entity.name[:NAME_LIMIT]
        own_key = entity_key(name, entity.type)
        if own_key in found:
            known = found[own_key]
            if entity.description and entity.description not in known.description.split("\n"):
                known.description = "\n".join(filter(None, [known.description, entity.description]))
            continue
        found[own_key] = Mention(
            chunk=chunk,
            source_id=chunk.source_id,
            own_key=own_key,
            name=name,
            type=entity.type[:60],
            description=entity.description,
            start=None if entity.start is None else chunk.start + entity.start,
            end=None if entity.end is None else chunk.start + entity.end,
        )
    return found


def _aliases(brain_id: UUID) -> dict[str, str]:
    """Where each merged key leads in the end. A merge into a merged entity follows it; a circle stops."""
    steps = dict(Alias.objects.filter(brain=brain_id).values_list("key", "leads_to"))
    ends: dict[str, str] = {}
    for start in steps:
        seen = {start}
        at = steps[start]
        while at in steps and at not in seen:
            seen.add(at)
            at = steps[at]
        ends[start] = at
    return ends


def _resolved(brain_id: UUID, mentions: dict[str, Mention]) -> dict[str, Mention]:
    leads_to = _aliases(brain_id)
    return {leads_to.get(own_key, own_key): mention for own_key, mention in mentions.items()}


def _lock_entities(brain_id: UUID, wanted: dict[str, Mention]) -> dict[str, Entity]:
    """The rows of these keys, made where missing, locked in the order of their keys (so that no two lock crosswise)."""
    keys = sorted(wanted)
    Entity.objects.bulk_create(
        (Entity(brain_id=brain_id, key=key, name=wanted[key].name, type=wanted[key].type) for key in keys),
        ignore_conflicts=True,
    )
    rows = Entity.objects.select_for_update().filter(brain=brain_id, key__in=keys).order_by("key")
    return {row.key: row for row in rows}


def _write_relations(
    chunk: Chunk, relations: Sequence[FoundRelation], rows: dict[str, Entity], leads_to: dict[str, str]
) -> set[int]:
    mentions: dict[tuple[str, str, str], RelationMention] = {}
    for found in relations:
        subject = entity_key(found.subject[:NAME_LIMIT], found.subject_type)
        object_ = entity_key(found.object[:NAME_LIMIT], found.object_type)
        predicate = found.predicate[:PREDICATE_LIMIT]
        if subject == object_ or not fold_predicate(predicate):
            continue
        place = (subject, predicate, object_)
        if place not in mentions:
            mentions[place] = RelationMention(
                chunk=chunk,
                source_id=chunk.source_id,
                subject_key=subject,
                object_key=object_,
                predicate=predicate,
                description=found.description,
            )
    touched = attach_relations(chunk.brain_id, mentions.values(), rows, leads_to)
    RelationMention.objects.bulk_create(mentions.values())
    return touched


def attach_relations(
    brain_id: UUID, mentions: Iterable[RelationMention], rows: dict[str, Entity], leads_to: dict[str, str]
) -> set[int]:
    """Point each mention at the relation of its resolved ends; one whose ends are the same points nowhere.

    The mentions are changed, not saved; the ids of the relations they point at are returned.
    """
    wanted: dict[str, Relation] = {}
    pending = list(mentions)
    places: list[str | None] = []
    for mention in pending:
        subject = leads_to.get(mention.subject_key, mention.subject_key)
        object_ = leads_to.get(mention.object_key, mention.object_key)
        if subject == object_:
            places.append(None)
            continue
        key = relation_key(subject, mention.predicate, object_)
        places.append(key)
        wanted.setdefault(
            key,
            Relation(
                brain_id=brain_id,
                key=key,
                subject=rows[subject],
                predicate=mention.predicate,
                object=rows[object_],
            ),
        )
    Relation.objects.bulk_create((wanted[key] for key in sorted(wanted)), ignore_conflicts=True)
    found = {
        row.key: row
        for row in Relation.objects.select_for_update().filter(brain=brain_id, key__in=sorted(wanted)).order_by("key")
    }
    for mention, place in zip(pending, places, strict=True):
        mention.relation = found[place] if place else None
    return {row.pk for row in found.values()}


def refresh(brain_id: UUID, affected: Affected, *, sources: set[str]) -> None:
    """Work out names, types and predicates again, remove what nobody mentions, and note it all for the stores.

    ``sources``: whose descriptions changed; their phrasings are written again.
    """
    relation_keys = set(Relation.objects.filter(pk__in=affected.relations).values_list("key", flat=True))
    entity_keys = set(Entity.objects.filter(pk__in=affected.entities).values_list("key", flat=True))
    for some in batches(sorted(affected.relations)):
        _refresh_relations(some)
    for some in batches(sorted(affected.entities)):
        _refresh_entities(some)
    projection.note_graph(brain_id, entities=entity_keys, relations=relation_keys)
    for source in sorted(sources):
        projection.note_vectors(brain_id, source, entities=entity_keys, relations=relation_keys)
    Brain.objects.filter(pk=brain_id).update(revision=F("revision") + 1)


def _refresh_relations(ids: list[int]) -> None:
    predicates: dict[int, Counter[str]] = defaultdict(Counter)
    for relation_id, predicate in RelationMention.objects.filter(relation__in=ids).values_list(
        "relation_id", "predicate"
    ):
        if relation_id is not None:
            predicates[relation_id][predicate] += 1
    Relation.objects.filter(pk__in=set(ids) - set(predicates)).delete()
    _update_changed(
        Relation.objects.filter(pk__in=predicates), {pk: {"predicate": usual(c)} for pk, c in predicates.items()}
    )


def _refresh_entities(ids: list[int]) -> None:
    names: dict[int, Counter[str]] = defaultdict(Counter)
    types: dict[int, Counter[str]] = defaultdict(Counter)
    for entity_id, name, kind in Mention.objects.filter(entity__in=ids).values_list("entity_id", "name", "type"):
        names[entity_id][name] += 1
        types[entity_id][kind] += 1
    Entity.objects.filter(pk__in=set(ids) - set(names)).delete()
    derived = {}
    for pk, counted in names.items():
        name = usual(counted)
        derived[pk] = {"name": name, "folded": fold_name(name)[:NAME_LIMIT], "type": usual(types[pk])}
    _update_changed(Entity.objects.filter(pk__in=derived), derived)


def _update_changed(rows: Any, derived: dict[int, dict[str, str]]) -> None:
    changed = []
    fields: list[str] = []
    for row in rows:
        values = derived[row.pk]
        fields = list(values)
        if any(getattr(row, name) != value for name, value in values.items()):
            for name, value in values.items():
                setattr(row, name, value)
            changed.append(row)
    if changed:
        rows.model.objects.bulk_update(changed, fields)
