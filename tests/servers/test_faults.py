"""A server dies and comes back: what it acknowledged is there, what it did not is said and tried again."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest
from celery import signals
from django.test import override_settings
from kombu.exceptions import OperationalError

from brain.backends.events.redis_streams import RedisEventLog
from brain.backends.graph.neo4j import Neo4jGraphStore
from brain.celery import make_app
from brain.errors import ServiceUnavailable
from brain.stack.neo4j import Neo4j
from brain.stack.postgresql import PostgreSQL
from brain.stack.programs import Program, ProgramMissing, Running
from brain.stack.redis import Redis
from brain.values import Described, GraphBatch, GraphEntity
from brain.workers import EmbeddedWorkers

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


@pytest.mark.filterwarnings("ignore::celery.exceptions.CPendingDeprecationWarning")
@pytest.mark.django_db(transaction=True)
def test_workers_take_tasks_again_after_their_broker_was_killed(tmp_path: Path) -> None:
    server = started(Redis(), tmp_path)
    taken: list[str] = []

    def note(task: object = None, args: tuple[str, ...] = (), **_: object) -> None:
        taken.append(args[0])

    signals.task_postrun.connect(note)
    with override_settings(CELERY_BROKER_URL=server.url, CELERY_BROKER_TRANSPORT_OPTIONS={"visibility_timeout": 60}):
        workers = EmbeddedWorkers({"chat": 1, "ingest": 1, "graph": 1})
        workers.start()
        try:
            sent_and_taken("00000000-0000-0000-0000-000000000001", taken)
            server.stop(kill=True)
            server = Redis().start(tmp_path, port=port_of(server))
            sent_and_taken("00000000-0000-0000-0000-000000000002", taken)
        finally:
            workers.stop(timeout=5)
    signals.task_postrun.disconnect(note)
    server.stop(kill=True)


def sent_and_taken(message: str, taken: list[str]) -> None:
    """Rings as a web process does, until a worker hears it."""
    until = time.monotonic() + 60
    app = make_app(current=False)
    while message not in taken:
        assert time.monotonic() < until, taken
        with contextlib.suppress(OperationalError):
            app.send_task("graphqa.tasks.answer", args=(message,), retry=False)
        time.sleep(1)


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
