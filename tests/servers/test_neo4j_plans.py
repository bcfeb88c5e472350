"""No question to Neo4j reads every node: each query's plan starts at an index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from neo4j import Driver, GraphDatabase

from brain.backends.graph import cypher
from brain.backends.graph.neo4j import Neo4jGraphStore

pytestmark = pytest.mark.server

QUERIES = {
    name: text
    for name, text in vars(cypher).items()
    if name.isupper() and isinstance(text, str) and name not in {"AWAIT_SCHEMA", "PING"}
}
PARAMETERS: dict[str, Any] = {
    "brain": "b",
    "fence": 1,
    "keys": ["k"],
    "near": ["k"],
    "rows": [
        {
            "key": "k",
            "subject": "k",
            "object": "k",
            "subject_key": "k",
            "object_key": "k",
            "source": "k",
            "chunks": ["k"],
            "links": ["next k"],
            "properties": {"key": "k", "source": "s"},
        }
    ],
    "links": [{"start": "k", "end": "k", "kind": "next", "ref": "r"}],
    "mentions": [{"entity": "k", "chunk": "k", "ref": "r"}],
    "sources": ["s"],
    "limit": 5,
    "longest": "word",
    "words": ["word"],
    "phrases": '"헌법"',
}
INDEXED = ("NodeUniqueIndexSeek", "NodeIndexSeek", "NodeIndexContainsScan", "DirectedRelationshipUniqueIndexSeek")


@pytest.fixture(scope="module")
def driver(neo4j_url: str) -> Iterator[Driver]:
    store = Neo4jGraphStore.from_setting(neo4j_url)
    store.ping()
    password = neo4j_url.split("//neo4j:")[1].split("@")[0]
    address = "bolt://" + neo4j_url.split("@")[1]
    with GraphDatabase.driver(address, auth=("neo4j", password), notifications_min_severity="OFF") as made:
        yield made
    store.close()


def operators(plan: dict[str, Any]) -> Iterator[str]:
    yield plan["operatorType"].partition("@")[0]
    for child in plan.get("children", ()):
        yield from operators(child)


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_a_query_starts_at_an_index(driver: Driver, name: str) -> None:
    with driver.session() as session:
        plan = session.run("EXPLAIN " + QUERIES[name], PARAMETERS).consume().plan
    assert plan is not None
    used = list(operators(plan))
    scans = {"AllNodesScan", "NodeByLabelScan", "DirectedRelationshipTypeScan", "UndirectedRelationshipTypeScan"}
    assert not scans & set(used), used
    assert any(each.startswith(INDEXED) for each in used) or "ProcedureCall" in used, used
