"""Vectors in this process, on disk: Qdrant's own engine (Qdrant Edge), one folder per index.

The folder belongs to one process, which is why the embedded install is one process. The engine has a lock of its own,
but asks it late: a second process that was refused had already cut the first one's journals, whose next write then
failed. So a lock file is taken before the engine touches anything.
"""

from __future__ import annotations

import fcntl
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext_noop as _

from brain.backends.vectors.edge_shard import REMOVING_MB, Shard, check_room
from brain.backends.vectors.edge_shards import open_shards
from brain.backends.vectors.memory import check_dimension, kind_of
from brain.errors import ServiceUnavailable
from brain.values import PointFilter, PointKind, SparseVector, Vector, VectorHit, VectorPoint

IN_USE = _(
    'The search index in "%(folder)s" is in use by another process. Stop that one, or point both at a Qdrant '
    "server (BRAIN_VECTORS=http://...)."
)


class EdgeVectorStore:
    """A shard for each kind of point: to find the best of 100,000 relations among 520,000 points of all kinds took
    8.6 ms, and takes 4 among themselves."""

    def __init__(self, folder: Path, dimension: int) -> None:
        self._dimension = dimension
        self._held = _hold(folder)
        try:
            check_room(folder.parent, REMOVING_MB)
            self._shards = open_shards(folder, dimension)
        except ServiceUnavailable:
            os.close(self._held)
            raise

    @classmethod
    def from_setting(cls, value: str, *, index: str, dimension: int) -> EdgeVectorStore:  # noqa: ARG003
        return cls(Path(settings.VECTORS_DIR) / index, dimension)

    def upsert(self, points: Sequence[VectorPoint]) -> None:
        check_dimension(points, self._dimension)
        by_kind: dict[PointKind, list[VectorPoint]] = defaultdict(list)
        for point in points:
            by_kind[point.kind].append(point)
        for kind, some in by_kind.items():
            self._shards[kind].upsert(some)

    def remove(self, ids: Sequence[str]) -> None:
        for shard in self._shards.values():
            shard.remove(ids)

    def remove_matching(self, where: PointFilter) -> None:
        for shard in self._of(where):
            shard.remove_matching(where)

    def search(self, query: Vector | SparseVector, where: PointFilter, *, limit: int) -> list[VectorHit]:
        return self._shards[kind_of(where)].search(query, where, limit=limit) if limit > 0 else []

    def scan(self, where: PointFilter) -> Iterator[VectorPoint]:
        for shard in self._of(where):
            yield from shard.scan(where)

    def count(self, where: PointFilter) -> int:
        return sum(shard.count(where) for shard in self._of(where))

    def tidy(self) -> bool:
        """Reclaim the space of deleted points, and copy new ones, once many have changed; True if there was something
        to do."""
        tidied = [shard.tidy() for shard in self._shards.values()]
        return any(tidied)

    def close(self) -> None:
        """Let the folder go, so that another process may open it."""
        for shard in self._shards.values():
            shard.close()
        os.close(self._held)

    def _of(self, where: PointFilter) -> list[Shard]:
        return [shard for kind, shard in self._shards.items() if where.kind in {None, kind}]


def _hold(folder: Path) -> int:
    """An open file whose lock says that this process has ``folder``; the system lets go of it with the process."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    held = os.open(folder.with_name(f"{folder.name}.lock"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(held)
        raise ServiceUnavailable(IN_USE, folder=str(folder)) from error
    return held
