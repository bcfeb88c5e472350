"""The servers on this machine, without containers: ``up``, ``down``, ``status``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from brain.errors import ServiceError, say
from brain.stack.stack import Stack


class Command(BaseCommand):
    help = "Starts PostgreSQL, Redis and Neo4j on this machine and Brain on them, stops all, or says what runs."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("action", choices=["up", "down", "status"])
        parser.add_argument("--servers-only", action="store_true", help="do not start Brain itself")
        parser.add_argument("--model-server", action="store_true", help="also start a model server")
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *, action: str, servers_only: bool, model_server: bool, host: str, port: int, **_: Any) -> None:
        qdrant = os.environ.get("QDRANT_URL", "")
        stack = Stack(Path(settings.BRAIN_HOME) / "stack", qdrant, model_server)
        if action == "up":
            self._up(stack)
            if not servers_only:
                self._start_app(stack, host, port)
        elif action == "down":
            for running in stack.stop():
                self.stdout.write(f"{running.name} stopped")
        else:
            for running in stack.running():
                self.stdout.write(f"{running.name} runs as process {running.pid}, log {running.log}")

    def _up(self, stack: Stack) -> None:
        if missing := stack.missing():
            raise CommandError("\n".join(say(notice) for notice in missing))
        try:
            for running in stack.start_servers():
                self.stdout.write(f"{running.name} runs as process {running.pid}, log {running.log}")
                self.stdout.flush()
        except ServiceError as error:
            raise CommandError(error.sentence) from error
        self.stdout.write(f"Settings for processes on these servers: {stack.home / 'env'}")

    def _start_app(self, stack: Stack, host: str, port: int) -> None:
        if stack.qdrant:
            self.stdout.write("Vectors are on the Qdrant server: web and workers run as processes of their own.")
        else:
            self.stdout.write(
                "No Qdrant server is named in QDRANT_URL, and no package registry carries its program: web and "
                "workers stay in one process on the embedded vector engine."
            )
        try:
            for running in stack.start_app(host, port):
                self.stdout.write(f"{running.name} runs as process {running.pid}, log {running.log}")
                if running.url:
                    self.stdout.write(f"Brain is ready: {running.url}/")
        except ServiceError as error:
            raise CommandError(error.sentence) from error
        self.stdout.write("The link for setting the first password is in the log, if nobody has set it yet.")
