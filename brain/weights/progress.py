"""How far fetching is, for the terminal and for a page of another process: ``BRAIN_HOME/models.progress.json``."""

from __future__ import annotations

import dataclasses
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from django.conf import settings

from brain.weights.catalogue import CATALOGUE
from brain.weights.places import is_ready, wanted

# A writer says something every second or two; after this long without a word it is gone.
STALE_SECONDS = 60.0
ENGINE = "engine.llama-cpp"


@dataclass(frozen=True, slots=True)
class Status:
    """``error`` is a sentence when ``state`` is ``failed``. The engine counts seconds instead of bytes."""

    id: str
    state: Literal["missing", "fetching", "ready", "failed"]
    done_bytes: int
    total_bytes: int
    error: str = ""


def write(status: Status) -> None:
    """Leave word for other processes. Whole or not at all."""
    path = _file()
    known = _read()
    known[status.id] = {**dataclasses.asdict(status), "at": time.time()}
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_text(json.dumps(known, indent=1, ensure_ascii=False), encoding="utf-8")
    os.replace(draft, path)


def status(ids: tuple[str, ...] | None = None) -> list[Status]:
    """One for each model, in the order asked; without ids, for those the settings need."""
    told = _read()
    return [_one(model, told.get(model, {})) for model in (wanted() if ids is None else ids)]


def _one(model: str, told: dict[str, Any]) -> Status:
    total = CATALOGUE[model].size if model in CATALOGUE else int(told.get("total_bytes", 0))
    if model in CATALOGUE and is_ready(CATALOGUE[model]):
        return Status(model, "ready", total, total)
    state = told.get("state")
    fresh = time.time() - float(told.get("at", 0)) < STALE_SECONDS
    if state == "fetching" and fresh:
        return Status(model, "fetching", int(told["done_bytes"]), total)
    if state == "failed":
        return Status(model, "failed", int(told["done_bytes"]), total, str(told.get("error", "")))
    return Status(model, "missing", 0, total)


def _file() -> Path:
    return Path(settings.BRAIN_HOME) / "models.progress.json"


def _read() -> dict[str, dict[str, Any]]:
    try:
        found = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
