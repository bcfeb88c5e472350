"""Graph and vectors are made again from the rows, for the same model or for another, without a language model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from django.conf import settings
from django.core.management import call_command

from brain import bootstrap, reconcile
from brain.backends.embedders.hashing import HashEmbedder
from brain.backends.graph.memory import MemoryGraphStore
from brain.errors import ServiceUnavailable
from brain.ledger import dump, indexes, projection, rebuild
from brain.ledger.state import whole_graph
from brain.models import Brain, Source, VectorIndex
from brain.values import GraphBatch, PointFilter, PointKind, Vector

pytestmark = pytest.mark.django_db(transaction=True)

A = "Ada Byron (person) advises Engine Works (organization)."


def test_rebuilding_gives_the_same_brain_and_asks_no_language_model(
    plain_facts: None, upload: Callable[..., Source], drain: Callable[[], None], brain: Brain
) -> None:
    upload(A)
    drain()
    before = dump.canonical(brain.pk)
    asked = len(bootstrap.llm().history)  # type: ignore[attr-defined]
    indexes.active().remove_matching(PointFilter(brain=str(brain.pk)))
    assert dump.canonical(brain.pk) != before
    call_command("rebuild")
    assert dump.canonical(brain.pk) == before
    assert len(bootstrap.llm().history) == asked  # type: ignore[attr-defined]


class Counting(HashEmbedder):
    """Counts the texts it is given."""

    texts = 0

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        self.texts += len(texts)
        return super().embed_passages(texts)


def test_another_vector_store_takes_the_vectors_of_the_first_and_embeds_only_what_is_missing(
    plain_facts: None,
    upload: Callable[..., Source],
    drain: Callable[[], None],
    brain: Brain,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    upload(A)
    drain()
    before = dump.canonical(brain.pk)
    old = indexes.active()
    points = list(old.scan(PointFilter(brain=str(brain.pk))))
    digests = [each.digest for each in points]
    # Two phrasings of one text have one digest, and the vector that is left serves both.
    lost = next(each for each in points if each.kind is PointKind.ENTITY and digests.count(each.digest) == 1)
    old.remove([lost.id])
    counting = Counting.from_setting("hash")
    bootstrap.use("BRAIN_EMBEDDER", counting)
    first = settings.BRAIN_VECTORS
    monkeypatch.setattr(settings, "BRAIN_VECTORS", "qdrant-local::memory:" if first == "memory" else "memory")
    call_command("rebuild", "--vectors", "--reuse", first)
    assert dump.canonical(brain.pk) == before
    assert counting.texts == 1


class Failing(MemoryGraphStore):
    """Takes so many writes, then is away until told otherwise."""

    takes = 0

    def write(self, brain: str, batch: GraphBatch, *, fence: int) -> None:
        if not self.takes:
            raise ServiceUnavailable
        self.takes -= 1
        super().write(brain, batch, fence=fence)


def test_an_interrupted_rebuild_of_the_graph_is_completed_by_whoever_comes_next(
    plain_facts: None,
    upload: Callable[..., Source],
    drain: Callable[[], None],
    brain: Brain,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = Failing()
    store.takes = 1000
    bootstrap.use("BRAIN_GRAPH", store)
    upload(A)
    drain()
    before = store.dump(str(brain.pk))
    assert before == whole_graph(brain.pk)
    monkeypatch.setattr(projection, "_AT_ONCE", 2)
    store.takes = 1
    with pytest.raises(ServiceUnavailable):
        rebuild.rebuild_graph(brain)
    assert store.dump(str(brain.pk)) != before
    store.takes = 1000
    reconcile.outboxes()
    assert store.dump(str(brain.pk)) == before
    assert projection.pending(brain.pk) == 0


def test_another_embedding_model_gets_an_index_of_its_own_which_answers_once_it_is_complete(
    plain_facts: None,
    upload: Callable[..., Source],
    drain: Callable[[], None],
    brain: Brain,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    upload(A)
    drain()
    old = indexes.answering()
    points = indexes.active().count(PointFilter(brain=str(brain.pk)))
    # Vectors in memory do not outlive their adapters, so the setting is changed without closing them.
    monkeypatch.setattr(settings, "BRAIN_EMBEDDER", "hash:64")
    new = indexes.configured()
    assert (new.pk != old.pk, new.active, indexes.answering()) == (True, False, old)
    assert indexes.active_embedder().dimension == old.dimension
    call_command("rebuild", "--vectors")
    assert indexes.answering() == new
    assert indexes.active().count(PointFilter(brain=str(brain.pk))) == points
    assert VectorIndex.objects.filter(active=True).count() == 1
