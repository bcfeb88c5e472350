"""What the stack says before it starts anything, and what it refuses to mistake for its own."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from brain.errors import ServiceUnavailable
from brain.stack.neo4j import Neo4j
from brain.stack.programs import Command, ProgramMissing, Running, launch, require_port
from brain.stack.redis import Redis
from brain.stack.stack import Stack


def test_a_missing_program_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ProgramMissing, match="apt-get install redis-server"):
        Redis().require()
    with pytest.raises(ProgramMissing, match="needs Java 17"):
        Neo4j(tmp_path).require()
    said = [notice.english for notice in Stack(tmp_path / "stack").missing()]
    assert any(sentence.startswith("Redis is not installed here") for sentence in said)
    with pytest.raises(CommandError, match="Redis is not installed here"):
        call_command("stack", "up", stdout=StringIO())


def _sleeper(home: Path) -> Running:
    return launch("sleeper", Command(["sleep", "60"], home), home, "url", lambda: True, seconds=5)


def test_a_started_program_is_found_again_and_stopped(tmp_path: Path) -> None:
    running = _sleeper(tmp_path)
    running.save(tmp_path / "running.json")
    assert (tmp_path / "running.json").stat().st_mode & 0o077 == 0
    assert Running.load(tmp_path / "running.json") == running
    running.stop()
    assert not running.alive
    assert Running.load(tmp_path / "running.json") is None


def test_a_process_that_took_over_the_number_is_never_stopped(tmp_path: Path) -> None:
    running = _sleeper(tmp_path)
    stranger = replace(running, born="1")
    stranger.stop()
    assert running.alive
    (tmp_path / "running.json").write_text(json.dumps({"name": "x"}), encoding="utf-8")
    assert Running.load(tmp_path / "running.json") is None
    running.stop(kill=True)


def test_a_program_that_ends_while_starting_is_quoted(tmp_path: Path) -> None:
    command = Command(["sh", "-c", "echo no room left; exit 1"], tmp_path)
    with pytest.raises(ServiceUnavailable, match="no room left"):
        launch("broken", command, tmp_path, "url", lambda: False, seconds=20)


def test_a_taken_port_is_refused_before_a_stranger_answers_on_it() -> None:
    with socket.socket() as stranger:
        stranger.bind(("127.0.0.1", 0))
        stranger.listen()
        port = stranger.getsockname()[1]
        with pytest.raises(ServiceUnavailable, match=f"--port {port + 1}"):
            require_port("127.0.0.1", port)


def test_a_worker_beside_the_embedded_stores_is_refused_with_the_settings_to_change() -> None:
    with pytest.raises(CommandError, match="BRAIN_BROKER"):
        call_command("work", "chat")
    assert os.environ.get("BRAIN_BROKER", "memory://") == "memory://"
