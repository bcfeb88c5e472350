"""A worker as a process of its own: for an installation whose stores are servers."""

from __future__ import annotations

import argparse
import os
import signal
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from brain import bootstrap, reconcile
from brain.ledger import leases
from brain.workers import THREADS, EmbeddedWorkers

#: Seconds that work in hand has for being put down.
_PATIENCE = 20.0


class Command(BaseCommand):
    help = "Works on the named queues until it is stopped. Run as many as you like, on as many machines as you like."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("queues", nargs="+", choices=sorted(THREADS))
        parser.add_argument("--threads", type=int, default=0, help="per queue (default: as many as suit it)")

    def handle(self, *, queues: list[str], threads: int, **_: Any) -> None:
        bootstrap.check_settings()
        _refuse_embedded()
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        workers = EmbeddedWorkers({queue: threads or THREADS[queue] for queue in queues})
        workers.start()
        reconciler = reconcile.Reconciler()
        reconciler.start()
        self.stdout.write(f"Working on {', '.join(queues)}.")
        self.stdout.flush()
        stopped.wait()
        leases.stopping.set()
        # A worker that lost its broker meanwhile may never end by itself. What it had in hand is in the rows.
        last_resort = threading.Timer(_PATIENCE, os._exit, (0,))
        last_resort.daemon = True
        last_resort.start()
        reconciler.stop()
        workers.stop()
        bootstrap.close_all()


def _refuse_embedded() -> None:
    """A worker beside the web process needs stores that let both in."""
    embedded = {
        "BRAIN_VECTORS": settings.BRAIN_VECTORS in {"edge", "memory"},
        "BRAIN_BROKER": settings.BRAIN_BROKER.startswith("memory:"),
        "BRAIN_EVENTS": settings.BRAIN_EVENTS == "memory",
    }
    if named := [name for name, is_embedded in embedded.items() if is_embedded]:
        raise CommandError(
            f"{', '.join(named)} name parts that live inside one process. Point them at servers to run workers of "
            "their own (see docs/servers.md), or use manage.py serve."
        )
