"""Answers that are not shown for now: a source they cite is in the trash, or on its way out with its words still here.

Found when they are read, so that taking a source back from the trash brings them back as they were.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.db.models import Q

from brain.ledger.state import visible
from brain.models import Citation, Message

Reason = Literal["", "trash", "deletion"]


@dataclass(frozen=True, slots=True)
class Withheld:
    """The answers of one conversation that are not shown, by the place of their message."""

    reasons: Mapping[int, Reason]

    def why(self, message: Message) -> Reason:
        return self.reasons.get(message.ordinal, "")

    def reworded(self, message: Message) -> bool:
        """True if the question as it was searched may hold words of an answer that is not shown."""
        earlier = any(ordinal < message.ordinal for ordinal in self.reasons)
        return earlier and message.standalone not in ("", message.question)


def withheld(conversation_id: UUID) -> Withheld:
    """One query. A citation without title and quote is one whose words are taken out of its answer already."""
    leaving = Citation.objects.filter(~visible() & ~Q(title="", quote=""), message__conversation=conversation_id)
    reasons: dict[int, Reason] = {}
    for ordinal, deleted in leaving.order_by().values_list("message__ordinal", "source__purge_requested_at"):
        # What cannot be restored is said first.
        reasons[ordinal] = "deletion" if deleted or reasons.get(ordinal) == "deletion" else "trash"
    return Withheld(reasons)
