"""Deletion, recovery and moving, once more with every store a real server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.server, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "tests",
    [
        "tests/ledger",
        "tests/brain/test_portability.py",
        "tests/ingestion/test_worker.py",
        "tests/ingestion/test_uploads.py",
        "tests/servers/test_parallel_merge.py",
    ],
)
def test_the_same_tests_pass_on_postgresql_neo4j_redis_and_the_qdrant_client(
    postgresql_url: str, neo4j_url: str, redis_url: str, tmp_path: Path, tests: str
) -> None:
    env = {
        **os.environ,
        "BRAIN_HOME": str(tmp_path),
        "BRAIN_DATABASE": postgresql_url,
        "BRAIN_GRAPH": neo4j_url,
        "BRAIN_EVENTS": redis_url,
        "BRAIN_VECTORS": os.environ.get("BRAIN_TEST_QDRANT", "qdrant-local::memory:"),
        "BRAIN_TEST_NEO4J": neo4j_url,
    }
    command = [sys.executable, "-m", "pytest", "-q", "--create-db", "-p", "no:cacheprovider", "-m", "not model", tests]
    ended = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=600)
    assert ended.returncode == 0, ended.stdout[-8000:]
    print(ended.stdout.splitlines()[-1])
