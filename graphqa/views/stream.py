"""An answer as it comes: server-sent events that a reload replays from where it was."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from brain import bootstrap
from brain.access import brain_access
from brain.errors import ServiceUnavailable, say
from brain.ledger import leases, streams
from brain.models import Message, MessageStatus, User
from brain.ports import EventLog
from brain.values import Event, Notice
from graphqa import asking

# A stream holds no thread while it waits: it looks every tenth of a second, and rests longer when nothing comes.
_LOOK, _REST = 0.1, 0.5
_KEEP_ALIVE = 10.0
_CHECK_ROW = 2.0
_readers = ThreadPoolExecutor(max_workers=8, thread_name_prefix="event-log")


@require_safe
async def stream(request: HttpRequest, message_id: UUID) -> HttpResponseBase:
    """Events of one message, after ``Last-Event-ID`` if the browser gives one."""
    user = await request.auser()
    assert isinstance(user, User)
    await sync_to_async(_authorise)(user, message_id)
    response = StreamingHttpResponse(
        _events(message_id, request.headers.get("Last-Event-ID", ""), get_language() or "en"),
        content_type="text/event-stream",
    )
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


def _authorise(user: User, message_id: UUID) -> None:
    message = Message.objects.select_related("conversation").filter(id=message_id, conversation__user=user).first()
    if message is None:
        raise Http404
    brain_access(user, message.conversation.brain_id)


async def _events(message_id: UUID, after: str, language: str) -> AsyncIterator[bytes]:
    """Ends with ``done``, or without a word once the person may not read it any more.

    The log is for what is on its way. Of a finished message nothing is told but that: the page fetches the row, from
    which deleted sources are taken out.
    """
    channel = streams.channel(message_id)
    log = bootstrap.event_log()
    loop = asyncio.get_running_loop()
    last_sent = time.monotonic()
    last_row = -math.inf
    status, waits_for, said = "", Notice(""), Notice("")
    # Until the model begins to read: the place in the queue, as it is now.
    queued, place = True, 0
    yield b"retry: 1000\n\n"
    while True:
        if time.monotonic() - last_row >= _CHECK_ROW:
            last_row = time.monotonic()
            row = await _row(message_id)
            if row is None:
                return
            status, waits_for = row
            if status not in streams.WAITING:
                yield _line(Event("", {"type": "done", "status": status}))
                return
            if queued and (now_at := await sync_to_async(asking.place_in_queue)(message_id)) not in {0, place}:
                place = now_at
                yield _line(Event("", {"type": "queue", "position": place}))
        events = await loop.run_in_executor(_readers, _read, log, channel, after)
        for event in events:
            after = event.id
            yield _line(event)
            queued = queued and event.data.get("type") != "reading"
            if event.data.get("type") == "done":
                return
        if leases.stopping.is_set():
            return  # the browser asks again, and the next process goes on after the last event
        now = time.monotonic()
        if events:
            last_sent = now
        elif status == MessageStatus.QUEUED and waits_for.text and waits_for != said:
            said = waits_for
            with override(language):
                yield _line(Event("", {"type": "waiting", "text": say(waits_for)}))
        if now - last_sent >= _KEEP_ALIVE:
            last_sent = now
            yield b": still here\n\n"
        await asyncio.sleep(_LOOK if now - last_sent < 2 else _REST)


def _read(log: EventLog, channel: str, after: str) -> list[Event]:
    """Nothing while the log is away: the row says when it is over."""
    try:
        return log.read(channel, after=after)
    except ServiceUnavailable:
        return []


def _line(event: Event) -> bytes:
    data = json.dumps(dict(event.data), ensure_ascii=False)
    return (f"id: {event.id}\n" if event.id else "").encode() + f"data: {data}\n\n".encode()


async def _row(message_id: UUID) -> tuple[str, Notice] | None:
    """Its status, and what it waits for; None if it is gone or who asked may not read it any more."""
    theirs = Message.objects.filter(
        id=message_id,
        conversation__user__is_active=True,
        conversation__brain__deleted_at=None,
        conversation__brain__memberships__user=F("conversation__user"),
    )
    row = await theirs.values_list("status", "error", "error_params").afirst()
    return (row[0], Notice(row[1], row[2])) if row else None
