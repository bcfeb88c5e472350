"""What old answers keep of a source, and taking it back out of them."""

from __future__ import annotations

import re
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_noop as _

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
    used = Message.objects.filter(citations__source=source_id).distinct().values_list("pk", flat=True)
    shown = Message.objects.filter(evidence__icontains=str(source_id)).values_list("pk", flat=True)
    for message_id in {*used, *shown}:
        with transaction.atomic():
            message = Message.objects.select_for_update().get(pk=message_id)
            citations = list(message.citations.all())
            gone = {citation.number for citation in citations if citation.source_id == source_id}
            if message.status in _FROM_PASSAGES:
                message.answer = without(message.answer, {c.number for c in citations} - gone)
            # A follow-up may have been made standalone with words of this answer.
            message.conversation.messages.filter(ordinal__gte=message.ordinal).update(standalone="")
            message.evidence = [item for item in message.evidence if str(source_id) not in str(item)]
            message.details = {
                name: value for name, value in message.details.items() if str(source_id) not in str(value)
            }
            message.standalone = ""
            message.save(update_fields=["answer", "standalone", "evidence", "details"])
            blanked += Citation.objects.filter(message=message, source=source_id).update(
                quote="", title="", page=None, second_from=None, start=None, end=None, chunk=None
            )
    return blanked


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
