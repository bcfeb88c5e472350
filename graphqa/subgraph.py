"""Which part of a brain's graph a page shows: always a limited one, with honest counts of what there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet

from brain import bootstrap, kinds
from brain.ledger.state import visible
from brain.models import Brain, Entity, Mention, Message, Relation, RelationMention
from brain.values import GraphEntity, Subgraph

SHOWN = 150
SEARCHED = 20


@dataclass(frozen=True, slots=True)
class Totals:
    entities: int
    relations: int


def totals(brain: Brain) -> Totals:
    """What there is in sources that count."""
    return Totals(entities=shown_entities(brain).count(), relations=shown_relations(brain).count())


def shown_entities(brain: Brain) -> QuerySet[Entity]:
    """Those that a source which counts mentions."""
    entities = Entity.objects.filter(brain=brain)
    return (
        entities.filter(Exists(Mention.objects.filter(visible(), entity=OuterRef("pk")))) if _hides(brain) else entities
    )


def shown_relations(brain: Brain) -> QuerySet[Relation]:
    """Those that a source which counts states."""
    relations = Relation.objects.filter(brain=brain)
    stated = RelationMention.objects.filter(visible(), relation=OuterRef("pk"))
    return relations.filter(Exists(stated)) if _hides(brain) else relations


def _hides(brain: Brain) -> bool:
    """True while a source is in the trash or on its way out. Without one every entity counts, and asking each of
    100,000 for a visible mention is most of the page's time."""
    return brain.sources.exclude(visible("")).exists()


def most_connected(brain: Brain, *, limit: int = SHOWN) -> Subgraph:
    """The entities with most relations, and where there are few relations the most mentioned ones."""
    degree: Counter[str] = Counter()
    ends = shown_relations(brain)
    for end in ("subject__key", "object__key"):
        rows = ends.order_by().values(end).annotate(n=Count("id")).order_by("-n", end)[: limit * 4]
        degree.update({row[end]: row["n"] for row in rows})
    keys = [key for key, _count in sorted(degree.items(), key=lambda item: (-item[1], item[0]))[:limit]]
    if len(keys) < limit:
        mentioned = (
            Mention.objects.filter(visible(), entity__brain=brain)
            .order_by()
            .values("entity__key")
            .annotate(n=Count("id"))
            .order_by("-n", "entity__key")[:limit]
        )
        keys = list(dict.fromkeys([*keys, *(row["entity__key"] for row in mentioned)]))[:limit]
    return among(brain, keys)


def among(brain: Brain, keys: Sequence[str]) -> Subgraph:
    """The entities and the relations between them."""
    if not keys:
        return Subgraph((), ())
    return _near(brain, keys, hops=0, limit=max(len(keys), 1))


def around(brain: Brain, key: str, *, limit: int) -> Subgraph:
    """An entity and its nearest neighbours."""
    return _near(brain, [key], hops=1, limit=limit)


def behind(brain: Brain, message: Message, *, limit: int = SHOWN) -> Subgraph:
    """What an answer rests on: the entities of its evidence and of the passages it cites, and their neighbours."""
    keys = list(_evidence_keys(brain, message))
    cited = Mention.objects.filter(visible(), entity__brain=brain, chunk__in=message.citations.values("chunk"))
    keys = list(dict.fromkeys([*keys, *cited.order_by("id").values_list("entity__key", flat=True)]))
    if not keys:
        return Subgraph((), ())
    return _near(brain, keys[:40], hops=1, limit=limit)


def named(brain: Brain, words: str) -> Sequence[GraphEntity]:
    """Entities whose name or alias holds the words."""
    found = bootstrap.graph_store().find(str(brain.pk), words, limit=SEARCHED) if words else Subgraph((), ())
    return _as_in_rows(brain, found).entities


def _near(brain: Brain, keys: Sequence[str], *, hops: int, limit: int) -> Subgraph:
    return _as_in_rows(brain, bootstrap.graph_store().neighbourhood(str(brain.pk), keys, hops=hops, limit=limit))


def _as_in_rows(brain: Brain, graph: Subgraph) -> Subgraph:
    """Without what the rows no longer have: a graph on a server follows them, and may be away for a while."""
    if bootstrap.graph_store().reads_ledger:
        return graph
    entities = shown_entities(brain).filter(key__in=[each.key for each in graph.entities])
    relations = shown_relations(brain).filter(key__in=[each.key for each in graph.relations])
    kept = set(entities.values_list("key", flat=True))
    stated = set(relations.values_list("key", flat=True))
    return Subgraph(
        tuple(each for each in graph.entities if each.key in kept),
        tuple(each for each in graph.relations if each.key in stated and {each.subject, each.object} <= kept),
    )


def _evidence_keys(brain: Brain, message: Message) -> Sequence[str]:
    named = [str(item.get("ref", "")) for item in message.evidence if isinstance(item, dict)]
    keys = list(Entity.objects.filter(brain=brain, key__in=named).values_list("key", flat=True))
    ends = Relation.objects.filter(brain=brain, key__in=named).values_list("subject__key", "object__key")
    return [*keys, *(key for pair in ends for key in pair)]


def named_json(entities: Sequence[GraphEntity]) -> list[dict[str, str]]:
    """``type`` in the language of the page, so that a kind has one name and one colour."""
    return [{"key": each.key, "name": each.name, "type": kinds.label(each.type)} for each in entities]


def as_json(graph: Subgraph) -> dict[str, Any]:
    """Names and ends only; descriptions come when one is opened."""
    return {
        "entities": named_json(graph.entities),
        "relations": [
            {"key": each.key, "subject": each.subject, "predicate": each.predicate, "object": each.object}
            for each in graph.relations
        ],
    }
