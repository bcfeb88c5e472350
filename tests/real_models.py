"""The small real model, where it is installed."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

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
