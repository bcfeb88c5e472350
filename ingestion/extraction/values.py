"""What extraction finds. Offsets are into the passage, ``start`` inclusive, ``end`` exclusive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from brain.values import FoundEntity, FoundRelation, ModelCall

NAME_LIMIT = 200
PREDICATE_LIMIT = 100
TYPE_LIMIT = 50

__all__ = ["NAME_LIMIT", "PREDICATE_LIMIT", "TYPE_LIMIT", "Extracted", "FoundEntity", "FoundRelation", "ModelCall"]


@dataclass(frozen=True, slots=True)
class Extracted:
    """``empty``: nothing to ask a model about. ``truncated``: a reply was cut, also after the retry; what was
    whole is here. ``failed``: no usable reply. ``reason`` is an English sentence, marked for translation."""

    entities: tuple[FoundEntity, ...]
    relations: tuple[FoundRelation, ...]
    state: Literal["done", "empty", "failed", "truncated"]
    reason: str
    calls: tuple[ModelCall, ...]
