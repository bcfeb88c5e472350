"""All servers together, and the app on them."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
from django.conf import settings

from brain.stack.model_server import ModelServer
from brain.stack.neo4j import Neo4j
from brain.stack.postgresql import PostgreSQL
from brain.stack.programs import Command, Program, ProgramMissing, Running, launch, require_port
from brain.stack.redis import Redis
from brain.values import Notice

QUEUES = ("chat", "ingest", "graph")


@dataclass(frozen=True, slots=True)
class Stack:
    """``home`` holds a folder per server. ``qdrant``: the URL of a Qdrant server, which no package registry
    carries; without one web and workers stay one process on the embedded engine."""

    home: Path
    qdrant: str = ""
    with_model_server: bool = False

    @property
    def servers(self) -> list[Program]:
        servers: list[Program] = [PostgreSQL(), Redis(), Neo4j()]
        return [*servers, ModelServer()] if self.with_model_server else servers

    def missing(self) -> list[Notice]:
        """What has to be installed first, a sentence each."""
        found: list[Notice] = []
        for server in self.servers:
            try:
                server.require()
            except ProgramMissing as error:
                found.append(error.notice)
        return found

    def start_servers(self) -> Iterator[Running]:
        """Start what does not run yet, one after the other, and keep how to reach them in ``home/env``."""
        urls: dict[str, str] = {}
        for server in self.servers:
            running = self._kept(server.name) or server.start(self._folder(server.name))
            running.save(self._folder(server.name) / "running.json")
            urls[server.name] = running.url
            yield running
        self._write_env(urls)

    def start_app(self, host: str, port: int) -> Iterator[Running]:
        """Migrate, then start the app: with a Qdrant server a process per queue, else one for everything."""
        home = self._folder("app")
        if not self._kept("app/serve") and not self._kept("app/web"):
            require_port(host, port)
        manage = [sys.executable, str(settings.BASE_DIR / "manage.py")]
        Command([*manage, "migrate", "--verbosity=0"], settings.BASE_DIR, self.env()).run(
            home / "migrate.log", "migrate"
        )
        listen = ["--host", host, "--port", str(port)]
        address = f"http://{'localhost' if host in {'127.0.0.1', '0.0.0.0'} else host}:{port}"
        if not self.qdrant:
            yield self._app("serve", [*manage, "serve", *listen], address)
            return
        yield self._app(
            "web", [sys.executable, "-m", "uvicorn", "brain.asgi:application", "--lifespan=off", *listen], address
        )
        for queue in QUEUES:
            yield self._app(f"work-{queue}", [*manage, "work", queue], "")

    def env(self) -> dict[str, str]:
        """Settings for a process that is to run on these servers."""
        lines = (self.home / "env").read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines)

    def running(self) -> list[Running]:
        """What runs, servers first."""
        names = [server.name for server in self.servers] + ["model-server", "app/serve", "app/web"]
        names += [f"app/work-{queue}" for queue in QUEUES]
        return [running for name in dict.fromkeys(names) if (running := self._kept(name))]

    def stop(self) -> list[Running]:
        """Stop the app, then its servers; what was stopped."""
        stopped = self.running()[::-1]
        for each in stopped:
            each.stop(seconds=40)
        return stopped

    def _app(self, name: str, argv: list[str], address: str) -> Running:
        kept = self._kept(f"app/{name}")
        if kept is None:
            home = self._folder("app")
            command = Command(argv, settings.BASE_DIR, self.env())
            kept = launch(name, command, home, address, lambda: not address or _answers(address), seconds=120)
            kept.save(self._folder(f"app/{name}") / "running.json")
        return kept

    def _kept(self, name: str) -> Running | None:
        return Running.load(self.home / name / "running.json")

    def _folder(self, name: str) -> Path:
        folder = self.home / name
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return folder

    def _write_env(self, urls: dict[str, str]) -> None:
        redis = urls["redis"].rpartition("/")[0]
        lines = [
            f"BRAIN_HOME={settings.BRAIN_HOME}",
            f"BRAIN_DATABASE={urls['postgresql']}",
            f"BRAIN_GRAPH={urls['neo4j']}",
            f"BRAIN_EVENTS={redis}/0",
            f"BRAIN_BROKER={redis}/1",
        ]
        if self.qdrant:
            lines.append(f"BRAIN_VECTORS={self.qdrant}")
        if "model-server" in urls:
            lines.append(f"BRAIN_LLM={urls['model-server']}")
        partial = self.home / f"env.{secrets.token_hex(4)}"
        with os.fdopen(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        partial.replace(self.home / "env")


def _answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/healthz", timeout=5).is_success
    except httpx.HTTPError:
        return False
