"""The sources of a brain: the list, uploading, and what may be done with each."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from brain.access import Access, brain_access, source_access
from brain.errors import DuplicateSource, InputError, ServiceError
from brain.ledger import deletion
from brain.models import Brain, Deletion, Role, Source, SourceState
from brain.requests import PersonRequest
from brain.text import clean_line
from ingestion import uploads
from ingestion.board import boards
from ingestion.forms import AboutForm

PAGE = 50


@require_safe
def source_list(request: PersonRequest, brain_id: UUID) -> HttpResponse:
    """The page, or for htmx only its list."""
    access = brain_access(request.user, brain_id)
    page = _list_context(request, access)
    if request.htmx and not request.htmx.boosted:
        return render(request, "ingestion/_source_list.html", page)
    trashed = access.brain.sources.filter(purge_requested_at=None).exclude(trashed_at=None).count()
    page |= {"limit_mb": settings.UPLOAD_LIMIT_MB, "trashed": trashed, "states": SourceState.choices}
    return render(request, "ingestion/sources.html", page)


def _list_context(request: PersonRequest, access: Access) -> dict[str, Any]:
    words, state = request.GET.get("q", "").strip(), request.GET.get("state", "")
    sources = access.brain.sources.filter(trashed_at=None, purge_requested_at=None)
    if words:
        sources = sources.filter(title__icontains=words)
    if state in SourceState.values:
        sources = sources.filter(state=state)
    page = Paginator(sources, PAGE).get_page(request.GET.get("page"))
    listed = boards(page.object_list, access)
    return {
        "access": access,
        "brain": access.brain,
        "tab": "sources",
        "page": page,
        "boards": listed,
        "busy": any(board.busy for board in listed),
        "q": words,
        "state": state,
        "deletions": _deletions(access.brain),
    }


def _deletions(brain: Brain) -> list[Deletion]:
    """Deletions of this brain that are not through yet."""
    return list(Deletion.objects.filter(brain=brain.pk, finished_at=None))


# --- uploading -----------------------------------------------------------------------------------------------


@require_POST
def upload(request: PersonRequest, brain_id: UUID) -> HttpResponse:
    """Take files. A script gets one result per file as JSON; a plain form goes back to the list with notices."""
    access = brain_access(request.user, brain_id, at_least=Role.EDITOR)
    results = [_accept(request, access, file) for file in request.FILES.getlist("files")]
    if not results:
        results = [{"name": "", "state": "refused", "said": _("Choose a file first.")}]
    if request.accepts("text/html"):
        return _with_notices(request, results, access.brain)
    refused = any(result["state"] == "refused" for result in results)
    return JsonResponse({"files": results}, status=400 if refused else 200)


def _accept(request: PersonRequest, access: Access, file: Any) -> dict[str, str]:
    sent = _as_on_disk(file.name)
    name = clean_line(sent, limit=255)
    try:
        source = uploads.accept(access.brain, request.user, sent, file)
    except DuplicateSource as error:
        url = reverse("source", args=[error.source_id])
        return {"name": name, "state": "duplicate", "said": error.sentence, "url": url}
    except (InputError, ServiceError) as error:
        return {"name": name, "state": "refused", "said": error.sentence}
    return {
        "name": source.title,
        "state": "accepted",
        "said": _("Accepted."),
        "url": reverse("source", args=[source.pk]),
    }


def _as_on_disk(name: str) -> str:
    """Without what browsers write for the three signs that a form's header cannot hold."""
    # They leave "%" as it is, so a file that is truly called "%22" cannot be told from one with a quote.
    return name.replace("%22", '"').replace("%0D", "\r").replace("%0A", "\n")


def _with_notices(request: PersonRequest, results: list[dict[str, str]], brain: Brain) -> HttpResponseRedirect:
    for result in results:
        line = format_html("{}: {}", result["name"], result["said"]) if result["name"] else result["said"]
        if result["state"] == "duplicate":
            line = format_html('{} <a href="{}">{}</a>', line, result["url"], _("Open it"))
        tell = {"accepted": messages.success, "duplicate": messages.warning}.get(result["state"], messages.error)
        tell(request, line)
    return redirect("sources", brain.pk)


