"""Answering one message row: claimed by one worker, kept by a lease, ended by one conditional write.

A service that is away, or a model that is not there yet, puts the question back: it waits with a sentence, and the
reconciler rings again. Nothing is ever answered without sources.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from brain import bell
from brain.errors import BrainError, Cancelled
from brain.ledger import quotes, streams
from brain.ledger.leases import PROCESS, free_now, freed_later, heartbeat, lease_end, stopping
from brain.ledger.state import visible
from brain.models import Chunk, Citation, Message, MessageStatus, Source
from brain.ports import EventLog
from graphqa import asking
from graphqa.answer.citations import source_items
from graphqa.answer.withheld import withheld
from graphqa.answering import Answer, Listener, answer
from graphqa.evidence.context import Shown
from graphqa.look import Look
from graphqa.ports import Ports
from graphqa.question.plan import Exchange
from graphqa.question.scope import Scope

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
    mine = Message.objects.filter(pk=message.pk, lease_owner=PROCESS, status=MessageStatus.RUNNING, tries=message.tries)
    with freed_later(lambda: mine.update(lease_owner="", lease_until=None)):
        return _work(message, mine, ports, events)


def _work(message: Message, mine: QuerySet[Message], ports: Ports, events: EventLog) -> bool:
    try:
        with heartbeat.keeping(lambda: mine.update(lease_until=lease_end())):
            found, sources = _answer(message, ports, events)
    except Cancelled:
        _finish(message, events, _ended(MessageStatus.CANCELLED))
    except BrainError as error:
        if error.retryable and timezone.now() - message.created_at < PATIENCE:
            _put_back(message, error)
            return False
        _finish(message, events, _ended(MessageStatus.FAILED, error))
    else:
        _finish(message, events, _row(found), found, sources)
    return True


def _claim(message_id: UUID) -> Message | None:
    claimed = (
        Message.objects.filter(free_now(), pk=message_id, status__in=asking.WAITING, tries__lt=settings.MAX_TRIES)
        .filter(conversation__brain__deleted_at=None)
        .update(status=MessageStatus.RUNNING, lease_owner=PROCESS, lease_until=lease_end(), tries=F("tries") + 1)
    )
    return Message.objects.select_related("conversation").get(pk=message_id) if claimed else None


def _answer(message: Message, ports: Ports, events: EventLog) -> tuple[Answer, set[UUID]]:
    """The answer, and the sources that its words may come from. Begun anew when one of them was deleted meanwhile."""
    channel = asking.channel(message)
    if message.tries > 1:
        _begin_anew(events, channel)  # what an interrupted try said
    while True:
        look = Look(message)
        try:
            found = _try(message, ports, events, look)
            return found, look.sources | {UUID(each.source) for each in found.evidence}
        except BrainError:
            if look.stopped or not look.lost_one():
                raise
            logger.info("message=%s begun anew: a source was deleted", message.pk)
            _begin_anew(events, channel)


def _try(message: Message, ports: Ports, events: EventLog, look: Look) -> Answer:
    channel = asking.channel(message)

    def told(shown: Sequence[Shown], question: str) -> None:
        look.show(shown)
        events.append(channel, {"type": "sources", "sources": source_items(shown, question)})
        # Deleted between search and now: the deletion has cleared this channel already, and will not again.
        if look.lost_one():
            raise Cancelled

    return answer(
        message.question,
        message.conversation.brain_id,
        ports=ports,
        history=history_of(message),
        scope=Scope.from_json(message.scope) if message.scope else None,
        mode=message.scope.get("mode", "mix"),
        listener=Listener(
            sources=told,
            reading=lambda: _say(events, channel, {"type": "reading"}),
            text=lambda piece: _say(events, channel, {"type": "token", "text": piece}),
            cancelled=look,
        ),
        asked=message.created_at.timestamp(),
    )


def _say(events: EventLog, channel: str, said: dict[str, Any]) -> None:
    events.append(channel, said)


def _begin_anew(events: EventLog, channel: str) -> None:
    """Nothing of what was told stays, neither in the log nor on the pages that show it."""
    events.drop(channel)
    events.append(channel, {"type": "again"})


def history_of(message: Message) -> list[Exchange]:
    """The exchanges before it in its conversation, oldest first. Answers whose sources went away are left out, and
    words of answers that are not shown."""
    rows = Message.objects.filter(conversation=message.conversation_id, ordinal__lt=message.ordinal)
    answered = (MessageStatus.ANSWERED, MessageStatus.PARTIALLY_SUPPORTED, MessageStatus.CONTRADICTORY)
    latest = rows.filter(status__in=answered).order_by("-ordinal").prefetch_related("citations")[:_HISTORY]
    hidden = withheld(message.conversation_id)
    exchanges = []
    for row in reversed(latest):
        cited = {citation.source_id for citation in row.citations.all()}
        sources = {source for source in cited if source}
        whole = Source.objects.filter(visible(""), pk__in=sources).count() == len(cited)
        asked = row.question if hidden.why(row) or hidden.reworded(row) else row.standalone or row.question
        exchanges.append(Exchange(asked, row.answer if whole else ""))
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
    row: dict[str, Any] = {"status": status.value, "evidence": []}
    if error is not None:
        row |= _said(error)
    return row


def _said(error: BrainError) -> dict[str, Any]:
    return {"error_code": error.code, "error": error.notice.text, "error_params": dict(error.notice.params)}


def _finish(
    message: Message,
    events: EventLog,
    row: dict[str, Any],
    found: Answer | None = None,
    sources: AbstractSet[UUID] = frozenset(),
) -> None:
    """Write the outcome if the message is still ours. Citations of passages that are gone by now are dropped."""
    less = found is None
    with transaction.atomic():
        ours = Message.objects.filter(pk=message.pk, lease_owner=PROCESS, status=MessageStatus.RUNNING)
        written = ours.update(**row, finished_at=timezone.now(), lease_owner="", lease_until=None)
        if written and found is not None:
            _cite(message, found)
            less = _take_out_deleted(message, sources)
    if written:
        logger.info("message=%s status=%s tries=%d", message.pk, row["status"], message.tries)
        streams.end(events, message.pk, row["status"], forgets=less)
    elif not Message.objects.filter(pk=message.pk).exists():
        events.drop(asking.channel(message))


def _cite(message: Message, found: Answer) -> None:
    wanted = [cited.chunk_id for cited in found.citations]
    # Also of sources put in the trash meanwhile: by their citations their answers are withheld and brought back.
    kept = Chunk.objects.filter(pk__in=wanted, source__purge_requested_at=None)
    there = set(kept.values_list("pk", flat=True))
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


def _take_out_deleted(message: Message, used: AbstractSet[UUID]) -> bool:
    """A source may have been purged while its passages were being read out: its words are not kept. True if so.

    The rows are locked, so that a purge comes either before this and is seen, or after it and sees this answer.
    """
    there = Source.objects.select_for_update().filter(pk__in=used, purge_requested_at=None).order_by("pk")
    gone = set(used) - set(there.values_list("pk", flat=True))
    if gone:
        quotes.take_out(Message.objects.get(pk=message.pk), gone)
    return bool(gone)


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
            evidence=[],
            finished_at=timezone.now(),
        )
        if ended:
            streams.end(events, message.pk, MessageStatus.FAILED.value, forgets=True)
    # A question that was just asked has rung for itself.
    rung = timezone.now() - timedelta(seconds=5)
    waiting = free.filter(Q(created_at__lt=rung), tries__lt=settings.MAX_TRIES).order_by("created_at")
    for message_id in waiting.values_list("pk", flat=True)[:50]:
        bell.ring("graphqa.tasks.answer", str(message_id))
