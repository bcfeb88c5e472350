"""Celery's side of ingestion: a bell that makes a worker look at the database."""

from __future__ import annotations

from urllib.parse import urlsplit

from celery import shared_task
from django.conf import settings

from brain import bell, bootstrap
from ingestion import worker
from ingestion.pipeline import Ports

_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})


def _ports() -> Ports:
    return Ports(llm=bootstrap.llm, gives_way=_files_wait if _shares_cores(settings.BRAIN_LLM) else lambda: False)


def _shares_cores(llm: str) -> bool:
    """A model on this machine takes the cores that reading and embedding need: files become searchable first."""
    return llm.startswith("llama-cpp") or urlsplit(llm).hostname in _THIS_MACHINE


def _files_wait() -> bool:
    return worker.unfinished(worker.READING) or worker.unfinished(worker.EMBEDDING)


@shared_task(name="ingestion.tasks.ingest")
def ingest() -> None:
    """Make the next file searchable: by words before any is made searchable by meaning."""
    if not worker.work(worker.READING, _ports()):
        worker.work(worker.EMBEDDING, _ports())
    if files_are_due():
        bell.ring_ingest()
    else:
        bell.ring_extract()


@shared_task(name="ingestion.tasks.extract")
def extract() -> None:
    """Extract facts from the next file, for one time slice."""
    ports = _ports()
    if not ports.gives_way() and worker.work(worker.EXTRACTING, ports) and worker.due(worker.EXTRACTING).exists():
        bell.ring_extract()


def files_are_due() -> bool:
    return worker.due(worker.READING).exists() or worker.due(worker.EMBEDDING).exists()


def extraction_is_due() -> bool:
    return worker.due(worker.EXTRACTING).exists() and not _ports().gives_way()


def reconcile() -> None:
    """Ring for what nobody holds, and quarantine what kills its workers."""
    worker.quarantine()
    if files_are_due():
        bell.ring_ingest()
    if extraction_is_due():
        bell.ring_extract()
