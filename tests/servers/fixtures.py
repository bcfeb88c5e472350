"""Real servers for tests, started once per run by the product's own stack; skipped with a sentence where missing.

``BRAIN_TEST_NEO4J``, ``BRAIN_TEST_REDIS``, ``BRAIN_TEST_QDRANT`` name servers that run already and may be written to,
``BRAIN_TEST_MODEL_SERVER`` the ``/v1`` of one that may be asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from brain.stack.model_server import ModelServer
from brain.stack.neo4j import Neo4j
from brain.stack.postgresql import PostgreSQL
from brain.stack.programs import Program, ProgramMissing
from brain.stack.redis import Redis
from tests.real_models import SMALL


def _server(program: Program, tmp: pytest.TempPathFactory) -> Iterator[str]:
    if url := os.environ.get(f"BRAIN_TEST_{program.name.upper().replace('-', '_')}"):
        yield url
        return
    try:
        program.require()
    except ProgramMissing as error:
        pytest.skip(error.notice.english)
    home = tmp.mktemp(program.name)
    running = program.start(home)
    yield running.url
    running.stop(kill=True)
    if isinstance(program, PostgreSQL):
        program.discard(home)


@pytest.fixture(scope="session")
def neo4j_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from _server(Neo4j(), tmp_path_factory)


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from _server(Redis(), tmp_path_factory)


@pytest.fixture(scope="session")
def postgresql_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from _server(PostgreSQL(), tmp_path_factory)


@pytest.fixture(scope="session")
def qdrant_url() -> str:
    """No package registry carries the server's program: it has to be named."""
    if url := os.environ.get("BRAIN_TEST_QDRANT"):
        return url
    pytest.skip("No Qdrant server is named in BRAIN_TEST_QDRANT; the client's local mode is tested instead.")


@pytest.fixture(scope="session")
def model_server_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """With the small model and two slots of 2,048 tokens."""
    yield from _server(ModelServer(SMALL, slots=2, context_tokens=2048), tmp_path_factory)
