"""Whether the worker at an answer is to go on: nobody stopped it, and every source it was shown is still there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from uuid import UUID

from brain.ledger.leases import PROCESS
from brain.ledger.state import visible
from brain.models import Citation, Message, Source
from graphqa.evidence.context import Shown

_SECONDS = 0.5


class Look:
    """Asked between tokens; looks at the rows twice a second at most.

    ``sources``: those that words of the answer may come from, also through earlier answers. ``stopped``: the message
    was cancelled, or is no longer ours.
    """

    def __init__(self, message: Message) -> None:
        self._row = Message.objects.filter(pk=message.pk)
        self._asked = time.monotonic()
        self._over = False
        self.stopped = False
        earlier = Message.objects.filter(conversation=message.conversation_id, ordinal__lt=message.ordinal)
        cited = Citation.objects.filter(visible(), message__in=earlier, source__isnull=False)
        self.sources: set[UUID] = {source for source in cited.values_list("source_id", flat=True) if source}

    def __call__(self) -> bool:
        if not self._over and time.monotonic() - self._asked >= _SECONDS:
            self._asked = time.monotonic()
            row = self._row.values_list("cancel_requested", "lease_owner").first()
            self.stopped = row is None or row[0] or row[1] != PROCESS
            self._over = self.stopped or self.lost_one()
        return self._over

    def show(self, shown: Sequence[Shown]) -> None:
        """Kept on the row before a word is told, so that a deletion finds the message."""
        self.sources |= {UUID(each.evidence.source) for each in shown}
        self._row.filter(lease_owner=PROCESS).update(evidence=[each.evidence.as_json() for each in shown])

    def lost_one(self) -> bool:
        """Is one of the sources in the trash or deleted by now?"""
        return Source.objects.filter(visible(""), pk__in=self.sources).count() < len(self.sources)
