"""Who did what, and when. Ids and counts only: never a text, a question, an answer or a password."""

from __future__ import annotations

from uuid import UUID

from brain.models import Audit, User


def note(user: User | None, action: str, *, brain: UUID | None = None, subject: str = "", **counts: int | str) -> None:
    """Write one line of the log."""
    Audit.objects.create(user=user, action=action, brain=brain, subject=subject[:80], counts=counts)
