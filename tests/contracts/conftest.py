"""Real models and servers for the contracts."""

from __future__ import annotations

from tests.real_models import small_model
from tests.servers.fixtures import model_server_url, neo4j_url, qdrant_url, redis_url

__all__ = ["model_server_url", "neo4j_url", "qdrant_url", "redis_url", "small_model"]
