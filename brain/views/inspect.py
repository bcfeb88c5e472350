"""For staff: what the ledger of a brain holds, by source, type and state, and what looks odd."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Count, F, Q, QuerySet, TextChoices
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from brain import kinds
from brain.access import brain_access
from brain.ledger.state import visible
from brain.models import Brain, Chunk, ChunkState, Entity, Mention, Relation, RelationMention, SourceState
from brain.requests import PersonRequest

PAGE = 50
LIST = 50


@require_safe
def inspect(request: PersonRequest, brain_id: UUID) -> HttpResponse:
    """``?source=`` narrows entities and relations to what one source says; ``?q=`` to names."""
    if not request.user.is_staff:
        raise Http404
    access = brain_access(request.user, brain_id)
    brain = access.brain
    chosen = _chosen(brain, request.GET.get("source", ""))
    words = request.GET.get("q", "").strip()[:200]
    entities = Entity.objects.filter(brain=brain).annotate(mention_count=Count("mentions"))
    relations = Relation.objects.filter(brain=brain).select_related("subject", "object").annotate(n=Count("mentions"))
    if chosen:
        entities = entities.filter(pk__in=Mention.objects.filter(source=chosen).values("entity"))
        relations = relations.filter(pk__in=RelationMention.objects.filter(source=chosen).values("relation"))
    if words:
        entities = entities.filter(name__icontains=words)
        relations = relations.filter(Q(subject__name__icontains=words) | Q(object__name__icontains=words))
    shown = Paginator(entities.order_by("-mention_count", "key"), PAGE).get_page(request.GET.get("page"))
    page = {
        "access": access,
        "brain": brain,
        "tab": "inspect",
        "q": words,
        "chosen": request.GET.get("source", "") if chosen else "",
        "sources": brain.sources.filter(visible("")).order_by("title").values("id", "title"),
        "page": shown,
        "source_counts": _source_counts([each.pk for each in shown]),
        "relations": relations.order_by("-n", "key")[:LIST],
        "relation_total": relations.count(),
    }
    return render(request, "brain/inspect.html", page | _overview(brain))


def _source_counts(entity_ids: list[int]) -> dict[int, int]:
    """How many sources name each of the entities on one page."""
    rows = Mention.objects.filter(entity__in=entity_ids).order_by().values_list("entity")
    return dict(rows.annotate(n=Count("source", distinct=True)))


def _chosen(brain: Brain, given: str) -> UUID | None:
    try:
        wanted = UUID(given)
    except ValueError:
        return None
    return wanted if brain.sources.filter(id=wanted).exists() else None


def _overview(brain: Brain) -> dict[str, object]:
    """Counts by type and state, orphans, and names that look like the same thing."""
    entities = Entity.objects.filter(brain=brain)
    connected = Q(outgoing__isnull=False) | Q(incoming__isnull=False)
    orphans = entities.exclude(pk__in=entities.filter(connected).values("pk"))
    return {
        "types": kinds.by_label(entities.order_by().values_list("type").annotate(n=Count("id")))[:20],
        "chunk_states": _by_state(Chunk.objects.filter(brain=brain), ChunkState),
        "source_states": _by_state(brain.sources.filter(purge_requested_at=None), SourceState),
        "orphan_total": orphans.count(),
        "orphans": orphans.order_by("name")[:LIST],
        "ghosts": entities.filter(mentions=None)[:LIST],
        "twins": _twins(brain),
    }


def _by_state(rows: QuerySet[Any], states: type[TextChoices]) -> list[tuple[str, int]]:
    """State as a word, and how many; most first."""
    counted = rows.order_by().values_list("state").annotate(n=Count("id")).order_by("-n")
    return [(str(states(state).label), count) for state, count in counted]


def _twins(brain: Brain) -> list[dict[str, Any]]:
    """Suspected duplicates: one folded name under several keys, which type alone keeps apart."""
    rows = (
        Entity.objects.filter(brain=brain)
        .exclude(folded="")
        .order_by()
        .values(name_folded=F("folded"))
        .annotate(n=Count("id"))
        .filter(n__gt=1)
        .order_by("-n", "name_folded")[:LIST]
    )
    return [dict(row) for row in rows]
