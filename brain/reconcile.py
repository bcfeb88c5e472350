"""What makes everything go on by itself: look at the rows, and ring for what nobody holds.

Runs every ``RECONCILE_SECONDS`` in each process that has workers. Each app registers what it watches over.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection

from brain import originals
from brain.errors import ServiceUnavailable
from brain.ledger import deletion, indexes, journal, leases, projection
from brain.models import Projection, VectorIndex

logger = logging.getLogger(__name__)

_HOUR = 3600.0
_watches: list[Callable[[], None]] = []

#: Per queue: does work wait for its workers right now?
waiting: dict[str, Callable[[], bool]] = {}


def watch(look: Callable[[], None]) -> None:
    """Have ``look`` called at every round."""
    if look not in _watches:
        _watches.append(look)


def unwatch(look: Callable[[], None]) -> None:
    _watches.remove(look)


def deletions() -> None:
    """Take up journals that nobody works on, and empty the trash of what is old."""
    deletion.empty_trash()
    for each in journal.due():
        journal.advance(each)


def outboxes() -> None:
    """Carry out what a killed projector left, and what a person's decision changed."""
    for brain_id in Projection.objects.order_by().values_list("brain", flat=True).distinct():
        projection.carry_out(brain_id)


def interrupted_uploads() -> None:
    originals.sweep_temporary(_HOUR)


def deleted_points() -> None:
    """Let an embedded vector engine reclaim the space of what was deleted; servers do so by themselves."""
    for index in VectorIndex.objects.all():
        if tidy := getattr(indexes.store_of(index), "tidy", None):
            tidy()


_watches += [leases.free_owed, deletions, outboxes, interrupted_uploads, deleted_points]


def once() -> None:
    """One round. A store that is away costs its own watch only."""
    # One that the database server dropped is of no use, and this thread has no request that would end and close it.
    close_old_connections()
    for look in _watches:
        try:
            look()
        except (ServiceUnavailable, DatabaseError) as error:
            logger.warning("reconcile %s: %s", look.__name__, type(error).__name__)
        except Exception:
            logger.exception("reconcile %s", look.__name__)


class Reconciler:
    """A thread that reconciles until stopped."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reconciler", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(timeout=30)

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                once()
                self._stop.wait(settings.RECONCILE_SECONDS)
        finally:
            connection.close()
