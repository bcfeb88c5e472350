"""How well and how fast recordings become text.

    python -m bench.transcription DIR [--engine faster-whisper|openai-whisper]

``DIR/manifest.tsv`` names file, language and transcript. Each file goes through the product's reader, cage included.
``word_error_rate`` is over all words of all files; ``real_time_factor`` is seconds of work for a second of sound, the
loading of the model left out. Facts: ten sentences spoken by two voices on the two channels of one call (BR-15).
"""

from __future__ import annotations

import argparse
import csv
import shutil
import subprocess
import sys
import time
import unicodedata
from pathlib import Path
from typing import Any

from bench import homes
from bench.report import peak_mb, report

CALL = (
    {
        "March": "The contract was signed on the third of March.",
        "42": "The price is forty two thousand dollars.",
        "weeks": "Delivery takes six weeks.",
        "Northwind": "The supplier is called Northwind.",
        "30": "Payment is due in thirty days.",
    },
    {
        "Chicago": "Our office moved to Chicago.",
        "Lopez": "The new director is Maria Lopez.",
        "90": "We employ ninety people.",
        "warehouse": "The warehouse opens at seven.",
        "seller": "Insurance is paid by the seller.",
    },
)
VOICES = ("en-us", "en-gb+f3")


def words(text: str) -> list[str]:
    """Lower case, without punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c if c.isalnum() or c == "'" else " " for c in folded).split()


def errors(truth: list[str], heard: list[str]) -> int:
    """Levenshtein distance over words."""
    row = list(range(len(heard) + 1))
    for number, word in enumerate(truth, 1):
        before, row[0] = row[0], number
        for column, other in enumerate(heard, 1):
            before, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, before + (word != other))
    return row[-1]


def read(path: Path) -> tuple[str, int]:
    """The text, and the length in seconds."""
    from brain.errors import EmptySource
    from ingestion import media, reader

    with path.open("rb") as file:
        media_type = media.detect(file.read(media.HEAD_BYTES), path.name)
    try:
        document = reader.read(path, media_type, title=path.stem)
    except EmptySource:
        return "", 0
    return document.text, document.units


def truths(folder: Path) -> dict[str, str]:
    """Transcripts by file; a remark in brackets that stands for a transcript leaves its file out."""
    with (folder / "manifest.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {row["file"]: row["transcript"] for row in rows if not row["transcript"].startswith("(")}


def facts_found(folder: Path) -> int | None:
    """How many of the call's facts are in its transcript; None where the voices cannot be made."""
    if not (shutil.which("espeak-ng") and shutil.which("sox")):
        return None
    sides = []
    for voice, facts in zip(VOICES, CALL, strict=True):
        sides.append(folder / f"{voice}.wav")
        spoken = ["espeak-ng", "-v", voice, "-s", "150", "-w", str(sides[-1]), " ".join(facts.values())]
        subprocess.run(spoken, check=True)
    call = folder / "call.wav"
    subprocess.run(["sox", "-M", *map(str, sides), str(call)], check=True, stderr=subprocess.DEVNULL)
    text, _seconds = read(call)
    return sum(word.casefold() in text.casefold() for facts in CALL for word in facts)


def measure(folder: Path, workspace: Path) -> dict[str, Any]:
    counted = {"words": 0, "errors": 0, "seconds": 0}
    worst: list[tuple[float, str]] = []
    transcripts = truths(folder)
    read(folder / next(iter(transcripts)))  # loads the model
    started = time.monotonic()
    for name, truth in transcripts.items():
        text, seconds = read(folder / name)
        wrong = errors(words(truth), words(text))
        counted["words"] += len(words(truth))
        counted["errors"] += wrong
        counted["seconds"] += seconds
        worst.append((wrong / len(words(truth)), name))
        print(f"{name}: {wrong} of {len(words(truth))} words wrong", file=sys.stderr)
    spent = time.monotonic() - started
    return {
        "n": len(transcripts),
        "word_error_rate": round(counted["errors"] / counted["words"], 4),
        "real_time_factor": round(spent / counted["seconds"], 3),
        "facts_found": facts_found(workspace),
        "facts": sum(len(facts) for facts in CALL),
        "worst": [f"{name} {rate:.2f}" for rate, name in sorted(worst, reverse=True)[:5]],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--engine", choices=["faster-whisper", "openai-whisper"], default="faster-whisper")
    options = parser.parse_args()
    with homes.temporary_home() as home:
        homes.start_django(home, BRAIN_TRANSCRIBER=options.engine)
        from brain import bootstrap

        started = time.monotonic()
        figures = measure(options.folder, home)
        report(
            **figures,
            model=bootstrap.transcriber().model_id,
            seconds=round(time.monotonic() - started, 1),
            peak_mb=peak_mb(),
            notes="Numbers written in another way than in the transcript count as wrong.",
        )


if __name__ == "__main__":
    main()
