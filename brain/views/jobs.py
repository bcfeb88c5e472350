"""What needs attention, over all brains of a person."""

from __future__ import annotations

from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from brain.models import Deletion, Membership, Role, Source, SourceState
from brain.requests import PersonRequest

LIMIT = 200
_ATTENTION = (SourceState.FAILED, SourceState.PARTIAL, SourceState.WAITING)


@require_safe
def jobs(request: PersonRequest) -> HttpResponse:
    """Files that failed, are partly done or wait; deletions that are not through; how much is on its way."""
    mine = Source.objects.filter(
        brain__in=request.user.brains.filter(deleted_at=None), trashed_at=None, purge_requested_at=None
    )
    counts = mine.aggregate(
        queued=Count("id", filter=Q(state=SourceState.QUEUED)), running=Count("id", filter=Q(state=SourceState.RUNNING))
    )
    writable = set(
        Membership.objects.filter(user=request.user, role__in=[Role.EDITOR, Role.OWNER]).values_list("brain", flat=True)
    )
    page = {
        "sources": mine.filter(state__in=_ATTENTION).select_related("brain").order_by("state", "-created_at")[:LIMIT],
        "attention": mine.filter(state__in=_ATTENTION).count(),
        "deletions": Deletion.objects.filter(finished_at=None, brain__in=request.user.brains.all()),
        "counts": counts,
        "writable": writable,
        "busy": bool(counts["queued"] or counts["running"]),
    }
    fragment = request.htmx and not request.htmx.boosted
    return render(request, "brain/_jobs.html" if fragment else "brain/jobs.html", page)
