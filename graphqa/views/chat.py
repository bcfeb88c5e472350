"""Asking: conversations, questions, answers with what they rest on."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from brain.access import Access, brain_access
from brain.errors import QuestionRefused
from brain.ledger import deletion
from brain.ledger.state import visible
from brain.models import Citation, Conversation, Feedback, Message, MessageStatus
from brain.requests import PersonRequest
from brain.text import clean_line, clean_text
from graphqa import asking
from graphqa.answer.page import ShownMessage, shown
from graphqa.answer.withheld import withheld
from graphqa.question.scope import Scope
from graphqa.suggesting import suggestions

NOTE_LIMIT = 2000


def _conversation(request: PersonRequest, conversation_id: UUID) -> tuple[Conversation, Access]:
    """The person's own conversation, in a brain that is still theirs to read."""
    conversation = Conversation.objects.filter(id=conversation_id, user=request.user).first()
    if conversation is None:
        raise Http404
    return conversation, brain_access(request.user, conversation.brain_id)


def _message(request: PersonRequest, message_id: UUID) -> tuple[Message, Access]:
    message = (
        Message.objects.select_related("conversation", "feedback")
        .prefetch_related(_citations())
        .filter(id=message_id, conversation__user=request.user)
        .first()
    )
    if message is None:
        raise Http404
    return message, brain_access(request.user, message.conversation.brain_id)


def _citations() -> Prefetch[str]:
    return Prefetch("citations", Citation.objects.select_related("chunk", "source"))


def _place(message: Message) -> str:
    """Where a message stands in its conversation's page."""
    return f"{reverse('conversation', args=[message.conversation_id])}#m-{message.pk}"


@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: PersonRequest, brain_id: UUID) -> HttpResponse:
    """A new conversation: the form, and what to ask when there is nothing yet."""
    access = brain_access(request.user, brain_id)
    if request.method == "POST":
        return _asked(request, access, None)
    return render(request, "graphqa/chat.html", _page(request, access, None) | {"question": request.GET.get("q", "")})


@require_http_methods(["GET", "HEAD", "POST"])
def conversation(request: PersonRequest, conversation_id: UUID) -> HttpResponse:
    found, access = _conversation(request, conversation_id)
    if request.method == "POST":
        return _asked(request, access, found)
    return render(request, "graphqa/chat.html", _page(request, access, found))


def _asked(request: PersonRequest, access: Access, found: Conversation | None) -> HttpResponse:
    """Queue the question and show the conversation; a refused one comes back with its text and the reason."""
    question = request.POST.get("question", "")
    try:
        with transaction.atomic():
            place = found or Conversation.objects.create(
                brain=access.brain, user=request.user, title=clean_line(question, limit=120)
            )
            message = asking.ask(place, question, scope=_scope(request, access))
    except QuestionRefused as error:
        page = _page(request, access, found) | {"question": question[:4000], "refused": error.sentence}
        if not error.retryable:
            return render(request, "graphqa/chat.html", page, status=400)
        response = render(request, "graphqa/chat.html", page, status=429)
        response["Retry-After"] = "60"
        return response
    return redirect(_place(message))


_KINDS = {"documents": ("application/", "text/"), "recordings": ("audio/", "video/")}


def _scope(request: PersonRequest, access: Access) -> Scope | None:
    """What of the brain is asked; ids that are not its own are left out."""
    own = access.brain.sources.filter(visible(""))
    wanted = [each for each in map(_uuid, request.POST.getlist("source")) if each]
    scope = Scope(
        sources=tuple(str(each) for each in own.filter(id__in=wanted).values_list("id", flat=True)),
        kinds=_KINDS.get(request.POST.get("kind", ""), ()),
        since=_date(request.POST.get("since", "")),
        until=_date(request.POST.get("until", "")),
    )
    return scope if scope.as_json() else None


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _page(request: PersonRequest, access: Access, found: Conversation | None) -> dict[str, Any]:
    own = Conversation.objects.filter(brain=access.brain, user=request.user)
    scope = _chosen(request, access, found)
    sources = access.brain.sources.filter(visible("")).order_by("title").values_list("id", "title")[:200]
    return {
        "access": access,
        "brain": access.brain,
        "tab": "ask",
        "conversation": found,
        "conversations": own[:50],
        "messages_shown": _shown(found) if found else [],
        "suggestions": suggestions(access.brain) if found is None else [],
        "sources": [{"id": id, "title": title, "chosen": str(id) in scope.sources} for id, title in sources],
        "scope": scope,
        "kind": next((name for name, kinds in _KINDS.items() if kinds == scope.kinds), ""),
        "narrowed": bool(scope.as_json()),
    }


def _chosen(request: PersonRequest, access: Access, found: Conversation | None) -> Scope:
    """Where to look: what was just sent, else as in the question before, which a follow-up is likely to mean too."""
    if request.method == "POST":
        return _scope(request, access) or Scope()
    last = found.messages.order_by("-ordinal").first() if found else None
    return Scope.from_json(last.scope) if last else Scope()


def _shown(found: Conversation) -> list[ShownMessage]:
    rows = found.messages.select_related("feedback", "conversation").prefetch_related(_citations())
    hidden = withheld(found.pk)
    return [shown(message, hidden) for message in rows]


@require_POST
def conversation_delete(request: PersonRequest, conversation_id: UUID) -> HttpResponse:
    found, access = _conversation(request, conversation_id)
    deletion.delete_conversation(found)
    messages.success(request, _("The conversation is deleted."))
    return redirect("ask", access.brain.pk)


# --- one answer ----------------------------------------------------------------------------------------------


@require_safe
def message(request: PersonRequest, message_id: UUID) -> HttpResponse:
    """One question with its answer, as the page shows it when the last token has come."""
    found, access = _message(request, message_id)
    if request.htmx:
        return _fragment(request, found, access)
    return redirect(_place(found))


def _fragment(request: PersonRequest, found: Message, access: Access) -> HttpResponse:
    each = shown(found, withheld(found.conversation_id))
    return render(request, "graphqa/_message.html", {"each": each, "brain": access.brain, "access": access})


@require_POST
def stop(request: PersonRequest, message_id: UUID) -> HttpResponse:
    found, access = _message(request, message_id)
    asking.stop(found)
    if request.htmx:
        found.refresh_from_db()
        return _fragment(request, found, access)
    return redirect(_place(found))


@require_POST
def feedback(request: PersonRequest, message_id: UUID) -> HttpResponse:
    """Was it helpful; a second word replaces the first."""
    found, _access = _message(request, message_id)
    if found.status in {MessageStatus.QUEUED, MessageStatus.RUNNING}:
        raise Http404
    given, _made = Feedback.objects.update_or_create(
        message=found,
        defaults={
            "helpful": request.POST.get("helpful") == "yes",
            "note": clean_text(request.POST.get("note", ""))[:NOTE_LIMIT],
        },
    )
    found.feedback = given
    if request.htmx:
        return render(request, "graphqa/_feedback.html", {"each": shown(found, withheld(found.conversation_id))})
    return redirect(_place(found))
