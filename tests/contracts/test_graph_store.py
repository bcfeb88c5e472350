"""Every graph store holds what the rows say, and answers alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.utils import timezone

from brain.backends.graph.memory import MemoryGraphStore
from brain.backends.graph.neo4j import Neo4jGraphStore
from brain.backends.graph.sql import SqlGraphStore
from brain.errors import LeaseLost
from brain.ledger import state
from brain.models import Brain, Source
from brain.ports import GraphStore
from brain.values import Described, GraphBatch, GraphChunk, GraphEntity, GraphRelation, GraphSource, Subgraph
from tests.contracts.ledger_rows import Rows

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["sql", "memory", pytest.param("neo4j", marks=pytest.mark.server)])
def store(request: pytest.FixtureRequest) -> Iterator[GraphStore]:
    if request.param != "neo4j":
        yield SqlGraphStore() if request.param == "sql" else MemoryGraphStore()
        return
    made = Neo4jGraphStore.from_setting(request.getfixturevalue("neo4j_url"))
    yield made
    made.close()


@pytest.fixture
def rows(brain: Brain) -> Rows:
    return Rows(brain)


def names(found: Subgraph) -> list[str]:
    return [entity.name for entity in found.entities]


@pytest.fixture
def two_sources(rows: Rows) -> tuple[Source, Source]:
    """Both name Ada; A states her work in two chunks, B meets her once, under a longer name."""
    a, b = rows.source("a.txt"), rows.source("b.txt")
    first, second, third = rows.chunk(a, page=1), rows.chunk(a, page=2), rows.chunk(b)
    rows.link(first, second)
    ada = rows.mention(first, "Ada", "person", "wrote programs")
    rows.mention(second, "Ada", "person", "studied mathematics")
    rows.mention(third, "Ada Lovelace", "person", "met Babbage", of="Ada")
    engine = rows.mention(first, "Engine", "machine")
    rows.mention(second, "Engine", "machine", "a machine of brass")
    rows.relation(first, ada, "programmed", engine, "Ada programmed it")
    return a, b


def test_a_store_holds_exactly_what_the_rows_say(
    store: GraphStore, rows: Rows, two_sources: tuple[Source, Source]
) -> None:
    a, b = sorted(two_sources, key=lambda source: str(source.pk))
    rows.settle(store)
    says = {two_sources[0].pk: "wrote programs\nstudied mathematics", two_sources[1].pk: "met Babbage"}
    one, two = f"{two_sources[0].pk}:0", f"{two_sources[0].pk}:1"
    keys = sorted(rows.named["e"])
    found = store.dump(rows.id)
    by_name = {entity.name: entity for entity in found.entities}
    assert by_name["Ada"] == GraphEntity(
        key=by_name["Ada"].key,
        name="Ada",
        type="person",
        aliases=("Ada Lovelace",),
        descriptions=(Described(str(a.pk), says[a.pk]), Described(str(b.pk), says[b.pk])),
        chunks=tuple(sorted((one, two, f"{two_sources[1].pk}:0"))),
    )
    assert [entity.key for entity in found.entities] == keys
    assert found.relations == (
        GraphRelation(
            key=next(iter(rows.named["r"])),
            subject=by_name["Ada"].key,
            predicate="programmed",
            object=by_name["Engine"].key,
            descriptions=(Described(str(two_sources[0].pk), "Ada programmed it"),),
            chunks=(one,),
        ),
    )
    assert {chunk.ref: chunk for chunk in found.chunks}[one] == GraphChunk(
        one, str(two_sources[0].pk), 0, 1, (("next", two),)
    )
    assert found.sources == tuple(GraphSource(str(source.pk), source.title, "text/plain") for source in (a, b))
    assert found == state.whole_graph(rows.id)


def test_writing_again_changes_nothing(store: GraphStore, rows: Rows, two_sources: tuple[Source, Source]) -> None:
    rows.settle(store)
    before = store.dump(rows.id)
    rows.settle(store)
    store.write(rows.id, rows.batch(), fence=rows.fence)
    assert store.dump(rows.id) == before


def test_parts_written_in_any_order_end_the_same(
    store: GraphStore,
    rows: Rows,
    two_sources: tuple[Source, Source],
) -> None:
    whole = rows.batch()
    store.write(rows.id, GraphBatch(relations=whole.relations), fence=1)
    store.write(rows.id, GraphBatch(entities=whole.entities), fence=1)
    store.write(rows.id, GraphBatch(chunks=whole.chunks[::-1]), fence=1)
    store.write(rows.id, GraphBatch(sources=whole.sources), fence=1)
    assert store.dump(rows.id) == whole


def test_what_only_a_deleted_source_said_is_gone_and_the_rest_stays(
    store: GraphStore, rows: Rows, two_sources: tuple[Source, Source]
) -> None:
    a, b = two_sources
    kept = str(b.pk)
    rows.settle(store)
    rows.drop(a)
    rows.settle(store)
    found = store.dump(rows.id)
    assert [(each.name, each.descriptions, each.chunks) for each in found.entities] == [
        ("Ada", (Described(kept, "met Babbage"),), (f"{kept}:0",))
    ]
    assert (found.relations, [each.ref for each in found.chunks]) == ((), [f"{kept}:0"])
    assert found == state.whole_graph(rows.id)


def test_a_source_in_the_trash_does_not_count_and_comes_back(
    store: GraphStore, rows: Rows, two_sources: tuple[Source, Source]
) -> None:
    rows.settle(store)
    before = store.dump(rows.id)
    Source.objects.filter(pk=two_sources[0].pk).update(trashed_at=timezone.now())
    rows.settle(store)
    assert names(store.neighbourhood(rows.id, sorted(rows.named["e"]))) == ["Ada"]
    assert store.find(rows.id, "engine") == Subgraph((), ())
    Source.objects.filter(pk=two_sources[0].pk).update(trashed_at=None)
    rows.settle(store)
    assert store.dump(rows.id) == before


def test_an_old_fence_is_refused_and_changes_nothing(store: GraphStore, rows: Rows) -> None:
    source = rows.source("a.txt")
    rows.mention(rows.chunk(source), "Ada", "person")
    store.write(rows.id, rows.batch(), fence=7)
    before = store.dump(rows.id)
    with pytest.raises(LeaseLost):
        store.write(rows.id, GraphBatch(gone_entities=tuple(rows.named["e"])), fence=6)
    assert store.dump(rows.id) == before


@pytest.fixture
def chain(rows: Rows) -> dict[str, str]:
    """a - b - c - d, and a leaf l beside b; keys by name."""
    chunk = rows.chunk(rows.source("chain.txt"))
    keys = {name: rows.mention(chunk, name) for name in ("aa", "bb", "cc", "dd", "ll")}
    for start, end in (("aa", "bb"), ("cc", "bb"), ("cc", "dd"), ("ll", "bb"), ("aa", "ll")):
        rows.relation(chunk, keys[start], "touches", keys[end])
    return keys


def test_a_neighbourhood_follows_relations_both_ways_and_holds_all_among_its_entities(
    store: GraphStore, rows: Rows, chain: dict[str, str]
) -> None:
    rows.settle(store)
    near = store.neighbourhood(rows.id, [chain["aa"]])
    assert sorted(names(near)) == ["aa", "bb", "ll"]
    ends = {(each.subject, each.object) for each in near.relations}
    assert ends == {(chain[a], chain[b]) for a, b in (("aa", "bb"), ("aa", "ll"), ("ll", "bb"))}
    assert [each.key for each in near.entities] == sorted(each.key for each in near.entities)
    assert [each.key for each in near.relations] == sorted(each.key for each in near.relations)
    assert near.entities[0] == GraphEntity(near.entities[0].key, near.entities[0].name, "concept", (), ())
    assert {each.descriptions + each.chunks for each in (*near.entities, *near.relations)} == {()}
    assert sorted(names(store.neighbourhood(rows.id, [chain["aa"]], hops=2))) == ["aa", "bb", "cc", "ll"]
    assert sorted(names(store.neighbourhood(rows.id, [chain["aa"]], hops=0))) == ["aa"]


def test_a_limit_keeps_the_nearest(store: GraphStore, rows: Rows, chain: dict[str, str]) -> None:
    rows.settle(store)
    assert names(store.neighbourhood(rows.id, [chain["dd"], chain["aa"]], limit=1)) == ["dd"]
    two = store.neighbourhood(rows.id, [chain["dd"]], hops=3, limit=2)
    assert sorted(names(two)) == ["cc", "dd"]
    three = store.neighbourhood(rows.id, [chain["aa"]], hops=3, limit=3)
    assert sorted(names(three)) == ["aa", "bb", "ll"]


def test_unknown_keys_and_other_brains_are_left_out(store: GraphStore, rows: Rows, chain: dict[str, str]) -> None:
    other = Rows(Brain.objects.create(name="other"))
    other.mention(other.chunk(other.source("o.txt")), "aa", says="secret")
    rows.settle(store)
    other.settle(store)
    assert store.neighbourhood(rows.id, ["f" * 32, ""]) == Subgraph((), ())
    assert names(store.neighbourhood(other.id, list(chain.values()), hops=3)) == ["aa"]
    assert [each.descriptions[0].text for each in store.find(rows.id, "aa").entities] == [""]


def test_finding_reads_names_and_aliases_folded_and_puts_exact_names_first(store: GraphStore, rows: Rows) -> None:
    chunk = rows.chunk(rows.source("names.txt"))
    for name in ("Seoul National University", "Seoul", "University of Seoul", "헌법재판소", "C++", "C"):
        rows.mention(chunk, name)
    other = rows.chunk(rows.source("more.txt"))
    rows.mention(other, "서울특별시", of="Seoul")
    rows.settle(store)
    assert names(store.find(rows.id, "seoul")) == ["Seoul", "University of Seoul", "Seoul National University"]
    assert names(store.find(rows.id, "UNIVERSITY  seoul", limit=1)) == ["University of Seoul"]
    assert names(store.find(rows.id, "서울특별시")) == ["Seoul"]
    assert names(store.find(rows.id, "헌법")) == ["헌법재판소"]
    assert names(store.find(rows.id, "재판")) == ["헌법재판소"]
    assert names(store.find(rows.id, "ivers")) == ["University of Seoul", "Seoul National University"]
    assert names(store.find(rows.id, "c++")) == ["C++"]
    assert names(store.find(rows.id, "  ")) == []


@pytest.mark.parametrize(
    "name",
    ["') DETACH DELETE n //", "`}) MATCH (x) DELETE x", "$brain", "a:b AND NOT c~ [x TO y]", 'say "hi" \\', "%_'", "*"],
)
def test_a_name_is_never_a_command(store: GraphStore, rows: Rows, name: str) -> None:
    chunk = rows.chunk(rows.source("hostile.txt"))
    key = rows.mention(chunk, name, "type') DELETE n //", says=name)
    ada = rows.mention(chunk, "Ada", "person")
    rows.relation(chunk, ada, name, key, name)
    rows.settle(store)
    assert names(store.find(rows.id, name)) == [name]
    assert store.dump(rows.id) == state.whole_graph(rows.id)


def test_a_very_long_name_is_kept_whole(store: GraphStore, rows: Rows) -> None:
    rows.mention(rows.chunk(rows.source("long.txt")), "긴" * 400, says="말" * 20_000)
    rows.settle(store)
    assert store.dump(rows.id) == state.whole_graph(rows.id)


def test_a_changed_name_replaces_the_old_one(store: GraphStore, rows: Rows) -> None:
    chunk = rows.chunk(rows.source("a.txt"))
    rows.mention(chunk, "Ada", "person")
    rows.settle(store)
    old = store.dump(rows.id).entities[0]
    rows.brain.entities.update(name="Ada L.", folded="ada l.")
    rows.settle(store)
    assert store.dump(rows.id).entities == (replace(old, name="Ada L.", aliases=("Ada",)),)


def test_a_removed_brain_is_forgotten_and_others_stay(store: GraphStore, rows: Rows) -> None:
    other = Rows(Brain.objects.create(name="other"))
    for each in (rows, other):
        each.mention(each.chunk(each.source("a.txt")), "Ada", "person")
        each.settle(store)
    Brain.objects.filter(pk=rows.brain.pk).delete()
    store.remove_brain(rows.id)
    store.remove_brain(rows.id)
    assert store.dump(rows.id) == GraphBatch()
    assert store.dump(other.id) == state.whole_graph(other.id)


def test_a_store_that_is_there_answers_a_ping(store: GraphStore) -> None:
    store.ping()
