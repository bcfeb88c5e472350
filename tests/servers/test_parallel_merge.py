"""Many workers name the same entities at once: one node each, no description lost, no source failed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from neo4j import GraphDatabase

from brain import bootstrap
from brain.backends.graph.neo4j import Neo4jGraphStore
from brain.ledger import facts, projection, state
from brain.models import Brain, Chunk, Projection, Source
from brain.text import digest
from brain.values import Described, FoundEntity, FoundRelation, GraphBatch, GraphEntity

pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True)]

WORKERS, SOURCES, SHARED = 8, 200, 20


@pytest.fixture
def store(neo4j_url: str) -> Iterator[Neo4jGraphStore]:
    made = Neo4jGraphStore.from_setting(neo4j_url)
    bootstrap.use("BRAIN_GRAPH", made)
    yield made
    made.close()


def _add(brain: Brain, number: int) -> None:
    """One source that names all shared entities, in an order of its own, and relates each to the next."""
    source = Source.objects.create(
        brain=brain, title=f"{number}.txt", media_type="text/plain", sha256=digest(str(number)), size=1
    )
    text = f"source {number}"
    chunk = Chunk.objects.create(
        brain=brain, source=source, ordinal=0, start=0, end=len(text), text=text, digest=digest(text)
    )
    order = [(number + step) % SHARED for step in range(SHARED)]
    named = [FoundEntity(f"Shared {n:02d}", "concept", f"what {number} says", None, None) for n in order]
    related = [
        FoundRelation(f"Shared {n:02d}", "concept", "precedes", f"Shared {(n + 1) % SHARED:02d}", "concept", "")
        for n in order
    ]
    with transaction.atomic():
        facts.replace_chunk_facts(chunk, named, related, [])
        projection.note_graph(brain.pk, chunks=[chunk.ref], sources=[str(source.pk)])
    projection.carry_out(brain.pk)


def _work(brain: Brain, numbers: list[int]) -> None:
    try:
        for number in numbers:
            _add(brain, number)
    finally:
        connection.close()


@pytest.mark.slow
def test_eight_workers_and_two_hundred_sources_make_no_twins(
    brain: Brain, store: Neo4jGraphStore, neo4j_url: str
) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("The tests' SQLite lives in memory and lets no two threads write; test_on_servers.py runs this.")
    with ThreadPoolExecutor(WORKERS) as pool:
        parts = [list(range(first, SOURCES, WORKERS)) for first in range(WORKERS)]
        for done in [pool.submit(_work, brain, part) for part in parts]:
            done.result()
    while Projection.objects.filter(brain=brain.pk).exists():
        projection.carry_out(brain.pk)
    found = store.dump(str(brain.pk))
    assert [len(each.descriptions) for each in found.entities] == [SOURCES] * SHARED
    assert [len(each.descriptions) for each in found.relations] == [SOURCES] * SHARED
    assert found == state.whole_graph(brain.pk)
    with GraphDatabase.driver("bolt://" + neo4j_url.split("@")[1], auth=_auth(neo4j_url)) as driver:
        twins = driver.execute_query(
            "MATCH (e:Entity {brain: $brain}) WITH e.entity_key AS key, count(*) AS n WHERE n > 1 RETURN count(*) AS n",
            brain=str(brain.pk),
        )
    assert twins.records[0]["n"] == 0
    print(f"deadlock retries: {store.retried} in {SOURCES} sources")


@pytest.mark.slow
def test_writers_that_share_a_fence_wait_for_each_other(brain: Brain, store: Neo4jGraphStore) -> None:
    """Below the projector's lease: raw writes of one brain and of two, crossing in key order."""
    entities = [
        GraphEntity(f"{n:032x}", f"E{n}", "concept", (), (Described("s", "text"),), (f"{brain.pk}:{n}",))
        for n in range(40)
    ]

    def write(number: int) -> None:
        batch = GraphBatch(entities=tuple(entities[number:] + entities[:number]))
        for name in (str(brain.pk), f"other {brain.pk}"):
            store.write(name, batch, fence=1)

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(write, range(40)))
    for name in (str(brain.pk), f"other {brain.pk}"):
        assert store.dump(name).entities == tuple(entities)
        store.remove_brain(name)
    print(f"deadlock retries: {store.retried} in 80 writes")


def _auth(url: str) -> tuple[str, str]:
    return ("neo4j", url.split("//neo4j:")[1].split("@")[0])
