"""Live servers for these tests."""

from __future__ import annotations

from tests.servers.fixtures import neo4j_url, postgresql_url, qdrant_url, redis_url

__all__ = ["neo4j_url", "postgresql_url", "qdrant_url", "redis_url"]
