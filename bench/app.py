"""The product as a process of its own, as people meet it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx


def wait_for(condition: Callable[[], bool], seconds: float) -> float:
    """Seconds until the condition held; ``TimeoutError`` if it did not."""
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > seconds:
            raise TimeoutError
        time.sleep(0.2)
    return time.monotonic() - started


class App:
    """``manage.py serve`` with the settings of this process."""

    def __init__(self, port: int, log: Path) -> None:
        self.address = f"http://127.0.0.1:{port}"
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--no-models", "--port", str(port)], stdout=out, stderr=out
            )
        wait_for(self._answers, 60)

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.address}/healthz", timeout=5, trust_env=False).is_success
        except httpx.HTTPError:
            return False

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=60)
