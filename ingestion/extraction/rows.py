"""From the values of a reply to candidate rows, whatever shape the model gave them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ingestion.extraction.json_salvage import Pairs

_ENTITY_LISTS = frozenset({"entities", "entity", "nodes", "e", "n", "개체", "엔티티", "노드"})
_RELATION_LISTS = frozenset(
    {"relations", "relationships", "relation", "edges", "triples", "facts", "r", "관계", "사실", "엣지"}
)
_NAME = ("name", "entity", "entity_name", "id", "title", "label", "이름")
_TYPE = ("type", "entity_type", "category", "kind", "유형", "종류")
_TEXT = ("description", "text", "summary", "설명")
_SUBJECT = ("subject", "source", "from", "head", "start", "s", "주어")
_PREDICATE = ("predicate", "relation", "relationship", "type", "label", "p", "관계", "서술어")
_OBJECT = ("object", "target", "to", "tail", "end", "o", "목적어")


@dataclass(frozen=True, slots=True)
class EntityRow:
    name: Any
    type: Any = ""
    description: Any = ""


@dataclass(frozen=True, slots=True)
class RelationRow:
    subject: Any
    predicate: Any
    object: Any
    description: Any = ""


@dataclass(slots=True)
class Rows:
    """What a reply names, unchecked; ``dropped`` counts what has no shape that can be read."""

    entities: list[EntityRow] = field(default_factory=list)
    relations: list[RelationRow] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)


def collect(values: Sequence[Any]) -> Rows:
    rows = Rows()
    for value in values:
        _walk(value, None, rows)
    return rows


def _walk(value: Any, kind: str | None, rows: Rows) -> None:
    if isinstance(value, Pairs):
        _walk_object(value, kind, rows)
    elif isinstance(value, list):
        if value and all(not isinstance(item, list | Pairs) for item in value):
            _row(value, kind, rows)
        else:
            for item in value:
                _walk(item, kind, rows)
    elif kind == "entity" and isinstance(value, str):
        rows.entities.append(EntityRow(value))
    else:
        rows.dropped["malformed"] += 1


def _walk_object(value: Pairs, kind: str | None, rows: Rows) -> None:
    if _get(value, _SUBJECT) is not None and _get(value, _OBJECT) is not None:
        rows.relations.append(
            RelationRow(
                _get(value, _SUBJECT), _get(value, _PREDICATE) or "", _get(value, _OBJECT), _get(value, _TEXT) or ""
            )
        )
        return
    lists = [(key, item) for key, item in value.items if isinstance(item, list | Pairs)]
    if lists:
        for key, item in lists:
            folded = key.strip().casefold()
            named = "entity" if folded in _ENTITY_LISTS else "relation" if folded in _RELATION_LISTS else kind
            _walk(item, named, rows)
        return
    if kind != "relation" and any(key.strip().casefold() in _NAME for key, _item in value.items):
        rows.entities.append(EntityRow(_get(value, _NAME), _get(value, _TYPE) or "", _get(value, _TEXT) or ""))
    elif value.items or kind is not None:
        rows.dropped["malformed"] += 1


def _row(row: list[Any], kind: str | None, rows: Rows) -> None:
    """A list of scalars: [name, type, description] or [subject, predicate, object, description]."""
    if kind == "entity" and 1 <= len(row) <= 3:
        rows.entities.append(EntityRow(*row))
    elif kind in {"relation", None} and 3 <= len(row) <= 4:
        rows.relations.append(RelationRow(*row))
    elif kind is None and len(row) == 2:
        rows.entities.append(EntityRow(*row))
    else:
        rows.dropped["malformed"] += 1


def _get(value: Pairs, names: tuple[str, ...]) -> Any:
    """The first value under one of the names; of a key given twice, the first that says something."""
    for name in names:
        for key, item in value.items:
            if key.strip().casefold() == name and item not in (None, ""):
                return item
    return None
