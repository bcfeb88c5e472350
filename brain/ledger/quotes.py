"""What old answers keep of a source, and taking it back out of them."""

from __future__ import annotations

import re
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_noop as _

from brain.ledger import streams
from brain.models import Citation, Message, MessageStatus

#: Stands in an answer where sentences rested on a deleted source.
REMOVED = _("[Removed: the source of this part was deleted.]")

#: Answers that hold words of the passages; the rest are this product's own sentences.
_FROM_PASSAGES = {MessageStatus.ANSWERED, MessageStatus.PARTIALLY_SUPPORTED, MessageStatus.CONTRADICTORY}

_SENTENCE = re.compile(r"[^.!?。\n]*(?:[.!?。]+(?:\s*\[\d+\])*|\n|$)")
_NUMBERS = re.compile(r"\[(\d+)\]")


def blank(source_id: UUID) -> int:
    """Take a source's words out of every answer that used it; how many citations were blanked.

    Only sentences that cite other sources alone stay: an uncited sentence may rest on the deleted one.
    """
    blanked = 0
    for message_id in resting_on(source_id):
        with transaction.atomic():
            message = Message.objects.select_for_update().filter(pk=message_id).first()
            blanked += take_out(message, {source_id}) if message else 0
        streams.forget([message_id])
    return blanked


def resting_on(source_id: UUID) -> set[UUID]:
    """The messages that cite a source or were shown it, finished or not."""
    used = Message.objects.filter(citations__source=source_id).values_list("pk", flat=True)
    # Evidence has no index: only the messages of its own brain are read.
    near = Message.objects.filter(conversation__brain__sources=source_id)
    shown = near.filter(evidence__icontains=str(source_id)).values_list("pk", flat=True)
    return {*used, *shown}


def hush(source_id: UUID) -> None:
    """What was told of answers that rest on a source can be read no more; workers at such an answer begin anew."""
    streams.forget(resting_on(source_id))


def take_out(message: Message, sources: set[UUID]) -> int:
    """Take the words of these sources out of one answer, in the caller's transaction; how many citations were."""
    names = {str(source) for source in sources}
    kept = set(message.citations.exclude(source__in=sources).values_list("number", flat=True))
    if message.status in _FROM_PASSAGES:
        message.answer = without(message.answer, kept)
    message.evidence = [item for item in message.evidence if not _names(item, names)]
    message.save(update_fields=["answer", "evidence"])
    # How it was answered, and how later questions were made standalone, may hold words of this answer.
    message.conversation.messages.filter(ordinal__gte=message.ordinal).update(standalone="", details={})
    return Citation.objects.filter(message=message, source__in=sources).update(
        quote="", title="", page=None, second_from=None, start=None, end=None, chunk=None
    )


def _names(value: object, sources: set[str]) -> bool:
    return any(source in str(value) for source in sources)


def without(answer: str, kept: set[int]) -> str:
    """The sentences that cite numbers in ``kept`` and no others; the rest is replaced by one mark."""
    if not answer:
        return answer
    parts: list[str] = []
    for sentence in _SENTENCE.findall(answer):
        numbers = {int(number) for number in _NUMBERS.findall(sentence)}
        if not sentence.strip() or (numbers and numbers <= kept):
            parts.append(sentence)
        elif not parts or parts[-1] != REMOVED:
            parts.append(REMOVED)
    return "".join(parts).strip()
