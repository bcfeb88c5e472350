"""Background work that belongs to no app of its own."""

from __future__ import annotations

from celery import shared_task

from brain import bell, reconcile
from brain.models import Deletion


@shared_task(name="brain.tasks.deletions")
def deletions() -> None:
    """Carry on with deletions; one that waits for work to stop is looked at again in a second."""
    reconcile.deletions()
    if Deletion.objects.filter(finished_at=None).exists():
        bell.ring("brain.tasks.deletions", seconds=1)


@shared_task(name="brain.tasks.project")
def project() -> None:
    """Carry out the outbox."""
    reconcile.outboxes()
