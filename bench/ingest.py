"""How long until a file can be asked about, and how fast its graph grows.

    python -m bench.ingest FILE [--chunks N] [--record REPLIES]

Goes through the product's own upload, pipeline and stores, in a home of its own. ``--chunks`` bounds how many
passages the language model is asked about; 0 leaves the model out. ``--record`` writes the model's replies down, for
``bench.kills``.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

from bench import homes
from bench.report import peak_mb, report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--chunks", type=int, default=20)
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    with homes.temporary_home() as home:
        homes.start_django(home)
        report(**measure(options.file, options.chunks, options.record))


def measure(file: Path, chunks: int, record: Path | None = None) -> dict[str, Any]:
    from brain import bootstrap
    from brain.models import Brain, Chunk, Source, SourceStage
    from ingestion import pipeline, uploads, worker
    from ingestion.pipeline import Ports

    ports = Ports(llm=bootstrap.llm)
    started = time.monotonic()
    with file.open("rb") as stream:
        source = uploads.accept(Brain.objects.create(name="bench"), None, file.name, stream)
    while worker.work(worker.READING, ports) or worker.work(worker.EMBEDDING, ports):
        pass
    seconds_to_searchable = time.monotonic() - started
    source = Source.objects.get(pk=source.pk)
    if source.stage != SourceStage.EXTRACT:
        raise SystemExit(f"{file.name}: {source.state} {source.error_sentence}")
    lexical = source.stage_seconds["read"] + source.stage_seconds["index"]
    print(f"searchable by words after {lexical:.1f} s, whole after {seconds_to_searchable:.1f} s", file=sys.stderr)
    result: dict[str, Any] = {
        "pages": source.units,
        "chunks": Chunk.objects.filter(source=source).count(),
        "stage_seconds": source.stage_seconds,
        "seconds_to_lexical": round(lexical, 2),
        "seconds_to_searchable": round(seconds_to_searchable, 1),
    }
    result |= _extract(source, chunks, ports, pipeline, record) if chunks else dict.fromkeys(_EXTRACTED)
    return {
        **result,
        "peak_mb": peak_mb(),
        "model": os.environ.get("BRAIN_LLM_MODEL", "llm.qwen2.5-coder-1.5b") if chunks else None,
        "seconds": round(time.monotonic() - started, 1),
        "notes": "" if chunks else "no language model was asked (--chunks 0)",
    }


_EXTRACTED = (
    *("chunks_per_minute", "chars_per_minute", "valid_share"),
    *("free_tokens_per_second", "bound_tokens_per_second"),
)
_WORDS = {
    "type": "object",
    "properties": {
        "words": {"type": "array", "items": {"type": "string", "maxLength": 12}, "minItems": 6, "maxItems": 6}
    },
    "required": ["words"],
    "additionalProperties": False,
}


def _decoding(llm: Any) -> dict[str, float]:
    """Tokens a second of the same short task, free and bound to a schema: the best of three each."""
    from brain.values import CompletionRequest, Turn

    turns = (Turn("user", 'Six long words about a river as JSON: {"words": [...]}'),)
    best = {"free_tokens_per_second": 0.0, "bound_tokens_per_second": 0.0}
    for _ in range(3):
        for name, schema in zip(best, (None, _WORDS), strict=True):
            done = llm.complete(CompletionRequest(turns, 60, schema))
            best[name] = max(best[name], round(done.completion_tokens / (done.seconds - done.prompt_seconds), 1))
    return best


def _extract(source: Any, limit: int, ports: Any, pipeline: Any, record: Path | None) -> dict[str, Any]:
    from django.db.models import Sum

    from brain.backends.llm.recorded import RecordingLLM
    from brain.ledger.leases import claim_source
    from brain.models import Chunk, ChunkState, Extraction, Source

    claimed = claim_source(Source.objects.filter(pk=source.pk))
    if claimed is None:
        raise SystemExit("the source is held by another process")
    source, lease = claimed
    llm = ports.llm()
    llm.count_tokens("load the weights before the clock starts")
    asked = RecordingLLM(llm, record) if record else llm
    chosen = list(Chunk.objects.filter(source=source)[:limit])
    started = time.monotonic()
    for number, chunk in enumerate(chosen, 1):
        pipeline.extract_chunk(source, chunk, lease, asked)
        print(f"\r{number}/{len(chosen)} passages", end="", file=sys.stderr)
    seconds = time.monotonic() - started
    print(file=sys.stderr)
    lease.release()
    states = Chunk.objects.filter(pk__in=[chunk.pk for chunk in chosen])
    valid = states.filter(state__in=[ChunkState.DONE, ChunkState.EMPTY]).count()
    spent = Extraction.objects.aggregate(tokens=Sum("completion_tokens"))
    return {
        "chunks_per_minute": round(60 * len(chosen) / seconds, 2),
        "chars_per_minute": round(60 * sum(len(chunk.text) for chunk in chosen) / seconds),
        "valid_share": round(valid / len(chosen), 3),
        "reply_tokens": spent["tokens"],
        **_decoding(llm),
    }


if __name__ == "__main__":
    main()
