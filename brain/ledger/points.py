"""Vector points of chunks, and the ids of all points."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from uuid import UUID

from brain.language import lexical_passages, searchable
from brain.models import Chunk
from brain.ports import Embedder
from brain.text import digest
from brain.values import PointKind, VectorPoint

_NAMESPACE = uuid.UUID("5b3f7f0e-6f5e-4a8e-9a0c-1d0a6f3f9d11")


def point_id(kind: str, brain: UUID | str, source: UUID | str, ref: str, number: int = 0) -> str:
    """The id of a vector point, the same whenever and wherever it is made."""
    return str(uuid.uuid5(_NAMESPACE, f"{kind}|{brain}|{source}|{ref}|{number}"))


def text_digest(text: str) -> str:
    """What a point keeps of the text behind it."""
    return digest(text)[:32]


def chunk_points(chunks: Sequence[Chunk], embedder: Embedder | None) -> list[VectorPoint]:
    """The points of these chunks (their sources loaded). Without an embedder they are found by words only."""
    texts = [searchable(chunk.source.title, chunk.heading, chunk.text) for chunk in chunks]
    vectors = embedder.embed_passages(texts) if embedder and texts else None
    lexical = lexical_passages(texts)
    return [
        VectorPoint(
            id=point_id(PointKind.CHUNK, chunk.brain_id, chunk.source_id, chunk.ref),
            brain=str(chunk.brain_id),
            source=str(chunk.source_id),
            kind=PointKind.CHUNK,
            ref=chunk.ref,
            digest=text_digest(text),
            dense=None if vectors is None else vectors[row],
            lexical=lexical[row],
        )
        for row, (chunk, text) in enumerate(zip(chunks, texts, strict=True))
    ]
