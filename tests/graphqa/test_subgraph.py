"""A graph on a server follows the rows; what it still has of a source that is out is not shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brain import bootstrap
from brain.backends.graph.memory import MemoryGraphStore
from brain.ledger import deletion, projection
from brain.models import Brain, Entity, Source
from graphqa import subgraph

pytestmark = pytest.mark.django_db(transaction=True)


def shown(brain: Brain, key: str) -> tuple[set[str], set[str]]:
    around = subgraph.around(brain, key, limit=10)
    return {each.name for each in around.entities}, {each.predicate for each in around.relations}


def test_what_the_rows_took_out_is_not_shown_while_the_graph_lags(
    plain_facts: None, upload: Callable[..., Source], drain: Callable[[], None], brain: Brain
) -> None:
    store = MemoryGraphStore()
    bootstrap.use("BRAIN_GRAPH", store)
    upload("Ada Byron (person) advises Engine Works (organization).", "kept.txt")
    out = upload("Ada Byron (person) visits Difference Hall (place).", "out.txt")
    drain()
    ada = Entity.objects.get(name="Ada Byron").key
    assert shown(brain, ada) == ({"Ada Byron", "Engine Works", "Difference Hall"}, {"advises", "visits"})
    assert [each.name for each in subgraph.named(brain, "difference")] == ["Difference Hall"]

    deletion.trash(out, None)
    assert projection.pending(brain.pk)
    assert len(store.dump(str(brain.pk)).entities) == 3
    assert shown(brain, ada) == ({"Ada Byron", "Engine Works"}, {"advises"})
    assert subgraph.named(brain, "difference") == ()
