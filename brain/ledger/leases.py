"""Who works on a row: one conditional update gives it, a heartbeat keeps it, the end of it frees it.

The broker may deliver a task twice or never; only the row decides. A lease lasts ``LEASE_SECONDS`` and is
renewed by one thread per process at a quarter of that.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, models
from django.db.models import F, Q
from django.utils import timezone

from brain.errors import Cancelled, LeaseLost
from brain.models import Brain, Deletion, Message, Source, SourceState

logger = logging.getLogger(__name__)

#: This process, among all that work on the same database.
PROCESS = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"

#: Set when this process is asked to end: work in hand stops at its next step and is given back uncounted.
stopping = threading.Event()

WORKABLE = (SourceState.QUEUED, SourceState.RUNNING, SourceState.WAITING)


def lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.LEASE_SECONDS)


def free_now() -> Q:
    """Rows that nobody holds."""
    return Q(lease_until=None) | Q(lease_until__lt=timezone.now())


class SourceLease:
    """Held while one worker advances one source. ``token`` tells it from leases before and after it."""

    def __init__(self, source: Source) -> None:
        self.source_id = source.pk
        self.token = source.lease_token
        self._asked = 0.0
        self._over: str = ""

    def _mine(self) -> models.QuerySet[Source]:
        return Source.objects.filter(pk=self.source_id, lease_owner=PROCESS, lease_token=self.token)

    def renew(self) -> None:
        if not self._mine().update(lease_until=lease_end()):
            self._over = self._over or "lost"

    def cancelled(self) -> bool:
        """True when the work must stop: asked to, or no longer ours. Looks at the row once a second at most."""
        if stopping.is_set():
            self._over = self._over or "stopped"
        if not self._over and time.monotonic() - self._asked >= 1.0:
            self._asked = time.monotonic()
            row = self._mine().values_list("purge_requested_at", "trashed_at").first()
            if row is None:
                self._over = "lost"
            elif any(row):
                self._over = "stopped"
        return bool(self._over)

    def check(self) -> None:
        """Raise ``Cancelled`` or ``LeaseLost`` when the work must stop."""
        self._asked = 0.0
        if self.cancelled():
            raise LeaseLost if self._over == "lost" else Cancelled

    def save(self, **changes: Any) -> None:
        """Change the row if it is still ours, else ``LeaseLost``."""
        if not self._mine().update(**changes):
            raise LeaseLost

    def hold(self) -> None:
        """Inside a transaction: lock the row and make sure that the writer still owns it."""
        row = (
            Source.objects.select_for_update()
            .filter(pk=self.source_id)
            .values_list("lease_owner", "lease_token", "purge_requested_at", "trashed_at")
            .first()
        )
        if row is None or row[:2] != (PROCESS, self.token):
            raise LeaseLost
        if row[2] or row[3]:
            raise Cancelled

    def release(self, **changes: Any) -> bool:
        """Free the row and change it in one step; False if it was no longer ours."""
        return bool(self._mine().update(lease_owner="", lease_until=None, **changes))


def claim_source(candidates: models.QuerySet[Source]) -> tuple[Source, SourceLease] | None:
    """Take the first claimable of the candidates, counting the try before the work starts."""
    for source_id in candidates.values_list("pk", flat=True)[:20]:
        now = timezone.now()
        taken = (
            Source.objects.filter(free_now(), pk=source_id, state__in=WORKABLE)
            .filter(trashed_at=None, purge_requested_at=None, brain__deleted_at=None)
            .filter(Q(retry_at=None) | Q(retry_at__lte=now))
            .update(
                lease_owner=PROCESS,
                lease_until=lease_end(),
                lease_token=F("lease_token") + 1,
                tries=F("tries") + 1,
                state=SourceState.RUNNING,
                stage_started_at=now,
                retry_at=None,
            )
        )
        if taken:
            source = Source.objects.select_related("brain").get(pk=source_id)
            return source, SourceLease(source)
    return None


def free_all() -> int:
    """Free every lease at once; how many. Only for a process that knows that no other one is alive."""
    freed = 0
    for model in (Source, Deletion, Message):
        held = model._default_manager.exclude(lease_until=None)
        freed += held.update(lease_owner="", lease_until=None)
    Brain.objects.exclude(projector_until=None).update(projector="", projector_until=None)
    return freed


_owed: list[Callable[[], object]] = []


@contextmanager
def freed_later(free: Callable[[], object]) -> Iterator[None]:
    """Work that ends with the database away cannot free its row: ``free`` is called when the database is back, instead
    of letting people wait for the lease's end."""
    try:
        yield
    except (DatabaseError, InterfaceError):
        _owed.append(free)
        raise


def free_owed() -> None:
    """Free what could not be freed, as a watch of the reconciler; its errors mean that the database is still away."""
    while _owed:
        _owed[0]()
        del _owed[0]


class Heartbeat:
    """Renews what this process holds. One thread, started with the first lease."""

    def __init__(self) -> None:
        self._renewals: dict[int, Callable[[], object]] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @contextmanager
    def keeping(self, renew: Callable[[], object]) -> Iterator[None]:
        key = id(renew)
        with self._lock:
            self._renewals[key] = renew
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="lease-heartbeat", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                self._renewals.pop(key, None)

    def _run(self) -> None:
        while True:
            time.sleep(settings.LEASE_SECONDS / 4)
            with self._lock:
                if not self._renewals:
                    self._thread = None
                    return
                renewals = list(self._renewals.values())
            try:
                for renew in renewals:
                    renew()
            except DatabaseError as error:
                logger.warning("leases not renewed: %s", type(error).__name__)
            finally:
                # Not kept: one that a database server dropped would be of no use at the next beat.
                connection.close()


heartbeat = Heartbeat()
