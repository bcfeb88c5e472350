"""A server dies and comes back: what it acknowledged is there, what it did not is said and tried again."""

from __future__ import annotations

from pathlib import Path

import pytest

from brain.backends.events.redis_streams import RedisEventLog
from brain.backends.graph.neo4j import Neo4jGraphStore
from brain.errors import ServiceUnavailable
from brain.stack.neo4j import Neo4j
from brain.stack.postgresql import PostgreSQL
from brain.stack.programs import Program, ProgramMissing, Running
from brain.stack.redis import Redis
from brain.values import Described, GraphBatch, GraphEntity

pytestmark = [pytest.mark.server, pytest.mark.slow]


def started(program: Program, home: Path) -> Running:
    try:
        program.require()
    except ProgramMissing as error:
        pytest.skip(error.notice.english)
    return program.start(home)


def port_of(running: Running) -> int:
    return int(running.url.rpartition("@")[2].partition("/")[0].partition(":")[2])


def entity(number: int) -> GraphEntity:
    return GraphEntity(f"{number:032x}", f"E{number}", "concept", (), (Described("s", "text"),))


def test_neo4j_keeps_what_it_acknowledged_over_a_kill(tmp_path: Path) -> None:
    server = started(Neo4j(), tmp_path)
    store = Neo4jGraphStore.from_setting(server.url)
    for number in range(20):
        store.write("b", GraphBatch(entities=(entity(number),)), fence=1)
    server.stop(kill=True)
    assert not server.alive
    with pytest.raises(ServiceUnavailable, match="Neo4j does not answer"):
        store.write("b", GraphBatch(entities=(entity(99),)), fence=1)
    again = Neo4j().start(tmp_path, port=port_of(server))
    assert store.dump("b").entities == tuple(map(entity, range(20)))
    store.write("b", GraphBatch(entities=(entity(99),)), fence=1)
    assert len(store.dump("b").entities) == 21
    store.close()
    again.stop(kill=True)


def test_redis_says_that_it_is_away_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    server = started(Redis(), tmp_path)
    log = RedisEventLog.from_setting(server.url)
    log.append("c", {"n": 1})
    server.stop()
    with pytest.raises(ServiceUnavailable, match="Redis does not answer"):
        log.append("c", {"n": 2})
    with pytest.raises(ServiceUnavailable, match="Redis does not answer"):
        log.read("c")
    again = Redis().start(tmp_path, port=port_of(server))
    log.append("c", {"n": 3})
    assert [event.data["n"] for event in log.read("c")] == [1, 3]
    log.close()
    again.stop(kill=True)


def test_postgresql_starts_again_on_its_data_and_is_found_again(tmp_path: Path) -> None:
    server = started(PostgreSQL(), tmp_path)
    server.save(tmp_path / "running.json")
    assert Running.load(tmp_path / "running.json") == server
    server.stop()
    assert Running.load(tmp_path / "running.json") is None
    again = PostgreSQL().start(tmp_path, port=port_of(server))
    assert again.url == server.url
    again.stop(kill=True)
    PostgreSQL().discard(tmp_path)
