"""Celery's side of answering: an id comes in, the row decides."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from brain import bootstrap
from brain.ledger import indexes
from graphqa import work
from graphqa.ports import Ports


def ports() -> Ports:
    return Ports(
        indexes.active(), indexes.active_embedder(), bootstrap.llm, bootstrap.reranker(), bootstrap.entailment()
    )


@shared_task(name="graphqa.tasks.answer")
def answer(message_id: str) -> None:
    """Answer one message if nobody does."""
    work.work(UUID(message_id), ports(), bootstrap.event_log())


def requeue_stale() -> None:
    """The reconciler's watch."""
    work.requeue_stale(bootstrap.event_log())
