"""Is it alive: for a load balancer a word, for the people who administer it a page."""

from __future__ import annotations

import shutil

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from brain.models import Audit, Chunk, Deletion, Entity, Message, Projection, Relation, Source, VectorIndex
from brain.requests import PersonRequest


@login_not_required
@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """200 ``ok`` while the database answers, else 503. Says nothing about what is inside."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("the database does not answer\n", status=503, content_type="text/plain")
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def health(request: PersonRequest) -> HttpResponse:
    """What is kept, what waits, how much room is left, and who did what lately."""
    if not request.user.is_staff:
        raise Http404
    disk = shutil.disk_usage(settings.BRAIN_HOME)
    waiting = [
        ("projection", Projection.objects.count(), Projection.objects.order_by("id").first()),
        ("deletion", Deletion.objects.filter(finished_at=None).count(), None),
        ("message", Message.objects.filter(status__in=["queued", "running"]).count(), None),
        ("source", Source.objects.filter(state__in=["queued", "running", "waiting"]).count(), None),
    ]
    page = {
        "rows": [
            (_("Sources"), Source.objects.count()),
            (_("Passages"), Chunk.objects.count()),
            (_("Entities"), Entity.objects.count()),
            (_("Relations"), Relation.objects.count()),
        ],
        "waiting": waiting,
        "disk_free": disk.free,
        "disk_total": disk.total,
        "disk_low": disk.free < settings.FREE_DISK_MB * 1024 * 1024,
        "indexes": VectorIndex.objects.order_by("-active", "name"),
        "adapters": [
            (name, _without_secret(str(getattr(settings, f"BRAIN_{name}"))))
            for name in ("GRAPH", "VECTORS", "LLM", "EMBEDDER", "TRANSCRIBER", "RERANKER", "EVENTS", "BROKER")
        ],
        "audit": Audit.objects.select_related("user")[:30],
    }
    return render(request, "brain/health.html", page)


def _without_secret(setting: str) -> str:
    """A URL without the name and password in it."""
    if "@" not in setting:
        return setting
    return setting.split("://", 1)[0] + "://…@" + setting.rsplit("@", 1)[1]
