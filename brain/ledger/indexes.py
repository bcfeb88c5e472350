"""Which set of vectors answers questions, and which is still being built.

An index belongs to one embedding model. Changing the model builds a second index beside the first, which goes
on answering, with the model that made it, until the new one is complete (``brain.ledger.rebuild``).
"""

from __future__ import annotations

from django.conf import settings
from django.db import transaction

from brain import bootstrap
from brain.models import Brain, VectorIndex
from brain.ports import Embedder, VectorStore
from brain.text import digest


def index_name(model_id: str, dimension: int) -> str:
    """Same name, same vectors. A hash keeps paths and blanks of model ids out of folder names."""
    return f"v1-{dimension}-{digest(model_id)[:12]}"


def configured() -> VectorIndex:
    """The index of the configured embedding model. The first one ever is active at once."""
    embedder = bootstrap.embedder()
    name = index_name(embedder.model_id, embedder.dimension)
    found = VectorIndex.objects.filter(name=name).first()
    if found is not None:
        return found
    with transaction.atomic():
        made, _created = VectorIndex.objects.get_or_create(
            name=name,
            defaults={
                "setting": settings.BRAIN_EMBEDDER,
                "model_id": embedder.model_id,
                "dimension": embedder.dimension,
                "active": not VectorIndex.objects.filter(active=True).exists(),
            },
        )
    return made


def answering() -> VectorIndex:
    """The index that questions are asked of."""
    return VectorIndex.objects.filter(active=True).first() or configured()


def store_of(index: VectorIndex, setting: str = "") -> VectorStore:
    """Where its vectors are kept; ``setting`` names another store than BRAIN_VECTORS."""
    return bootstrap.vector_store(index.name, index.dimension, setting)


def embedder_of(index: VectorIndex) -> Embedder:
    """The embedding model that made the index; only its vectors can be compared with these."""
    return bootstrap.embedder(index.setting)


def active() -> VectorStore:
    return store_of(answering())


def active_embedder() -> Embedder:
    return embedder_of(answering())


def every() -> list[VectorIndex]:
    """All that exist; a write or a deletion must reach each of them."""
    configured()
    return list(VectorIndex.objects.order_by("name"))


def activate(index: VectorIndex) -> None:
    """Make this index, which holds every brain, the one that answers."""
    with transaction.atomic():
        VectorIndex.objects.exclude(pk=index.pk).update(active=False)
        VectorIndex.objects.filter(pk=index.pk).update(active=True)
        Brain.objects.update(vectors_to_make=False)
