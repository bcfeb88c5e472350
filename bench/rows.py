"""A document as rows and points, by the product's own functions, without a file and a worker."""

from __future__ import annotations

from brain.models import Brain, Chunk
from brain.values import Document


def load(brain: Brain, document: Document) -> list[Chunk]:
    """The passages of a new source of ``brain``, searchable by words and by meaning."""
    from django.db import transaction

    from brain.ledger import indexes
    from brain.ledger.points import chunk_points
    from brain.models import Source
    from brain.text import digest
    from ingestion import reading

    source = Source.objects.create(
        brain=brain,
        title=document.title[:255],
        media_type="text/plain",
        sha256=digest(document.title, document.text),
        size=len(document.text),
    )
    read = reading.prepare(document)
    with transaction.atomic():
        reading.replace_rows(source, read)
    chunks = list(Chunk.objects.filter(source=source).select_related("source"))
    indexes.active().upsert(chunk_points(chunks, indexes.active_embedder()))
    return chunks
