"""Celery's side of ingestion: a bell that makes a worker look at the database."""

from __future__ import annotations

from celery import shared_task

from brain import bell, bootstrap
from ingestion import worker
from ingestion.pipeline import Ports


def _ports() -> Ports:
    return Ports(llm=bootstrap.llm)


@shared_task(name="ingestion.tasks.ingest")
def ingest() -> None:
    """Make the next file searchable."""
    if worker.work(worker.READING, _ports()):
        bell.ring_extract()
        if worker.due(worker.READING).exists():
            bell.ring_ingest()


@shared_task(name="ingestion.tasks.extract")
def extract() -> None:
    """Extract facts from the next file, for one time slice."""
    if worker.work(worker.EXTRACTING, _ports()) and worker.due(worker.EXTRACTING).exists():
        bell.ring_extract()


def reconcile() -> None:
    """Ring for what nobody holds, and quarantine what kills its workers."""
    worker.quarantine()
    if worker.due(worker.READING).exists():
        bell.ring_ingest()
    if worker.due(worker.EXTRACTING).exists():
        bell.ring_extract()
