"""A question becomes a row, and the bell is rung. Who answers it is decided by the row (``graphqa.work``)."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Subquery
from django.utils.translation import gettext_noop as _

from brain import bell
from brain.errors import TooManyQuestions
from brain.ledger import streams
from brain.models import Conversation, Message
from graphqa.question.plan import normalise
from graphqa.question.scope import Scope

#: Questions of one person that may wait at once, and of all: beyond that the wait would be of hours.
WAITING_EACH, WAITING_ALL = 5, 500
WAITING = streams.WAITING


def ask(conversation: Conversation, question: str, *, scope: Scope | None) -> Message:
    """Keep the question and have it answered. ``QuestionRefused`` if it is blank, too long, or one too many."""
    text = normalise(question, limit=settings.QUESTION_LIMIT)
    waiting = Message.objects.filter(status__in=WAITING)
    if waiting.filter(conversation__user=conversation.user_id).count() >= WAITING_EACH:
        raise TooManyQuestions(_("Some of your questions are still being answered. Ask again when they are done."))
    if waiting.count() >= WAITING_ALL:
        raise TooManyQuestions
    with transaction.atomic():
        # Locked, so that two questions at once do not take one place.
        Conversation.objects.select_for_update().get(pk=conversation.pk)
        last = conversation.messages.aggregate(last=Max("ordinal"))["last"]
        message = Message.objects.create(
            conversation=conversation,
            ordinal=0 if last is None else last + 1,
            question=text,
            scope=scope.as_json() if scope else {},
        )
        transaction.on_commit(partial(bell.ring, "graphqa.tasks.answer", str(message.pk)))
    return message


def stop(message: Message) -> None:
    """Stop answering. One that waits is stopped at once, one at work within a few tokens."""
    streams.stop(Message.objects.filter(pk=message.pk))


def channel(message: Message) -> str:
    return streams.channel(message.pk)


def place_in_queue(message_id: UUID) -> int:
    """How many questions are answered before this one."""
    asked = Message.objects.filter(pk=message_id).values("created_at")
    return Message.objects.filter(status__in=WAITING, created_at__lt=Subquery(asked)).count()
