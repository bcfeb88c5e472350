"""The bell: a Celery task sent by name, so that whoever changes rows need not know who works on them.

A broker that is away costs nothing: the rows are committed, and the reconciler rings again when it is back.
"""

from __future__ import annotations

from celery import current_app
from kombu.exceptions import OperationalError


def ring(task: str, *args: str, seconds: float = 0) -> None:
    """Make a worker look at the rows, in so many seconds. ``args`` are ids."""
    try:
        current_app.send_task(task, args=args, retry=False, countdown=seconds or None)
    except OperationalError:
        return


def ring_deletions() -> None:
    ring("brain.tasks.deletions")


def ring_outbox() -> None:
    ring("brain.tasks.project")


def ring_ingest() -> None:
    ring("ingestion.tasks.ingest")


def ring_extract() -> None:
    ring("ingestion.tasks.extract")
