"""Is it alive: for a load balancer a word, for monitoring figures, for those who administer it a page."""

from __future__ import annotations

from hmac import compare_digest

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from brain import health as state
from brain.audit import DEEDS
from brain.errors import say
from brain.metrics import CONTENT_TYPE, prometheus
from brain.models import Audit, Chunk, Entity, Relation, Source, User, VectorIndex
from brain.requests import PersonRequest


@login_not_required
@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """200 ``ok`` while the database answers, else 503. Says nothing about what is inside."""
    if state.alive():
        return HttpResponse("ok\n", content_type="text/plain")
    return HttpResponse("the database does not answer\n", status=503, content_type="text/plain")


@login_not_required
@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """For Prometheus with its token, and for administrators; for others there is no such page."""
    if not (_has_token(request) or (isinstance(request.user, User) and request.user.is_staff)):
        raise Http404
    return HttpResponse(prometheus(state.report()), content_type=CONTENT_TYPE)


def _has_token(request: HttpRequest) -> bool:
    expected = f"Bearer {settings.METRICS_TOKEN}".encode()
    given = request.headers.get("Authorization", "").encode()
    return bool(settings.METRICS_TOKEN) and compare_digest(given, expected)


@never_cache
@require_safe
def health(request: PersonRequest) -> HttpResponse:
    """Services, queues, disk, models, what is kept, and who did what lately. Asks each service."""
    if not request.user.is_staff:
        raise Http404
    report = state.report()
    page = {
        "report": report,
        "services": [(_service(each.name), each, say(each.problem)) for each in report.services],
        "queues": [(_queue(each.name), each) for each in report.queues],
        "to_make": [say(notice) for notice in report.to_make],
        "rows": [
            (_("Sources"), Source.objects.count()),
            (_("Passages"), Chunk.objects.count()),
            (_("Entities"), Entity.objects.count()),
            (_("Relations"), Relation.objects.count()),
        ],
        "indexes": VectorIndex.objects.order_by("-active", "name"),
        "audit": [(row, DEEDS.get(row.action, row.action)) for row in Audit.objects.select_related("user")[:30]],
    }
    return render(request, "brain/health.html", page)


def _service(name: str) -> str:
    return {
        "database": _("Database"),
        "graph": _("Graph"),
        "vectors": _("Search index"),
        "events": _("Events"),
        "broker": _("Message broker"),
        "language model": _("Language model"),
    }.get(name, name)


def _queue(name: str) -> str:
    return {
        "questions": _("Questions"),
        "files": _("Files to read"),
        "graph": _("Files whose graph grows"),
        "deletions": _("Deletions"),
        "outbox": _("Writes to graph and vectors"),
    }.get(name, name)
