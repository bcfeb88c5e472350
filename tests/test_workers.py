"""Workers inside the process: each consumes its own queue."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from celery import current_app, signals
from kombu.exceptions import OperationalError

from brain import reconcile
from brain.celery import RECONNECT_SECONDS, make_app
from brain.workers import EmbeddedWorkers

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def taken() -> Iterator[list[str]]:
    """Names of the tasks that were run, in order."""
    names: list[str] = []

    def note(task: object = None, **_: object) -> None:
        names.append(str(getattr(task, "name", "")))

    signals.task_postrun.connect(note)
    yield names
    signals.task_postrun.disconnect(note)


def test_every_queue_is_consumed_by_a_worker_of_its_own(taken: list[str]) -> None:
    workers = EmbeddedWorkers({"chat": 1, "ingest": 1, "graph": 1})
    workers.start()
    try:
        for task, args in (
            ("graphqa.tasks.answer", ("00000000-0000-0000-0000-000000000000",)),
            ("ingestion.tasks.ingest", ()),
            ("brain.tasks.deletions", ()),
        ):
            current_app.send_task(task, args=args)
        until = time.monotonic() + 20
        # A worker is told that a task is over after this test is.
        busy = True
        while (len(taken) < 3 or busy) and time.monotonic() < until:
            time.sleep(0.05)
            busy = any(worker.running for worker in workers.workers.values())
        assert {"graphqa.tasks.answer", "ingestion.tasks.ingest", "brain.tasks.deletions"} <= set(taken)
        assert {queue: worker.running for queue, worker in workers.workers.items()} == dict.fromkeys(
            ("chat", "ingest", "graph"), 0
        )
    finally:
        workers.stop(timeout=10)


def test_a_worker_that_stopped_consuming_is_started_anew_when_work_waits(
    taken: list[str], settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.STALL_SECONDS = 0  # type: ignore[attr-defined]
    monkeypatch.setitem(reconcile.waiting, "chat", lambda: True)
    workers = EmbeddedWorkers({"chat": 1})
    workers.start()
    try:
        deaf = workers.workers["chat"].controller
        deaf.stop()  # what a lost broker connection looks like from outside: alive, and taking nothing
        workers.heal()
        time.sleep(0.1)
        workers.heal()
        assert workers.workers["chat"].controller is not deaf
        current_app.send_task("graphqa.tasks.answer", args=("00000000-0000-0000-0000-000000000000",))
        until = time.monotonic() + 20
        while not taken and time.monotonic() < until:
            time.sleep(0.05)
        assert taken == ["graphqa.tasks.answer"]
    finally:
        workers.stop(timeout=10)


def test_a_worker_is_not_blamed_for_the_quiet_time_before_its_work_came(
    settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.STALL_SECONDS = 0.2  # type: ignore[attr-defined]
    work: list[str] = []
    monkeypatch.setitem(reconcile.waiting, "chat", lambda: bool(work))
    workers = EmbeddedWorkers({"chat": 1})
    workers.start()
    try:
        worker = workers.workers["chat"]
        first = worker.controller
        workers.heal()
        time.sleep(0.3)
        work.append("the first question after a quiet time")
        workers.heal()
        assert worker.controller is first
        time.sleep(0.3)
        workers.heal()
        assert worker.controller is not first
    finally:
        workers.stop(timeout=10)


def test_all_queues_stop_together_within_seconds() -> None:
    workers = EmbeddedWorkers({"chat": 1, "ingest": 1, "graph": 1})
    workers.start()
    time.sleep(1)
    began = time.monotonic()
    workers.stop(timeout=20)
    assert time.monotonic() - began < 6
    assert [worker.thread.is_alive() for worker in workers.workers.values()] == [False] * 3


def test_a_lost_broker_is_looked_for_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kombu.utils.functional.sleep", lambda _seconds: None)
    waits: list[float] = []
    connection = make_app(current=False).connection_for_read("redis://127.0.0.1:1/0")
    with pytest.raises(OperationalError):
        connection.ensure_connection(lambda _error, seconds: waits.append(seconds), 10)
    assert max(waits) == RECONNECT_SECONDS
