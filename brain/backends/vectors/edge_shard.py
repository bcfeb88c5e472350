"""One folder of Qdrant's embedded engine (Qdrant Edge): a shard, which holds the points of one kind.

Every change is flushed before it is acknowledged. The engine's write-ahead log alone survives a kill of the process
but is not synced: a power cut would lose acknowledged points. A flush costs 10 to 70 ms.
Searches are scans: 0.6 ms over 7,000 points of 384 numbers. Of many points a copy in bytes is scanned, and twice as
many as asked for are scored again by the numbers themselves: 1.4 ms over 25,000 instead of 4.8, with the same hits in
the same order (30 questions, the first 80). A graph index would take minutes to build again after changes.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import qdrant_edge
from django.conf import settings
from django.utils.translation import gettext_noop as _

from brain.backends.vectors.memory import WRONG_DIMENSION
from brain.backends.vectors.stored_points import best_first, conditions, point_struct, vector_point
from brain.errors import ServiceRejected, ServiceUnavailable
from brain.values import PointFilter, SparseVector, Vector, VectorHit, VectorPoint

_BROKEN = _(
    'The search index in "%(folder)s" cannot be used (%(reason)s). Check the disk; "manage.py rebuild" makes the '
    "index again."
)
_FULL = _("The disk of this installation is nearly full. Free space; work goes on by itself then.")
_FAILED = _("The search index failed: %(reason)s. Check that the disk is not full.")

# Points per operation: each is one record of the write-ahead log, whose segments hold 32 MB.
_BATCH = 1000
_SCAN_BATCH = 1000
# The engine writes through mapped files: a full disk would not be an error but the end of this process (SIGBUS, as
# tried on a small disk; with room again all was there). So writing stops before: adding at half of the installation's
# reserve, removing, which frees, at a little.
REMOVING_MB = 64
# From this many kilobytes of vectors on (13,000 of 384 numbers) a copy in bytes is kept.
_COPY_KB = 20_000
_OVERSAMPLING = 2.0
# So many changes later, the space of what was deleted is worth reclaiming.
_TIDY_AFTER = 5_000


class Shard:
    """Reads go side by side; a write holds the lock until its bytes are on the disk."""

    def __init__(self, folder: Path, dimension: int) -> None:
        self._folder = folder
        self._dimension = dimension
        self._lock = threading.Lock()
        # What an earlier process left to do is done at the first occasion; nothing costs nothing.
        self._changes = _TIDY_AFTER
        self._shard = self._open()

    def upsert(self, points: Sequence[VectorPoint]) -> None:
        if points:
            check_room(self._folder, max(settings.FREE_DISK_MB // 2, REMOVING_MB))
        for start in range(0, len(points), _BATCH):
            self.take([point_struct(each, qdrant_edge, struct="Point") for each in points[start : start + _BATCH]])

    def take(self, points: Sequence[Any]) -> None:
        """The engine's own points, no more than fit one operation."""
        self._change(qdrant_edge.UpdateOperation.upsert_points(list(points)), len(points))

    def points(self) -> Iterator[Any]:
        """All, as ``take`` takes them."""
        for record in self._records(None, ["dense", "lexical"]):
            yield qdrant_edge.Point(id=record.id, vector=record.vector, payload=record.payload)

    def remove(self, ids: Sequence[str]) -> None:
        """A change costs a flush, so those that are not here are not removed."""
        for start in range(0, len(ids), _BATCH):
            batch: list[int | UUID | str] = list(ids[start : start + _BATCH])
            with translated():
                here: list[int | UUID | str] = [
                    each.id for each in self._shard.retrieve(batch, with_payload=False, with_vector=False)
                ]
            if here:
                self._change(qdrant_edge.UpdateOperation.delete_points(here), len(here))

    def remove_matching(self, where: PointFilter) -> None:
        if matching := self.count(where):
            self._change(qdrant_edge.UpdateOperation.delete_points_by_filter(conditions(where, qdrant_edge)), matching)

    def search(self, query: Vector | SparseVector, where: PointFilter, *, limit: int) -> list[VectorHit]:
        """The kind is not asked for: all are of it."""
        alone = self._holds_only(where.brain)
        nearest, params = self._nearest(query, None if alone else where.brain)
        narrowed = not alone or where.sources or where.without_sources
        matching = conditions(replace(where, kind=None), qdrant_edge, any_brain=alone) if narrowed else None
        asked = limit + 16
        while True:
            request = qdrant_edge.QueryRequest(
                limit=asked, query=nearest, filter=matching, with_payload=True, params=params
            )
            with translated():
                found = self._shard.query(request)
            # The engine leaves points of equal score in any order: ask on until the last tie is inside.
            if len(found) < asked or found[-1].score < found[limit - 1].score:
                break
            asked *= 2
        return best_first(found, where.brain, limit)

    def scan(self, where: PointFilter) -> Iterator[VectorPoint]:
        for record in self._records(conditions(where, qdrant_edge), ["dense"]):
            yield vector_point(record)

    def _records(self, matching: Any, vectors: list[str]) -> Iterator[Any]:
        offset: int | UUID | str | None = None
        while True:
            request = qdrant_edge.ScrollRequest(
                limit=_SCAN_BATCH, offset=offset, filter=matching, with_payload=True, with_vector=vectors
            )
            with translated():
                records, offset = self._shard.scroll(request)
            yield from records
            if offset is None:
                return

    def count(self, where: PointFilter) -> int:
        request = qdrant_edge.CountRequest(exact=True, filter=conditions(where, qdrant_edge))
        with translated():
            return int(self._shard.count(request))

    def tidy(self) -> bool:
        """Reclaim the space of deleted points, and copy new ones, once many have changed; True if there was something
        to do."""
        with self._lock, translated():
            if self._changes < _TIDY_AFTER:
                return False
            self._changes = 0
            return bool(self._shard.optimize())

    def close(self) -> None:
        with self._lock, translated():
            self._shard.close()

    def _open(self) -> Any:
        try:
            if is_shard(self._folder):
                return qdrant_edge.EdgeShard.load(str(self._folder), self._config())
            # A kill between creating the folder and its configuration leaves files that nothing was written to.
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder.mkdir(parents=True)
            shard = qdrant_edge.EdgeShard.create(str(self._folder), self._config())
            for name in ("brain", "source"):
                keyword = qdrant_edge.PayloadSchemaType.Keyword
                shard.update(qdrant_edge.UpdateOperation.create_field_index(name, keyword))
            shard.flush()
        except Exception as error:  # the engine raises nothing more specific
            raise ServiceUnavailable(_BROKEN, folder=str(self._folder), reason=_short(error)) from error
        return shard

    def _config(self) -> Any:
        return qdrant_edge.EdgeConfig(
            vectors={"dense": qdrant_edge.EdgeVectorParams(size=self._dimension, distance=qdrant_edge.Distance.Cosine)},
            sparse_vectors={"lexical": qdrant_edge.EdgeSparseVectorParams(modifier=qdrant_edge.Modifier.Idf)},
            optimizers=qdrant_edge.EdgeOptimizersConfig(indexing_threshold=_COPY_KB),
            quantization_config=qdrant_edge.ScalarQuantizationConfig(type=qdrant_edge.ScalarType.Int8, always_ram=True),
            # No links per point: no graph, scans only.
            hnsw_config=qdrant_edge.HnswIndexConfig(m=0, ef_construct=4, full_scan_threshold=10),
            max_search_threads=1,
        )

    def _nearest(self, query: Vector | SparseVector, brain: str | None) -> tuple[Any, Any]:
        if isinstance(query, SparseVector):
            vector = qdrant_edge.SparseVector(indices=list(query.indices), values=list(query.values))
            # Words are as rare as they are in the brain, whatever part of it is searched.
            corpus = None if brain is None else conditions(PointFilter(brain), qdrant_edge)
            params = qdrant_edge.SearchParams(idf=qdrant_edge.IdfParams(corpus=corpus))
            return qdrant_edge.Query.Nearest(vector, using="lexical"), params
        if query.shape != (self._dimension,):
            raise ServiceRejected(WRONG_DIMENSION, expected=self._dimension, found=int(query.size))
        copy = qdrant_edge.QuantizationSearchParams(rescore=True, oversampling=_OVERSAMPLING)
        return qdrant_edge.Query.Nearest(query.tolist(), using="dense"), qdrant_edge.SearchParams(quantization=copy)

    def _holds_only(self, brain: str) -> bool:
        """Asking each of 520,000 points for its brain took as long again as finding the best: 63 ms instead of 30.
        How many points each brain has is known at once."""
        with translated():
            brains = self._shard.facet(qdrant_edge.FacetRequest(key="brain", limit=2)).hits
        return len(brains) == 1 and str(brains[0].value) == brain

    def _change(self, operation: Any, points: int) -> None:
        check_room(self._folder, REMOVING_MB)
        with self._lock, translated():
            self._shard.update(operation)
            self._shard.flush()
            self._changes += points


def is_shard(folder: Path) -> bool:
    return (folder / "edge_config.json").exists()


def check_room(folder: Path, megabytes: int) -> None:
    if shutil.disk_usage(folder).free < megabytes * 1024 * 1024:
        raise ServiceUnavailable(_FULL)


@contextmanager
def translated() -> Iterator[None]:
    try:
        yield
    except Exception as error:  # the engine raises nothing more specific
        raise ServiceUnavailable(_FAILED, reason=_short(error)) from error


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
