"""Live servers for these tests."""

from __future__ import annotations

from tests.servers.fixtures import model_server_url, neo4j_url, postgresql_url, qdrant_url, redis_url

__all__ = ["model_server_url", "neo4j_url", "postgresql_url", "qdrant_url", "redis_url"]
