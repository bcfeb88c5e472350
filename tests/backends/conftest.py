"""Real models for the adapters."""

from __future__ import annotations

from tests.real_models import small_model

__all__ = ["small_model"]
