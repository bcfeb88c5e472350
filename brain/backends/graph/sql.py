"""The graph as the ledger's own rows: nothing is copied, so nothing can differ from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from django.db import OperationalError, connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_noop as _

from brain.backends.graph.matching import best_first, folded_words, picture
from brain.errors import LeaseLost, ServiceUnavailable
from brain.ledger import state
from brain.models import Brain, Entity, Mention, Relation, RelationMention
from brain.values import GraphBatch, GraphEntity, GraphRelation, Subgraph

_AWAY = _("The database does not answer for now. Work goes on by itself when it is back.")

# Names read to rank what is found; more than that and the words say too little.
_CANDIDATES = 2000


class SqlGraphStore:
    reads_ledger = True

    @classmethod
    def from_setting(cls, value: str) -> SqlGraphStore:  # noqa: ARG003
        return cls()

    def write(self, brain: str, batch: GraphBatch, *, fence: int) -> None:  # noqa: ARG002
        """Nothing to write; an old fence is refused as everywhere."""
        row = Brain.objects.filter(id=UUID(brain))
        if row.filter(fence__gt=fence).exists():
            raise LeaseLost
        row.filter(fence__lt=fence).update(fence=fence)

    def neighbourhood(self, brain: str, keys: Sequence[str], *, hops: int = 1, limit: int = 200) -> Subgraph:
        near = _known(UUID(brain), keys, limit)
        frontier = list(near)
        for _hop in range(hops):
            if not frontier or len(near) >= limit:
                break
            # As many as would fit if all that are known already came back.
            reached = sorted((key, row) for row, key in _next_to(frontier, limit + len(near)).items())
            frontier = [row for _key, row in reached if row not in near][: limit - len(near)]
            new = set(frontier)
            near.update((row, key) for key, row in reached if row in new)
        return picture(_heads(near), _among(near))

    def find(self, brain: str, words: str, *, limit: int = 20) -> Subgraph:
        wanted = folded_words(words)
        if not wanted:
            return Subgraph((), ())
        named = Entity.objects.filter(_all("folded__contains", wanted), brain=UUID(brain))
        written = Mention.objects.filter(_all("name__icontains", wanted), state.visible(), entity__brain=UUID(brain))
        keys = set(named.order_by("folded").values_list("key", flat=True)[:_CANDIDATES])
        keys.update(written.order_by().values_list("entity__key", flat=True).distinct()[:_CANDIDATES])
        found = best_first(_names(UUID(brain), keys), wanted)[:limit]
        whole = {each.key: each for each in state.entities(brain, (each.key for each in found))}
        return Subgraph(tuple(whole[each.key] for each in found if each.key in whole), ())

    def dump(self, brain: str) -> GraphBatch:
        return state.whole_graph(brain)

    def remove_brain(self, brain: str) -> None:
        """The rows go with the ledger's own deletion."""

    def ping(self) -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
        except OperationalError as error:
            raise ServiceUnavailable(_AWAY) from error


def _known(brain: UUID, keys: Sequence[str], limit: int) -> dict[int, str]:
    """Row id to key of the entities that a visible source mentions, in the order asked for."""
    rows: dict[str, int] = {}
    mentions = Mention.objects.filter(state.visible(), entity=OuterRef("pk"))
    for some in state.batches(list(dict.fromkeys(keys))):
        found = Entity.objects.filter(Exists(mentions), brain=brain, key__in=some).order_by()
        rows.update((key, row) for row, key in found.values_list("id", "key"))
    return {rows[key]: key for key in list(dict.fromkeys(key for key in keys if key in rows))[:limit]}


def _next_to(frontier: Iterable[int], limit: int) -> dict[int, str]:
    """Row id to key of the entities one visible relation away: per statement the first ``limit`` by key."""
    reached: dict[int, str] = {}
    for some in state.batches(list(frontier)):
        for here, there in (("subject", "object"), ("object", "subject")):
            rows = _stated(Relation.objects.filter(**{f"{here}__in": some})).order_by(f"{there}__key")
            reached.update(rows.values_list(f"{there}_id", f"{there}__key").distinct()[:limit])
    return reached


def _heads(rows: Iterable[int]) -> Iterator[GraphEntity]:
    for some in state.batches(sorted(rows)):
        found = Entity.objects.filter(pk__in=some).order_by().values_list("key", "name", "type")
        yield from (GraphEntity(key, name, kind, (), ()) for key, name, kind in found)


def _among(keys: Mapping[int, str]) -> Iterator[GraphRelation]:
    """Relations between these rows; those that lead out of a hub are not looked at."""
    rows = sorted(keys)
    for heads in state.batches(rows):
        for tails in state.batches(rows):
            found = _stated(Relation.objects.filter(subject__in=heads, object__in=tails)).order_by()
            for key, subject, predicate, end in found.values_list("key", "subject_id", "predicate", "object_id"):
                yield GraphRelation(key, keys[subject], predicate, keys[end], ())


def _stated(relations: QuerySet[Relation]) -> QuerySet[Relation]:
    return relations.filter(Exists(RelationMention.objects.filter(state.visible(), relation=OuterRef("pk"))))


def _all(lookup: str, words: Iterable[str]) -> Q:
    condition = Q()
    for word in words:
        condition &= Q(**{lookup: word})
    return condition


def _names(brain: UUID, keys: Iterable[str]) -> list[GraphEntity]:
    """Entities with names only: enough to rank by."""
    found: list[GraphEntity] = []
    for some in state.batches(sorted(keys)):
        mentions = Mention.objects.filter(state.visible(), entity__brain=brain, entity__key__in=some).order_by()
        rows = mentions.values_list("entity__key", "entity__name", "entity__type", "name").distinct()
        names: dict[tuple[str, str, str], set[str]] = {}
        for key, name, kind, written in rows:
            names.setdefault((key, name, kind), set()).add(written)
        found.extend(GraphEntity(*head, tuple(sorted(written)), ()) for head, written in names.items())
    return found
