"""Every file of a folder through the product's reader, against what its manifest expects.

    python -m bench.loaders DIR [--flips N]

``--flips``: N copies of the files with random bytes changed are read besides; any verdict is right for them.
``DIR/manifest.tsv`` names file and expectation (files in ``DIR/files`` or ``DIR``). Fields: ``expected_share``,
``hangs`` (not over within the reader's own limit), ``worker_deaths`` (this process), ``unexpected``.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import time
from collections import Counter
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


# Where there is no manifest only damaged copies are read.
NOTHING: dict[str, object] = {"n": 0, "expected_share": None, "hangs": 0, "worker_deaths": 0, "unexpected": []}


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


def flip(folder: Path, copies: int, workspace: Path) -> dict[str, object]:
    """Damaged copies: how they ended, how many took longer than the limit, and what they left in the folder."""
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in {".pdf", ".txt", ".wav", ".webm"})
    ends: Counter[str] = Counter()
    times = []
    for number in range(copies):
        draw = random.Random(number)
        data = bytearray(files[number % len(files)].read_bytes())
        for _change in range(draw.choice((1, 4, 16, 64))):
            data[draw.randrange(len(data))] = draw.randrange(256)
        copy = workspace / "flipped"
        copy.write_bytes(data)
        started = time.monotonic()
        ends[outcome(copy)[0]] += 1
        times.append(time.monotonic() - started)
    return {
        "flips": copies,
        "flip_ends": dict(ends),
        "flip_hangs": sum(seconds > LIMIT_SECONDS + 5 for seconds in times),
        "flip_p99_seconds": round(sorted(times)[len(times) * 99 // 100], 2) if times else None,
        "left_in_temp": len(list((workspace / "reading").glob("*"))),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--flips", type=int, default=0)
    options = parser.parse_args()
    with homes.temporary_home() as home:
        homes.start_django(home, BRAIN_TRANSCRIBER="scripted")
        started = time.monotonic()
        figures = measure(options.folder) if (options.folder / "manifest.tsv").exists() else dict(NOTHING)
        if options.flips:
            figures |= flip(options.folder, options.flips, home)
        report(
            **figures,
            model=None,
            seconds=round(time.monotonic() - started, 1),
            notes="No OCR yet: a scan is right when it ends with its reason.",
        )


if __name__ == "__main__":
    main()
