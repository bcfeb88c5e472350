"""Answering one message row: claimed by one worker, kept by a lease, ended by one conditional write.

A service that is away, or a model that is not there yet, puts the question back: it waits with a sentence, and the
reconciler rings again. Nothing is ever answered without sources.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from brain import bell
from brain.errors import BrainError, Cancelled
from brain.ledger import quotes
from brain.ledger.leases import PROCESS, free_now, heartbeat, lease_end, stopping
from brain.ledger.state import visible
from brain.models import Chunk, Citation, Message, MessageStatus, Source
from brain.ports import EventLog
from graphqa import asking
from graphqa.answering import Answer, Listener, Ports, answer
from graphqa.citations import source_items
from graphqa.context import Shown
from graphqa.plan import Exchange
from graphqa.scope import Scope

logger = logging.getLogger(__name__)

#: A question waits this long for a service or a model before it fails.
PATIENCE = timedelta(minutes=30)
_AGAIN = timedelta(seconds=10)
_HISTORY = 4
KILLED = _("The answer broke off several times. Ask again; if it happens again, tell your administrator.")


def work(message_id: UUID, ports: Ports, events: EventLog) -> bool:
    """Answer the message if it is free; False if it is not, or is put back."""
    message = _claim(message_id)
    if message is None:
        return False
    mine = Message.objects.filter(pk=message.pk, lease_owner=PROCESS, status=MessageStatus.RUNNING)
    try:
        with heartbeat.keeping(lambda: mine.update(lease_until=lease_end())):
            found = _answer(message, ports, events)
    except Cancelled:
        _finish(message, events, _ended(MessageStatus.CANCELLED))
    except BrainError as error:
        if error.retryable and timezone.now() - message.created_at < PATIENCE:
            _put_back(message, error)
            return False
        _finish(message, events, _ended(MessageStatus.FAILED, error))
    else:
        _finish(message, events, _row(found), found)
    return True


def _claim(message_id: UUID) -> Message | None:
    claimed = (
        Message.objects.filter(free_now(), pk=message_id, status__in=asking.WAITING, tries__lt=settings.MAX_TRIES)
        .filter(conversation__brain__deleted_at=None)
        .update(status=MessageStatus.RUNNING, lease_owner=PROCESS, lease_until=lease_end(), tries=F("tries") + 1)
    )
    return Message.objects.select_related("conversation").get(pk=message_id) if claimed else None


def _answer(message: Message, ports: Ports, events: EventLog) -> Answer:
    channel = asking.channel(message)
    if message.tries > 1:
        events.drop(channel)  # what an interrupted try said

    def told(shown: Sequence[Shown]) -> None:
        events.append(channel, {"type": "sources", "sources": source_items(shown)})

    return answer(
        message.question,
        message.conversation.brain_id,
        ports=ports,
        history=history_of(message),
        scope=Scope.from_json(message.scope) if message.scope else None,
        mode=message.scope.get("mode", "mix"),
        listener=Listener(told, lambda piece: _say(events, channel, piece), _Cancelled(message)),
    )


def _say(events: EventLog, channel: str, piece: str) -> None:
    events.append(channel, {"type": "token", "text": piece})


class _Cancelled:
    """Asked between tokens; looks at the row twice a second at most."""

    def __init__(self, message: Message) -> None:
        self._row = Message.objects.filter(pk=message.pk)
        self._asked = time.monotonic()

    def __call__(self) -> bool:
        if time.monotonic() - self._asked < 0.5:
            return False
        self._asked = time.monotonic()
        row = self._row.values_list("cancel_requested", "lease_owner").first()
        return row is None or row[0] or row[1] != PROCESS


def history_of(message: Message) -> list[Exchange]:
    """The exchanges before it in its conversation, oldest first. Answers whose sources went away are left out."""
    rows = Message.objects.filter(conversation=message.conversation_id, ordinal__lt=message.ordinal)
    answered = (MessageStatus.ANSWERED, MessageStatus.PARTIALLY_SUPPORTED, MessageStatus.CONTRADICTORY)
    latest = rows.filter(status__in=answered).order_by("-ordinal").prefetch_related("citations")[:_HISTORY]
    exchanges = []
    for row in reversed(latest):
        cited = {citation.source_id for citation in row.citations.all()}
        sources = {source for source in cited if source}
        whole = Source.objects.filter(visible(""), pk__in=sources).count() == len(cited)
        exchanges.append(Exchange(row.standalone or row.question, row.answer if whole else ""))
    return exchanges


def _row(found: Answer) -> dict[str, Any]:
    return {
        "status": found.status,
        "answer": found.text,
        "standalone": found.standalone,
        "confidence": found.confidence,
        "evidence": [each.as_json() for each in found.evidence],
        "details": found.details,
        "error_code": "",
        "error": "",
        "error_params": {},
    }


def _ended(status: MessageStatus, error: BrainError | None = None) -> dict[str, Any]:
    row: dict[str, Any] = {"status": status.value}
    if error is not None:
        row |= _said(error)
    return row


def _said(error: BrainError) -> dict[str, Any]:
    return {"error_code": error.code, "error": error.notice.text, "error_params": dict(error.notice.params)}


def _finish(message: Message, events: EventLog, row: dict[str, Any], found: Answer | None = None) -> None:
    """Write the outcome if the message is still ours. Citations of passages that went away meanwhile are dropped."""
    with transaction.atomic():
        ours = Message.objects.filter(pk=message.pk, lease_owner=PROCESS, status=MessageStatus.RUNNING)
        if not ours.update(**row, finished_at=timezone.now(), lease_owner="", lease_until=None):
            return
        if found is not None:
            _cite(message, found)
            _take_out_deleted(message, found)
    logger.info("message=%s status=%s tries=%d", message.pk, row["status"], message.tries)
    events.append(asking.channel(message), {"type": "done", "status": row["status"]})


def _cite(message: Message, found: Answer) -> None:
    wanted = [cited.chunk_id for cited in found.citations]
    there = set(Chunk.objects.filter(visible(), pk__in=wanted).values_list("pk", flat=True))
    Citation.objects.filter(message=message).delete()
    Citation.objects.bulk_create(
        Citation(
            message=message,
            number=cited.number,
            chunk_id=cited.chunk_id,
            source_id=UUID(cited.source),
            title=cited.title,
            page=cited.page,
            second_from=cited.second,
            quote=cited.quote,
            start=cited.start,
            end=cited.end,
            supported=cited.supported,
        )
        for cited in found.citations
        if cited.chunk_id in there
    )


def _take_out_deleted(message: Message, found: Answer) -> None:
    """A source may have been purged while its passages were being read out: its words are not kept.

    The rows are locked, so that a purge comes either before this and is seen, or after it and sees this answer.
    """
    used = {UUID(each.source) for each in found.evidence}
    there = Source.objects.select_for_update().filter(pk__in=used, purge_requested_at=None).order_by("pk")
    if gone := used - set(there.values_list("pk", flat=True)):
        quotes.take_out(Message.objects.get(pk=message.pk), gone)


def _put_back(message: Message, error: BrainError) -> None:
    """Waiting for the environment is not a try. The lease keeps others off it for a while."""
    Message.objects.filter(pk=message.pk, lease_owner=PROCESS, status=MessageStatus.RUNNING).update(
        status=MessageStatus.QUEUED,
        lease_owner="",
        lease_until=timezone.now() + _AGAIN,
        tries=F("tries") - 1,
        **_said(error),
    )


def requeue_stale(events: EventLog) -> None:
    """Ring for what nobody holds, oldest first; end what broke off too often."""
    if stopping.is_set():
        return
    free = Message.objects.filter(free_now(), status__in=asking.WAITING)
    for message in free.filter(tries__gte=settings.MAX_TRIES):
        ended = Message.objects.filter(free_now(), pk=message.pk, status__in=asking.WAITING).update(
            status=MessageStatus.FAILED,
            error_code="killed",
            error=KILLED,
            error_params={},
            finished_at=timezone.now(),
        )
        if ended:
            events.append(asking.channel(message), {"type": "done", "status": MessageStatus.FAILED.value})
    # A question that was just asked has rung for itself.
    rung = timezone.now() - timedelta(seconds=5)
    waiting = free.filter(Q(created_at__lt=rung), tries__lt=settings.MAX_TRIES).order_by("created_at")
    for message_id in waiting.values_list("pk", flat=True)[:50]:
        bell.ring("graphqa.tasks.answer", str(message_id))
