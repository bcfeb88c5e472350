"""The outbox: from the rows to the graph and the vectors.

A row of the outbox says that an item may differ; carrying it out writes the item's whole state as the rows have
it by then. One projector at a time works on a brain. It holds a lease on the brain and a fence that grows with
each change of hands, which the graph store checks, so a projector that was paused past its lease writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db.models import F, Q
from django.utils import timezone

from brain import bootstrap
from brain.errors import LeaseLost
from brain.ledger import indexes, phrasings, state
from brain.ledger.leases import PROCESS, heartbeat, lease_end
from brain.ledger.points import point_id
from brain.models import Brain, Projection, ProjectionTarget

_AT_ONCE = 200


def note_graph(
    brain_id: UUID,
    *,
    entities: Iterable[str] = (),
    relations: Iterable[str] = (),
    chunks: Iterable[str] = (),
    sources: Iterable[str] = (),
) -> None:
    """These items may differ in the graph store. Nothing is noted for a store that answers from the rows."""
    if bootstrap.graph_store().reads_ledger:
        return
    noted = [("entity", key) for key in sorted(entities)] + [("relation", key) for key in sorted(relations)]
    noted += [("chunk", key) for key in sorted(chunks)] + [("source", key) for key in sorted(sources)]
    Projection.objects.bulk_create(
        (Projection(brain=brain_id, target=ProjectionTarget.GRAPH, kind=kind, key=key) for kind, key in noted),
        batch_size=500,
    )


def note_vectors(brain_id: UUID, source: str, *, entities: Iterable[str] = (), relations: Iterable[str] = ()) -> None:
    """The points that ``source`` owns for these items may differ."""
    noted = [("entity", key) for key in sorted(entities)] + [("relation", key) for key in sorted(relations)]
    Projection.objects.bulk_create(
        (
            Projection(brain=brain_id, target=ProjectionTarget.VECTORS, kind=kind, key=key, source=source)
            for kind, key in noted
        ),
        batch_size=500,
    )


def pending(brain_id: UUID | None = None) -> int:
    rows = Projection.objects.all() if brain_id is None else Projection.objects.filter(brain=brain_id)
    return rows.count()


def forget(brain_id: UUID) -> None:
    """Drop what is noted for a brain that is gone."""
    Projection.objects.filter(brain=brain_id).delete()


@contextmanager
def projecting(brain_id: UUID) -> Iterator[int | None]:
    """Be the one projector of a brain: gives the fence, or None while another process is."""
    free = Q(projector_until=None) | Q(projector_until__lt=timezone.now())
    taken = Brain.objects.filter(free, pk=brain_id).update(
        projector=PROCESS, projector_until=lease_end(), fence=F("fence") + 1
    )
    if not taken:
        yield None
        return
    fence = Brain.objects.values_list("fence", flat=True).get(pk=brain_id)
    mine = Brain.objects.filter(pk=brain_id, projector=PROCESS, fence=fence)
    try:
        with heartbeat.keeping(lambda: mine.update(projector_until=lease_end())):
            yield fence
    finally:
        mine.update(projector="", projector_until=None)


def carry_out(brain_id: UUID, *, limit: int | None = None) -> int:
    """Write what the outbox of a brain names to the stores; how many rows were done.

    0 while another projector is at work. ``ServiceUnavailable`` of a store passes through; what was not
    written stays in the outbox.
    """
    done = 0
    with projecting(brain_id) as fence:
        if fence is None:
            return 0
        while limit is None or done < limit:
            rows = list(Projection.objects.filter(brain=brain_id).order_by("id")[:_AT_ONCE])
            if not rows:
                break
            if not Brain.objects.filter(pk=brain_id, projector=PROCESS, fence=fence).exists():
                raise LeaseLost
            _write_graph(brain_id, [row for row in rows if row.target == ProjectionTarget.GRAPH], fence)
            _write_vectors(brain_id, [row for row in rows if row.target == ProjectionTarget.VECTORS])
            Projection.objects.filter(pk__in=[row.pk for row in rows]).delete()
            done += len(rows)
    return done


def _write_graph(brain_id: UUID, rows: list[Projection], fence: int) -> None:
    if not rows:
        return
    named: dict[str, set[str]] = {"entity": set(), "relation": set(), "chunk": set(), "source": set()}
    for row in rows:
        named[row.kind].add(row.key)
    batch = state.graph_batch(
        brain_id,
        entity_keys=named["entity"],
        relation_keys=named["relation"],
        chunk_refs=named["chunk"],
        source_ids=named["source"],
    )
    bootstrap.graph_store().write(str(brain_id), batch, fence=fence)


def _write_vectors(brain_id: UUID, rows: list[Projection]) -> None:
    if not rows:
        return
    wanted = {(row.kind, row.source, row.key) for row in rows}
    texts = phrasings.of(brain_id, wanted)
    gone = [
        point_id(kind, brain_id, source, key, number)
        for kind, source, key in sorted(wanted)
        for number in range(len(texts.get((kind, source, key), ())), phrasings.MOST)
    ]
    for index in indexes.every():
        store = indexes.store_of(index)
        store.remove(gone)
        store.upsert(phrasings.points(brain_id, texts, indexes.embedder_of(index)))
