"""The shards of one index, a folder for each kind of point; and what the version before kept in a single one."""

from __future__ import annotations

import logging
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

from brain.backends.vectors.edge_shard import Shard, is_shard
from brain.values import PointKind

logger = logging.getLogger(__name__)

_AT_ONCE = 1000


def open_shards(folder: Path, dimension: int) -> dict[PointKind, Shard]:
    """Raises ``ServiceUnavailable``, and then holds none open."""
    former = folder.with_name(f"{folder.name}.former")
    if is_shard(folder):
        shutil.rmtree(former, ignore_errors=True)
        folder.rename(former)
    if not is_shard(former):
        # A kill came while it was being removed.
        shutil.rmtree(former, ignore_errors=True)
        return _open(folder, dimension)
    # A kill came while it was being moved, perhaps.
    shutil.rmtree(folder, ignore_errors=True)
    shards = _open(folder, dimension)
    # 27 s for 104,000 points on two busy cores (``python -m bench.shards``); the pages are not up before.
    logger.info("the search index of the version before is put in order by kind, half a minute for each 100,000 points")
    try:
        _move(Shard(former, dimension), shards)
    except BaseException:
        _close(shards)
        raise
    (former / "edge_config.json").unlink()
    shutil.rmtree(former)
    return shards


def _open(folder: Path, dimension: int) -> dict[PointKind, Shard]:
    shards: dict[PointKind, Shard] = {}
    try:
        for kind in PointKind:
            shards[kind] = Shard(folder / kind, dimension)
    except BaseException:
        _close(shards)
        raise
    return shards


def _close(shards: dict[PointKind, Shard]) -> None:
    for shard in shards.values():
        shard.close()


def _move(former: Shard, shards: dict[PointKind, Shard]) -> None:
    waiting: dict[str, list[Any]] = defaultdict(list)
    moved = 0
    try:
        for point in former.points():
            some = waiting[point.payload["kind"]]
            some.append(point)
            if len(some) == _AT_ONCE:
                shards[PointKind(point.payload["kind"])].take(some)
                some.clear()
            moved += 1
        for kind, some in waiting.items():
            shards[PointKind(kind)].take(some)
    finally:
        former.close()
    logger.info("the search index keeps each kind of its %d points apart now", moved)