# --- what may be done with one -------------------------------------------------------------------------------


@require_POST
def retry(request: PersonRequest, source_id: UUID) -> HttpResponse:
    source, _access = source_access(request.user, source_id, at_least=Role.EDITOR)
    if not uploads.retry(source, request.user):
        messages.info(request, _("There is nothing to try again."))
    return redirect(_back(request, source))


@require_POST
def about(request: PersonRequest, source_id: UUID) -> HttpResponse:
    """Its date, and whether it goes before others where they disagree."""
    source, _access = source_access(request.user, source_id, at_least=Role.EDITOR)
    form = AboutForm(request.POST, instance=source)
    if form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
    else:
        messages.error(request, " ".join(str(sentence) for errors in form.errors.values() for sentence in errors))
    return redirect("source", source_id)


@require_POST
def reread(request: PersonRequest, source_id: UUID) -> HttpResponse:
    """Process the original again; what the source said before is replaced."""
    source, _access = source_access(request.user, source_id, at_least=Role.EDITOR)
    if not uploads.reread(source, request.user):
        messages.info(request, _("This file is being worked on. Wait until it is finished."))
    return redirect(_back(request, source))


@require_http_methods(["GET", "HEAD", "POST"])
def trash(request: PersonRequest, source_id: UUID) -> HttpResponse:
    """First what it would take, then the trash."""
    source, access = source_access(request.user, source_id, at_least=Role.EDITOR)
    if request.method == "POST":
        deletion.trash(source, request.user)
        said = _("“%(title)s” is in the trash and out of every answer.") % {"title": source.title}
        trash_url = reverse("trash", args=[source.brain_id])
        messages.success(request, format_html('{} <a href="{}">{}</a>', said, trash_url, _("Open the trash to undo")))
        return redirect("sources", source.brain_id)
    page = {
        "source": source,
        "access": access,
        "brain": access.brain,
        "tab": "sources",
        "preview": deletion.preview(source),
        "trash_days": settings.TRASH_DAYS,
    }
    return render(request, "ingestion/delete.html", page)


@require_POST
def restore(request: PersonRequest, source_id: UUID) -> HttpResponse:
    source, _access = source_access(request.user, source_id, at_least=Role.EDITOR)
    deletion.restore(source, request.user)
    messages.success(request, _("“%(title)s” is back.") % {"title": source.title})
    return redirect("sources", source.brain_id)


@require_POST
def purge(request: PersonRequest, source_id: UUID) -> HttpResponse:
    """For good, and at once out of every answer. Only from the trash, or with the preview in sight."""
    source, _access = source_access(request.user, source_id, at_least=Role.EDITOR)
    deletion.purge(source, request.user)
    messages.success(request, _("“%(title)s” is being deleted for good.") % {"title": source.title})
    return redirect("trash", source.brain_id)


@require_safe
def trash_list(request: PersonRequest, brain_id: UUID) -> HttpResponse:
    access = brain_access(request.user, brain_id)
    trashed = access.brain.sources.filter(~Q(trashed_at=None), purge_requested_at=None).order_by("-trashed_at")
    deletions = _deletions(access.brain)
    page = {
        "access": access,
        "brain": access.brain,
        "tab": "sources",
        "sources": trashed,
        "deletions": deletions,
        "busy": bool(deletions),
        "receipts": Deletion.objects.filter(brain=brain_id).exclude(finished_at=None)[:20],
        "trash_days": settings.TRASH_DAYS,
    }
    fragment = request.htmx and not request.htmx.boosted
    return render(request, "ingestion/_trash_list.html" if fragment else "ingestion/trash.html", page)


def _back(request: PersonRequest, source: Source) -> str:
    if request.POST.get("back") == "jobs":
        return reverse("jobs")
    return reverse("sources", args=[source.brain_id])
