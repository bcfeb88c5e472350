"""Celery workers inside this process, for an installation that is one process.

One worker per kind of work, so that nobody's question waits behind a file and no new file behind a large one.
A worker that lets work wait and takes none is started anew (``heal``, a watch of the reconciler).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Collection
from dataclasses import dataclass

from celery import signals
from celery.worker.worker import WorkController
from django.conf import settings
from django.db import close_old_connections

from brain import reconcile
from brain.celery import make_app

logger = logging.getLogger(__name__)

#: Threads per queue. Chat has many: those behind the one that the model answers show their sources and then wait for
#: their turn (``LLM.turn``).
THREADS = {"chat": 16, "ingest": 1, "graph": 2}
_REST_SECONDS = 1.0


@dataclass
class QueueWorker:
    """A worker for one queue; ``waits_since`` is when work was first seen to wait for it untaken."""

    queue: str
    threads: int
    waits_since: float | None = None
    running: int = 0

    def start(self) -> None:
        self.waits_since = None
        self.controller = self._make()
        self._over = threading.Event()
        self.thread = threading.Thread(
            target=self._run, args=(self.controller, self._over), name=f"worker-{self.queue}", daemon=True
        )
        self.thread.start()

    def _run(self, controller: WorkController, over: threading.Event) -> None:
        """Celery's worker may end with its broker, where it should wait for it: then there is another one."""
        controller.start()
        while not over.wait(_REST_SECONDS):
            logger.error("worker queue=%s ended by itself: started anew", self.queue)
            self.controller = self._make()
            self.controller.start()

    def _make(self) -> WorkController:
        return WorkController(
            app=make_app(current=False),
            hostname=f"{self.queue}@embedded",
            pool_cls="threads",
            concurrency=self.threads,
            queues=[self.queue],
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
            # Several event loops in one process share what Celery keeps of them; the plain loop stands alone.
            use_eventloop=False,
            loglevel="WARNING",
        )

    def waited(self) -> float:
        """Seconds for which work has been waiting while this worker took none."""
        if self.running or not reconcile.waiting.get(self.queue, _never)():
            self.waits_since = None
            return 0.0
        now = time.monotonic()
        since = self.waits_since = self.waits_since or now
        return now - since

    def ask_to_stop(self) -> None:
        self._over.set()
        self._asking = threading.Thread(target=self.controller.stop, name=f"stop-{self.queue}", daemon=True)
        self._asking.start()

    def join(self, until: float) -> None:
        """One that lost its broker in a bad moment may never end: it is left behind, and takes nothing any more."""
        for thread in (self._asking, self.thread):
            thread.join(max(0.0, until - time.monotonic()))


class EmbeddedWorkers:
    """All queues of this process."""

    def __init__(self, threads: dict[str, int] | None = None) -> None:
        self.workers = {queue: QueueWorker(queue, n) for queue, n in (threads or THREADS).items()}
        signals.task_prerun.connect(self._taken, weak=False)
        signals.task_postrun.connect(self._done, weak=False)

    def start(self) -> None:
        for worker in self.workers.values():
            worker.start()
        reconcile.watch(self.heal)

    def stop(self, timeout: float = 20.0) -> None:
        reconcile.unwatch(self.heal)
        signals.task_prerun.disconnect(self._taken)
        signals.task_postrun.disconnect(self._done)
        _stop(self.workers.values(), timeout)

    def heal(self) -> None:
        """Start a worker anew for which work has been waiting for a while although bells are rung."""
        for queue, worker in self.workers.items():
            waited = worker.waited()
            if waited > settings.STALL_SECONDS:
                logger.error("worker queue=%s let work wait for %.0fs: started anew", queue, waited)
                _stop([worker], timeout=5)
                worker.start()

    def _queue_of(self, task: object) -> QueueWorker | None:
        request = getattr(task, "request", None)
        info = getattr(request, "delivery_info", None) or {}
        return self.workers.get(str(info.get("routing_key", "")))

    def _taken(self, task: object = None, **_: object) -> None:
        # Celery would do this in a worker process of its own; here the thread keeps what the server dropped.
        close_old_connections()
        if worker := self._queue_of(task):
            worker.waits_since = None
            worker.running += 1

    def _done(self, task: object = None, **_: object) -> None:
        if worker := self._queue_of(task):
            worker.running = max(0, worker.running - 1)
            worker.waits_since = None


def _stop(workers: Collection[QueueWorker], timeout: float) -> None:
    """All are asked before the first is waited for: each takes seconds to leave its broker."""
    for worker in workers:
        worker.ask_to_stop()
    until = time.monotonic() + timeout
    for worker in workers:
        worker.join(until)


def _never() -> bool:
    return False
