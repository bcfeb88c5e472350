"""Real servers for measurements, started by ``manage.py stack up``, and a model server whose replies are scripted.

Nothing of the product may be imported before ``homes.start_django`` knows where the servers are: this module imports it
late.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from bench.app import wait_for

_PROJECT = Path(__file__).resolve().parent.parent
_STUB = "model-server"


class ScriptedServer:
    """A model server, a process of its own, that takes so many seconds to reply and always uses the same port."""

    def __init__(self, reply_seconds: float) -> None:
        self._reply_seconds = reply_seconds
        self._port = _free_port()
        self.url = f"http://127.0.0.1:{self._port}/v1"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "bench.servers", str(self._port), str(self._reply_seconds)]
        self._process = subprocess.Popen(command, cwd=_PROJECT, stderr=subprocess.DEVNULL)
        wait_for(lambda: _listens(self.url), 30)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


class Servers:
    """``home`` is the BRAIN_HOME they belong to. Each can be killed, as by a power cut, and started on its port."""

    def __init__(self, home: Path, reply_seconds: float | None) -> None:
        self.home = home
        self._reply_seconds = reply_seconds
        self._model: ScriptedServer | None = None

    def up(self) -> None:
        self._manage("up", "--servers-only")
        if self._reply_seconds is not None:
            self._model = ScriptedServer(self._reply_seconds)

    def down(self) -> None:
        if self._model is not None:
            self._model.kill()
        self._manage("down")
        from brain.stack.postgresql import PostgreSQL

        PostgreSQL().discard(self.home / "stack" / "postgresql")

    def settings(self) -> dict[str, str]:
        """For ``homes.start_django``."""
        lines = (self.home / "stack" / "env").read_text(encoding="utf-8").splitlines()
        found = dict(line.split("=", 1) for line in lines)
        del found["BRAIN_HOME"]
        if self._model is not None:
            found["BRAIN_LLM"] = self._model.url
        return found

    def kill(self, name: str) -> None:
        if name == _STUB:
            assert self._model is not None
            self._model.kill()
            return
        from brain.stack.programs import Running

        running = Running.load(self.home / "stack" / name / "running.json")
        assert running is not None, f"{name} does not run"
        running.stop(kill=True)

    def start(self, name: str) -> None:
        """Wait until it answers."""
        if name == _STUB:
            assert self._model is not None
            self._model.start()
            return
        from brain.stack.neo4j import Neo4j
        from brain.stack.postgresql import PostgreSQL
        from brain.stack.redis import Redis

        program = {each.name: each for each in (PostgreSQL(), Redis(), Neo4j())}[name]
        folder = self.home / "stack" / name
        running = program.start(folder, port=self._ports[name])
        running.save(folder / "running.json")

    @property
    def _ports(self) -> dict[str, int]:
        names = {"postgresql": "BRAIN_DATABASE", "redis": "BRAIN_BROKER", "neo4j": "BRAIN_GRAPH"}
        found = self.settings()
        return {name: httpx.URL(found[setting]).port or 0 for name, setting in names.items()}

    def _manage(self, *command: str) -> None:
        env = {**os.environ, "BRAIN_HOME": str(self.home), "BRAIN_DATABASE": "sqlite"}
        subprocess.run(
            [sys.executable, "manage.py", "stack", *command], cwd=_PROJECT, env=env, check=True, stdout=sys.stderr
        )


@contextmanager
def servers(home: Path, *, reply_seconds: float | None = None) -> Iterator[Servers]:
    """PostgreSQL, Redis and Neo4j, and with ``reply_seconds`` a model server that takes so long to reply."""
    started = Servers(home, reply_seconds)
    try:
        started.up()
        yield started
    finally:
        started.down()


@contextmanager
def stack_settings(stack: str, home: Path) -> Iterator[dict[str, str]]:
    """What ``homes.start_django`` has to know of ``--stack embedded`` or ``servers``."""
    if stack == "embedded":
        yield {}
        return
    with servers(home) as started:
        yield started.settings()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listens(url: str) -> bool:
    try:
        return httpx.get(f"{url}/models", timeout=5, trust_env=False).is_success
    except httpx.HTTPError:
        return False


def _serve(port: int, reply_seconds: float) -> None:
    from bench import plain_facts
    from brain.backends.llm.scripted import ScriptedLLM, harmless
    from brain.values import CompletionRequest
    from tests.stubs.openai_server import stub_server

    def reply(request: CompletionRequest) -> str:
        time.sleep(reply_seconds)
        return plain_facts.reply(request) if request.schema else harmless(request)

    with stub_server(ScriptedLLM(reply), port=port):
        threading.Event().wait()


if __name__ == "__main__":
    _serve(int(sys.argv[1]), float(sys.argv[2]))
