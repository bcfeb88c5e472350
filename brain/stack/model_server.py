"""A model server that speaks the OpenAI protocol, with the same weights as the engine inside the process."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import httpx
from django.conf import settings
from django.utils.translation import gettext_noop as _

from brain.errors import ModelMissing
from brain.stack.programs import Command, ProgramMissing, Running, free_port, launch
from brain.weights import path_of

_NO_PROGRAM = _(
    "No model server is installed here. Put llama-server into PATH, or install one with: "
    "pip install 'llama-cpp-python[server]'"
)
_NO_WEIGHTS = _("The weights of %(model)s are not here yet. Fetch them with: manage.py models")
_EXTRAS = ("llama_cpp", "fastapi", "uvicorn", "sse_starlette", "starlette_context", "pydantic_settings")


class ModelServer:
    name = "model-server"

    def __init__(self, model: str = "") -> None:
        """``model``: an id or a path, as in BRAIN_LLM_MODEL."""
        self._model = model or settings.BRAIN_LLM_MODEL

    def require(self) -> None:
        if not shutil.which("llama-server") and not all(map(importlib.util.find_spec, _EXTRAS)):
            raise ProgramMissing(_NO_PROGRAM)
        try:
            path_of(self._model)
        except ModelMissing as error:
            raise ProgramMissing(_NO_WEIGHTS, model=self._model) from error

    def start(self, home: Path, *, port: int = 0) -> Running:
        """``port``: the one to come back on, after a stop."""
        self.require()
        home.mkdir(parents=True, exist_ok=True)
        port, context = port or free_port(), str(settings.LLM_CONTEXT_TOKENS)
        listen = ["--host", "127.0.0.1", "--port", str(port), "--model", str(path_of(self._model))]
        if shutil.which("llama-server"):
            argv = ["llama-server", *listen, "--ctx-size", context, "--threads", str(os.cpu_count() or 1)]
        else:
            argv = [sys.executable, "-m", "llama_cpp.server", *listen, "--n_ctx", context]
        url = f"http://127.0.0.1:{port}/v1"
        return launch(self.name, Command(argv, home), home, url, lambda: _answers(url), seconds=120)


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/models", timeout=5).is_success
    except httpx.HTTPError:
        return False
