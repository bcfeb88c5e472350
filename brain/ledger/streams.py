"""What is told of answers as they come. The event log holds words of documents, so whoever deletes clears it too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from brain import bootstrap
from brain.models import Message, MessageStatus
from brain.ports import EventLog

#: Still to be answered, or being answered.
WAITING = (MessageStatus.QUEUED, MessageStatus.RUNNING)


def channel(message_id: UUID) -> str:
    return f"message:{message_id}"


def forget(messages: Iterable[UUID]) -> None:
    """Nothing that was told of these messages can be read any more."""
    log = bootstrap.event_log()
    for message_id in messages:
        log.drop(channel(message_id))


def end(log: EventLog, message_id: UUID, status: str, *, forgets: bool) -> None:
    """The last event. ``forgets``: what was told before it is not what the row holds now."""
    if forgets:
        log.drop(channel(message_id))
    log.append(channel(message_id), {"type": "done", "status": status})


def stop(messages: QuerySet[Message]) -> None:
    """Stop answering. Those that wait are stopped at once, those at work within a few tokens."""
    stopped: dict[str, Any] = {"status": MessageStatus.CANCELLED, "cancel_requested": True, "evidence": []}
    for message_id in messages.filter(status=MessageStatus.QUEUED).values_list("pk", flat=True):
        waiting = Message.objects.filter(pk=message_id, status=MessageStatus.QUEUED)
        if waiting.update(**stopped, finished_at=timezone.now()):
            end(bootstrap.event_log(), message_id, MessageStatus.CANCELLED.value, forgets=True)
    messages.filter(status=MessageStatus.RUNNING).update(cancel_requested=True)
