"""Real models and servers, where they are installed."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

if TYPE_CHECKING:
    from brain.backends.llm.llama_cpp import LlamaCppLLM

SMALL = "llm.qwen2.5-coder-0.5b"


def _small_weights() -> Path:
    from brain.errors import ModelMissing
    from brain.weights import path_of

    if importlib.util.find_spec("llama_cpp") is None:
        pytest.skip("the language model's engine is not installed (manage.py models --engine)")
    try:
        return path_of(SMALL)
    except ModelMissing:
        pytest.skip(f"BRAIN_MODELS holds no {SMALL} (manage.py models {SMALL})")


@pytest.fixture(scope="session")
def small_model() -> Iterator[LlamaCppLLM]:
    from brain.backends.llm.llama_cpp import LlamaCppLLM

    model = LlamaCppLLM(str(_small_weights()), context_tokens=2048, threads=os.cpu_count() or 1)
    yield model
    model.close()


@pytest.fixture(scope="session")
def llama_cpp_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real model server; the URL of its ``/v1``."""
    path = _small_weights()
    for extra in ("fastapi", "uvicorn", "sse_starlette", "pydantic_settings", "starlette_context"):
        if importlib.util.find_spec(extra) is None:
            pytest.skip(f"llama-cpp-python[server] is not installed ({extra} is missing)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(path), "--n_ctx", "2048"]
    with (tmp_path_factory.mktemp("server") / "log").open("w") as log:
        server = subprocess.Popen([*command, "--port", str(port)], stdout=log, stderr=log)
        try:
            _wait_for(f"http://127.0.0.1:{port}/v1/models", server)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            server.wait(10)


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and server.poll() is None:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(url, trust_env=False).status_code == 200:
                return
        time.sleep(0.2)
    pytest.fail("the model server did not start")
