"""Every file of a folder through the product's reader, against what its manifest expects.

    python -m bench.loaders DIR

``DIR/manifest.tsv`` names file and expectation (files in ``DIR/files`` or ``DIR``). Fields: ``expected_share``,
``hangs`` (not over within the reader's own limit), ``worker_deaths`` (this process), ``unexpected``.
"""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path

from bench import homes
from bench.report import report

LIMIT_SECONDS = 60

# What a file may end with, by the manifest's word for it.
READ = {"read"}
REFUSED = {"empty", "unreadable", "unsupported", "limit"}
EXPECTED = {
    "text": READ,
    "text layer": READ,
    "text+table": READ,
    "table": READ,
    "text in reading order": READ,
    "needs password": {"locked"},
    "no text": {"empty"},
    "OCR": {"empty", "read"},
    "OCR+table": {"empty", "read"},
    "no or garbled text: OCR fallback": {"empty", "unreadable"},
    "clear error": REFUSED,
    "clear error, no hang": REFUSED,
    "repair or clear error": READ | REFUSED,
    "text or empty": READ | {"empty"},
    "no crash": READ | REFUSED,
}


def outcome(path: Path) -> tuple[str, str]:
    """``read`` or the error's code, and the sentence or the number of letters."""
    from brain.errors import UnreadableSource
    from ingestion import media, reader

    try:
        with path.open("rb") as file:
            media_type = media.detect(file.read(media.HEAD_BYTES), path.name)
        limits = reader.Limits(seconds=LIMIT_SECONDS, memory_mb=2048)
        document = reader.read(path, media_type, title=path.stem, limits=limits)
    except UnreadableSource as refusal:
        return refusal.code, str(refusal)
    return "read", f"{len(document.text)} letters"


def measure(folder: Path) -> dict[str, object]:
    with (folder / "manifest.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    unexpected: list[dict[str, str]] = []
    slowest, hangs = 0.0, 0
    for number, row in enumerate(rows, 1):
        path = folder / "files" / row["file"]
        path = path if path.exists() else folder / row["file"]
        started = time.monotonic()
        got, detail = outcome(path)
        seconds = time.monotonic() - started
        slowest, hangs = max(slowest, seconds), hangs + (seconds > LIMIT_SECONDS + 5)
        if got not in EXPECTED[row["expected"]]:
            unexpected.append({"file": row["file"], "expected": row["expected"], "got": f"{got}: {detail}"})
        print(f"{number}/{len(rows)} {row['file']}: {got} ({detail}) in {seconds:.1f} s", file=sys.stderr)
    return {
        "n": len(rows),
        "expected_share": round(1 - len(unexpected) / len(rows), 4),
        "hangs": hangs,
        "worker_deaths": 0,
        "slowest_seconds": round(slowest, 2),
        "unexpected": unexpected,
    }


def main() -> None:
    folder = Path(sys.argv[1])
    with homes.temporary_home() as home:
        homes.start_django(home)
        started = time.monotonic()
        figures = measure(folder)
        report(
            **figures,
            model=None,
            seconds=round(time.monotonic() - started, 1),
            notes="No OCR yet: a scan is right when it ends with its reason.",
        )


if __name__ == "__main__":
    main()
