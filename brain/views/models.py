"""What still has to be installed before answers and graphs can be made: a line that looks again by itself."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from brain import weights
from brain.requests import PersonRequest
from brain.weights import engine


@dataclass(frozen=True, slots=True)
class Missing:
    """A part that is not there yet; ``share`` from 0 to 1, None when it is not on its way."""

    name: str
    waits: str
    share: float | None
    error: str


@never_cache
@require_safe
def models(request: PersonRequest) -> HttpResponse:
    """The line that other pages load into themselves; opened by hand, a page that says the state."""
    template = "brain/_models.html" if request.htmx else "brain/models.html"
    # On that page the line stays when its work is done.
    by_hand = not request.htmx or "by-hand" in request.GET
    return render(request, template, {"missing": missing(), "by_hand": by_hand})


def missing() -> list[Missing]:
    """Only what this installation's settings need."""
    found = [(_("Engine of the language model"), _("answers and the graph"), engine.status())]
    if not weights.needs_engine():
        found = []
    for status in weights.status():
        if status.id.startswith("stt."):
            found.append((_("Speech recognition"), _("recordings"), status))
        else:
            found.append((_("Language model"), _("answers and the graph"), status))
    return [_missing(name, waits, status) for name, waits, status in found if status.state != "ready"]


def _missing(name: str, waits: str, status: weights.Status) -> Missing:
    fetching = status.state == "fetching" and status.total_bytes
    return Missing(name, waits, min(1.0, status.done_bytes / status.total_bytes) if fetching else None, status.error)
