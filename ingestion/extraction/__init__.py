"""A passage in, the facts it states out: entities and relations whose names stand in the passage."""

from __future__ import annotations

from ingestion.extraction.extract import extract
from ingestion.extraction.prompt import PROMPT_VERSION
from ingestion.extraction.values import Extracted, FoundEntity, FoundRelation, ModelCall

__all__ = ["PROMPT_VERSION", "Extracted", "FoundEntity", "FoundRelation", "ModelCall", "extract"]
