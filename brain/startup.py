"""One process per BRAIN_HOME where the stores live inside it; and what that one does: take over from a dead one."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings
from django.utils.translation import gettext_noop as _

from brain import originals
from brain.env import unusable
from brain.errors import ServiceUnavailable
from brain.ledger import indexes, leases
from brain.models import VectorIndex

SERVED = _(
    'Brain is running on "%(home)s". Stop it first: beside it this works only with the vectors on a Qdrant server '
    "(BRAIN_VECTORS=http://...). Nothing was changed."
)
_EMBEDDED = frozenset({"edge", "memory", "qdrant-local"})


def hold_home() -> IO[str] | None:
    """An open file whose lock says that BRAIN_HOME is this process's, until it is closed; None if it is another's."""
    path = Path(settings.BRAIN_HOME, "serve.lock")
    try:
        file = path.open("w", encoding="ascii")
    except OSError as error:
        raise unusable(path, error) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


@contextmanager
def embedded_stores_held() -> Iterator[None]:
    """Refuse before anything is changed where stores that let one process in are another's. On servers there is
    nothing to hold."""
    if settings.BRAIN_VECTORS.partition(":")[0] not in _EMBEDDED:
        yield
        return
    held = hold_home()
    if held is None:
        raise ServiceUnavailable(SERVED, home=str(settings.BRAIN_HOME))
    with held:
        # A command that is no server may have them too.
        for each in VectorIndex.objects.all():
            indexes.store_of(each)
        yield


def take_over() -> None:
    """Free what a killed process held and remove what it left half done; work goes on at once, not in a minute."""
    leases.free_all()
    originals.sweep_temporary(older_than_seconds=0)
    shutil.rmtree(Path(settings.BRAIN_HOME) / "reading", ignore_errors=True)
