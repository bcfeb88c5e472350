"""The shape of a reply: two lists of short rows, bounded by the length of the passage.

Rows instead of objects: half the tokens, and tokens are what extraction costs. The bounds keep a small model from
running on: it stops at the last row it may write, not at the token limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much may be said about a passage."""

    entities: int
    relations: int
    max_tokens: int


def bounds(passage: str) -> Bounds:
    length = len(passage)
    entities = 2 + min(length, 2000) // 150
    relations = 1 + min(length, 2000) // 170
    # An entity costs about 8 tokens, a relation 13; three times as much is room for long names, not for a loop.
    return Bounds(entities, relations, 40 + 24 * entities + 40 * relations)


def reply_schema(limits: Bounds, entity_types: Sequence[str], relation_names: Sequence[str]) -> dict[str, Any]:
    """``relation_names`` empty leaves the predicate free."""
    name = {"type": "string", "minLength": 1, "maxLength": 80}
    kind = {"type": "string", "enum": list(entity_types)}
    predicate: dict[str, Any] = (
        {"type": "string", "enum": list(relation_names)}
        if relation_names
        else {"type": "string", "minLength": 1, "maxLength": 40}
    )
    return {
        "type": "object",
        "properties": {
            "entities": _rows([name, kind], limits.entities),
            "relations": _rows([name, predicate, name], limits.relations),
        },
        "required": ["entities", "relations"],
        "additionalProperties": False,
    }


def _rows(cells: list[dict[str, Any]], most: int) -> dict[str, Any]:
    row = {
        "type": "array",
        "prefixItems": cells,
        "items": False,
        "minItems": len(cells),
        "maxItems": len(cells),
    }
    return {"type": "array", "items": row, "maxItems": most}
