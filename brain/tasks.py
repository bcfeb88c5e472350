"""Background work that belongs to no app of its own."""

from __future__ import annotations

from celery import shared_task

from brain import reconcile


@shared_task(name="brain.tasks.deletions")
def deletions() -> None:
    """Carry on with deletions."""
    reconcile.deletions()


@shared_task(name="brain.tasks.project")
def project() -> None:
    """Carry out the outbox."""
    reconcile.outboxes()
