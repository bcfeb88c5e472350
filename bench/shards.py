"""How long the first start takes with a search index that the version before kept in one shard.

    python -m bench.shards [--entities 100000] [--chunks 20000]

Made-up points of 384 numbers, as many as ``bench.latency`` has: four phrasings of each entity, one of each relation,
passages with the words of a page. They are written as that version wrote them, and the store is opened twice: the first
time moves them to a shard for each kind.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.crowd import PHRASINGS
from bench.homes import start_django, temporary_home
from bench.report import peak_mb, report

if TYPE_CHECKING:
    from brain.values import PointKind, VectorPoint

_DIMENSION = 384
_WORDS = 90
_AT_ONCE = 5000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--chunks", type=int, default=20_000)
    given = parser.parse_args()
    began = time.monotonic()
    with temporary_home() as home:
        start_django(home)
        folder = home / "vectors" / "index"
        points = keep_in_one(folder, given.entities, given.chunks)
        megabytes = sum(each.stat().st_blocks for each in folder.rglob("*")) // 2048
        report(
            points=points,
            megabytes=megabytes,
            **opened(folder, points),
            peak_mb=peak_mb(),
            model=None,
            seconds=round(time.monotonic() - began, 1),
            notes="megabytes: of the one shard on the disk, which is there twice while it is moved",
        )


def keep_in_one(folder: Path, entities: int, chunks: int) -> int:
    """All kinds in one shard, tidied as a running server's watch leaves it; how many points."""
    from brain.backends.vectors.edge_shard import Shard
    from brain.values import PointKind

    counts = {PointKind.ENTITY: PHRASINGS * entities, PointKind.RELATION: entities, PointKind.CHUNK: chunks}
    shard = Shard(folder, _DIMENSION)
    for kind, count in counts.items():
        for first in range(0, count, _AT_ONCE):
            shard.upsert(list(_made(kind, first, min(_AT_ONCE, count - first))))
            print(f"{min(first + _AT_ONCE, count)} of {count} {kind} points", file=sys.stderr, flush=True)
    shard.tidy()
    shard.close()
    return sum(counts.values())


def opened(folder: Path, points: int) -> dict[str, Any]:
    """Seconds of the first opening and of the next. Ends the program if points are missing afterwards."""
    from brain.backends.vectors.edge import EdgeVectorStore
    from brain.values import PointFilter

    found: dict[str, Any] = {}
    for name in ("move_seconds", "open_seconds"):
        began = time.monotonic()
        store = EdgeVectorStore(folder, _DIMENSION)
        found[name] = round(time.monotonic() - began, 1)
        if (held := store.count(PointFilter("brain"))) != points:
            raise SystemExit(f"{held} of {points} points are there")
        store.close()
    return found


def _made(kind: PointKind, first: int, count: int) -> Iterator[VectorPoint]:
    from brain.text import digest
    from brain.values import PointKind, SparseVector, VectorPoint

    rng = np.random.default_rng(first)
    rows = rng.standard_normal((count, _DIMENSION)).astype(np.float32)
    for place in range(count):
        id = digest(kind, str(first + place))[:32]
        words = np.unique(rng.integers(0, 20_000, _WORDS))
        yield VectorPoint(
            id=f"{id[:8]}-{id[8:12]}-{id[12:16]}-{id[16:20]}-{id[20:]}",
            brain="brain",
            source=f"source {(first + place) % 1000}",
            kind=kind,
            ref=f"{kind} {first + place}",
            digest=id,
            dense=rows[place],
            lexical=SparseVector(tuple(words.tolist()), (1.0,) * len(words)) if kind is PointKind.CHUNK else None,
        )


if __name__ == "__main__":
    main()
