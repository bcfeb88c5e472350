"""Does work on one source depend on how many there are?

    python -m bench.scale --sources 1000 [--pages 200]

Fills a brain with small sources, adding one at 10 and one at N, then deletes one of many pages, and asks.
"""

from __future__ import annotations

import argparse
import io
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from bench import homes
from bench.report import peak_mb, report

_PEOPLE = [
    f"{first} {last}" for first in ("Ada", "Min", "Jo", "Kim", "Lee") for last in ("Byron", "Park", "Stone", "Han")
]
_PLACES = [f"{name} Hall" for name in ("North", "South", "East", "West", "Old", "New", "High", "Low")]


def text(rng: random.Random, number: int, pages: int) -> str:
    """``pages`` of about 1,800 characters each, with facts about shared and own names."""
    parts = [f"Report {number}.\n\n"]
    for page in range(pages):
        parts.append(f"{rng.choice(_PEOPLE)} (person) visits {rng.choice(_PLACES)} (place). ")
        parts.append(f"Mill {number}-{page} (organization) employs {rng.choice(_PEOPLE)} (person). ")
        parts.append("It was a day like any other, and the record of it is kept for the sake of order. " * 20)
        parts.append("\n\n")
    return "".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=200, help="pages of the source that is deleted")
    options = parser.parse_args()
    started = time.monotonic()
    with homes.temporary_home() as home:
        homes.start_django(home, BRAIN_EMBEDDER="hash", BRAIN_LLM="scripted")
        fields = measure(options.sources, options.pages)
    report(
        **fields,
        sources=options.sources,
        model="plain-facts, hash embedder",
        peak_mb=peak_mb(),
        seconds=round(time.monotonic() - started, 1),
        notes="files are read without the cage; medians of 9 additions each",
    )


def measure(sources: int, pages: int) -> dict[str, Any]:
    from bench import plain_facts
    from brain.ledger import indexes
    from brain.models import Brain
    from brain.values import PointFilter
    from ingestion.loaders import text as loader
    from ingestion.pipeline import Ports

    model = plain_facts.model()

    def read(path: Path, media_type: str, *, title: str, **_: Any) -> Any:
        return loader.load(path, media_type, title=title)

    ports = Ports(llm=lambda: model, read=read)
    rng = random.Random(7)
    brain = Brain.objects.create(name="scale")
    number = 0
    times: dict[str, list[float]] = {"at_10": [], "at_n": []}
    while number < sources:
        timed = "at_10" if 10 <= number < 19 else "at_n" if number >= sources - 9 else ""
        seconds = _add(brain, text(rng, number, 2), number, ports)
        if timed:
            times[timed].append(seconds)
        number += 1
        if number % 100 == 0:
            print(f"{number} sources, last {seconds * 1000:.0f} ms", file=sys.stderr)
    large_seconds = _add(brain, text(rng, number, pages), number, ports)
    delete_seconds = _delete(number)
    at_10, at_n = statistics.median(times["at_10"]), statistics.median(times["at_n"])
    store, embedder = indexes.active(), indexes.active_embedder()
    asked = []
    for _ in range(200):
        begin = time.monotonic()
        store.search(embedder.embed_query(rng.choice(_PEOPLE)), PointFilter(brain=str(brain.pk)), limit=20)
        asked.append((time.monotonic() - begin) * 1000)
    return {
        "delete_seconds": round(delete_seconds, 3),
        "add_seconds_at_10": round(at_10, 4),
        "add_seconds_at_n": round(at_n, 4),
        "add_ratio": round(at_n / at_10, 3),
        "add_spread_at_10": [round(min(times["at_10"]), 4), round(max(times["at_10"]), 4)],
        "add_spread_at_n": [round(min(times["at_n"]), 4), round(max(times["at_n"]), 4)],
        "large_add_seconds": round(large_seconds, 2),
        "query_p95_ms": round(sorted(asked)[int(len(asked) * 0.95)], 2),
    }


def _add(brain: Any, content: str, number: int, ports: Any) -> float:
    from ingestion import uploads, worker

    begin = time.monotonic()
    uploads.accept(brain, None, f"report-{number}.txt", io.BytesIO(content.encode()))
    worker.work_all(ports)
    return time.monotonic() - begin


def _delete(number: int) -> float:
    from brain.ledger import deletion, journal
    from brain.models import Source

    source = Source.objects.get(title=f"report-{number}.txt")
    begin = time.monotonic()
    deletion.purge(source, None)
    for each in journal.due():
        if not journal.advance(each):
            raise SystemExit("the deletion did not finish at once")
    return time.monotonic() - begin


if __name__ == "__main__":
    main()
