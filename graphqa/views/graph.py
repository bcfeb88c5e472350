"""The graph of a brain: a picture, its table twin, and what each entity is said to be."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Exists, OuterRef
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from brain.access import Access, brain_access
from brain.ledger.leases import WORKABLE
from brain.ledger.state import entities, visible
from brain.models import Entity, Mention, Message, Relation, RelationMention, Source
from brain.requests import PersonRequest
from brain.values import Subgraph
from graphqa import subgraph

_KEY_LENGTH = 32
_RELATIONS, _NAMED = 100, 300


@require_safe
def page(request: PersonRequest, brain_id: UUID) -> HttpResponse:
    """Opens on the most connected entities, on one (``?entity=``), or on what an answer rests on (``?message=``)."""
    access = brain_access(request.user, brain_id)
    graph = _wanted(request, access)
    names = {each.key: each for each in graph.entities}
    rows = [(names[each.subject], each, names[each.object]) for each in graph.relations if each.object in names]
    sources = Source.objects.filter(visible(""), brain=access.brain)
    context = {
        "access": access,
        "brain": access.brain,
        "tab": "graph",
        "totals": subgraph.totals(access.brain),
        "sources": sources.exists(),
        "growing": sources.filter(state__in=WORKABLE).exists(),
        "graph": graph,
        "rows": rows,
        "data": subgraph.as_json(graph),
        "of_message": request.GET.get("message", ""),
        "entity": request.GET.get("entity", ""),
    }
    return render(request, "graphqa/graph.html", context)


def _wanted(request: PersonRequest, access: Access) -> Subgraph:
    if wanted := request.GET.get("message"):
        return subgraph.behind(access.brain, _own_message(request, access, wanted))
    if key := request.GET.get("entity"):
        return subgraph.around(access.brain, key[:_KEY_LENGTH], limit=60)
    return subgraph.most_connected(access.brain)


def _own_message(request: PersonRequest, access: Access, wanted: str) -> Message:
    try:
        message_id = UUID(wanted)
    except ValueError:
        raise Http404 from None
    message = Message.objects.filter(
        id=message_id, conversation__user=request.user, conversation__brain=access.brain
    ).first()
    if message is None:
        raise Http404
    return message


@require_safe
def data(request: PersonRequest, brain_id: UUID) -> JsonResponse:
    """The neighbours of ``?around=``, at most ``?limit=`` (1 to 100)."""
    access = brain_access(request.user, brain_id)
    given = request.GET.get("limit", "")
    limit = min(max(int(given), 1), 100) if given.isascii() and given.isdigit() else 40
    return JsonResponse(
        subgraph.as_json(subgraph.around(access.brain, request.GET.get("around", "")[:_KEY_LENGTH], limit=limit))
    )


@require_safe
def search(request: PersonRequest, brain_id: UUID) -> HttpResponse:
    """Entities by name: options of the search field for a script, links without one."""
    access = brain_access(request.user, brain_id)
    words = request.GET.get("q", "").strip()[:200]
    found = subgraph.named(access.brain, words)
    if request.accepts("text/html"):
        if not words:
            return redirect("graph", brain_id)
        return render(request, "graphqa/found.html", {"found": found, "brain": access.brain, "words": words})
    return JsonResponse({"entities": subgraph.named_json(found)})


@require_safe
def entity(request: PersonRequest, brain_id: UUID, key: str) -> HttpResponse:
    """What the sources say about one entity, each with its places; a fragment for the side panel."""
    access = brain_access(request.user, brain_id)
    known = entities(access.brain.pk, [key])
    if not known:
        raise Http404
    row = Entity.objects.get(brain=access.brain, key=key)
    mentions = (
        Mention.objects.filter(visible(), entity=row)
        .select_related("source", "chunk")
        .order_by("source__title", "chunk__ordinal")[:_NAMED]
    )
    relations = (
        Relation.objects.filter(Exists(RelationMention.objects.filter(visible(), relation=OuterRef("pk"))))
        .filter(brain=access.brain)
        .select_related("subject", "object")
    )
    context = {
        "brain": access.brain,
        "entity": known[0],
        "mentions": mentions,
        "outgoing": relations.filter(subject=row)[:_RELATIONS],
        "incoming": relations.filter(object=row)[:_RELATIONS],
    }
    template = "graphqa/_entity.html" if request.htmx else "graphqa/entity.html"
    return render(request, template, context | {"access": access, "tab": "graph"})
