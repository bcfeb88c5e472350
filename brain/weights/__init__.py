"""Model files and the engine that runs them: what is known, where it is kept, how it gets here."""

from __future__ import annotations

from brain.weights.catalogue import CATALOGUE, DEFAULTS, Model, ModelFile
from brain.weights.fetch import ensure
from brain.weights.places import chosen_llm, digest_of, model_name, needs_engine, path_of, use, wanted
from brain.weights.progress import Status, status

__all__ = [
    "CATALOGUE",
    "DEFAULTS",
    "Model",
    "ModelFile",
    "Status",
    "chosen_llm",
    "digest_of",
    "ensure",
    "model_name",
    "needs_engine",
    "path_of",
    "status",
    "use",
    "wanted",
]
