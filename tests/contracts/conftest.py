"""Real models and servers for the contracts."""

from __future__ import annotations

from tests.real_models import llama_cpp_server, small_model

__all__ = ["llama_cpp_server", "small_model"]
