"""Real models and servers for the contracts."""

from __future__ import annotations

from tests.real_models import llama_cpp_server, small_model
from tests.servers.fixtures import neo4j_url, qdrant_url, redis_url

__all__ = ["llama_cpp_server", "neo4j_url", "qdrant_url", "redis_url", "small_model"]
