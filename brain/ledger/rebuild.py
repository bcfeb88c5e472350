"""Making graph and vectors again from the rows. No language model is asked.

The same code moves to another adapter and to another embedding model: what is configured is filled, and only
when it is complete does it answer.
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.db import transaction

from brain import bootstrap
from brain.ledger import indexes, phrasings, projection
from brain.ledger.points import chunk_points
from brain.ledger.reuse import Reusing
from brain.ledger.state import batches, chunk_ref
from brain.ledger.verify import stated_items
from brain.models import Brain, Chunk, Entity, Relation, Source, VectorIndex
from brain.ports import Embedder, VectorStore
from brain.values import PointFilter

_AT_ONCE = 16
Report = Callable[[str, int, int], None]


def rebuild_graph(brain: Brain) -> bool:
    """Empty the graph of a brain and write it again; False while another process writes to it.

    All of it is noted in the outbox first: it is written in parts under the projector's fence, and whoever finds an
    interrupted rebuild completes it.
    """
    store = bootstrap.graph_store()
    with projection.projecting(brain.pk) as fence:
        if fence is None:
            return False
        if not store.reads_ledger:
            chunks = Chunk.objects.filter(brain=brain).values_list("source_id", "ordinal")
            with transaction.atomic():
                projection.note_graph(
                    brain.pk,
                    entities=Entity.objects.filter(brain=brain).values_list("key", flat=True),
                    relations=Relation.objects.filter(brain=brain).values_list("key", flat=True),
                    chunks=(chunk_ref(*place) for place in chunks),
                    sources=map(str, Source.objects.filter(brain=brain).values_list("pk", flat=True)),
                )
            store.remove_brain(str(brain.pk))
        # What the outbox still holds is written by whoever finds it.
        Brain.objects.filter(pk=brain.pk).update(graph_to_make=False)
    projection.carry_out(brain.pk)
    return True


def rebuild_vectors(brain: Brain, index: VectorIndex, report: Report | None = None, *, reuse: str = "") -> int:
    """Empty one index of a brain and fill it again; how many points. ``reuse`` names a store, as BRAIN_VECTORS does,
    whose vectors of the same texts are taken instead of embedding them."""
    store, embedder = indexes.store_of(index), indexes.embedder_of(index)
    if reuse:
        embedder = Reusing(embedder, indexes.store_of(index, reuse), str(brain.pk))
    store.remove_matching(PointFilter(brain=str(brain.pk)))
    chunks = Chunk.objects.filter(brain=brain, source__purge_requested_at=None).order_by("source_id", "ordinal")
    total, done = chunks.count(), 0
    for some in batches(list(chunks.values_list("pk", flat=True))):
        for start in range(0, len(some), _AT_ONCE):
            rows = list(chunks.filter(pk__in=some[start : start + _AT_ONCE]).select_related("source"))
            store.upsert(chunk_points(rows, embedder))
            done += len(rows)
            if report:
                report("passages", done, total)
    Chunk.objects.filter(brain=brain).update(embedded=True)
    done += _rebuild_phrasings(brain.pk, store, embedder, report)
    if index.active:
        Brain.objects.filter(pk=brain.pk).update(vectors_to_make=False)
    return done


def _rebuild_phrasings(brain_id: UUID, store: VectorStore, embedder: Embedder, report: Report | None) -> int:
    items = sorted(stated_items(brain_id))
    done = 0
    for start in range(0, len(items), _AT_ONCE):
        points = phrasings.points(brain_id, phrasings.of(brain_id, items[start : start + _AT_ONCE]), embedder)
        store.upsert(points)
        done += len(points)
        if report:
            report("facts", start + _AT_ONCE, len(items))
    return done


def switch_model(report: Report | None = None) -> VectorIndex:
    """Fill the index of the configured embedding model for every brain, then let it answer."""
    index = indexes.configured()
    if not index.active:
        for brain in Brain.objects.filter(deleted_at=None):
            rebuild_vectors(brain, index, report)
        indexes.activate(index)
    return index
