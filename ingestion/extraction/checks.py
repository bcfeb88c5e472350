"""What of a reply is kept: names that stand in the passage, relations between two different ones of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from brain.identity import fold_name, fold_predicate
from brain.text import clean_line, is_blank
from ingestion.extraction.grounding import Grounds
from ingestion.extraction.rows import RelationRow, Rows
from ingestion.extraction.values import NAME_LIMIT, PREDICATE_LIMIT, TYPE_LIMIT, FoundEntity, FoundRelation

_LETTER = re.compile(r"[^\W\d_]")
_NO_NAME = frozenset({"null", "none", "nil", "nan", "undefined", "unknown", "n/a", "없음", "미상", "알 수 없음"})
# Words that point at something named elsewhere: as a name they join everything with everything.
_POINTERS = frozenset(
    {"the", "a", "an", "this", "that", "these", "those", "it", "its", "he", "she", "they", "him", "her", "his", "their"}
    | {"we", "our", "you", "your", "i", "me", "my", "who", "which", "what", "one", "other", "others", "same", "such"}
    | {"see", "here", "there", "이", "그", "저", "이것", "그것", "저것", "이는", "그는", "그녀", "우리", "여기", "거기"}
    | {"이곳", "그곳", "자신", "본인", "이들", "그들", "해당", "위", "아래", "다음"}
)


# A model that has no name left copies half a sentence: its verb says so. Titles of works may hold one, but are short.
_LONGEST_KOREAN_NAME = 25
_KOREAN_CLAUSE = re.compile(r"[가-힣](?:다|며|고|서|나|만|여)[.,]\s|[가-힣]다\.?\s*$|기 위(?:해|한|하여)")


@dataclass(slots=True)
class Facts:
    """What is kept so far of one passage, by folded name; several replies may be added.

    ``relations``: (subject, folded predicate, object) -> (predicate, description).
    """

    entities: dict[str, FoundEntity] = field(default_factory=dict)
    relations: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)

    def found_entities(self) -> tuple[FoundEntity, ...]:
        return tuple(self.entities.values())

    def found_relations(self) -> tuple[FoundRelation, ...]:
        return tuple(
            FoundRelation(left.name, left.type, predicate, right.name, right.type, description)
            for (subject, _, obj), (predicate, description) in self.relations.items()
            for left, right in [(self.entities[subject], self.entities[obj])]
        )


def add(
    facts: Facts,
    rows: Rows,
    grounds: Grounds,
    *,
    aliases: Mapping[str, str],
    default_type: str,
    free_predicates: bool = False,
) -> Counter[str]:
    """Add the rows that hold. Returns what was kept and dropped, by reason. ``aliases``: folded type -> type.

    ``free_predicates``: the model chose the words for relations itself.
    """
    counts = Counter(rows.dropped)
    of_the_example = parroted(rows.relations, grounds) if free_predicates else frozenset()
    for row in rows.entities:
        entity_type = _type(row.type, aliases, default_type)
        if _entity(facts, row.name, entity_type, row.description, grounds, counts) is not None:
            counts["entities"] += 1
    for relation in rows.relations:
        ends = [
            _entity(facts, name, "", "", grounds, counts, default_type=default_type)
            for name in (relation.subject, relation.object)
        ]
        predicate = _text(relation.predicate, PREDICATE_LIMIT).replace("_", " ").strip()
        if ends[0] is None or ends[1] is None:
            counts["relations_without_end"] += 1
        elif ends[0] == ends[1]:
            counts["self_loops"] += 1
        elif not predicate or not re.search(r"\w", predicate):
            counts["empty_predicates"] += 1
        elif fold_predicate(predicate) in of_the_example:
            counts["parroted_relations"] += 1
        else:
            _relation(facts, ends[0], predicate, ends[1], relation.description, grounds, counts)
    return counts


def parroted(relations: Sequence[RelationRow], grounds: Grounds) -> frozenset[str]:
    """Predicates that stand in three rows or more and in most of them, and not in the passage: a small model that
    found nothing to say fills its rows with one word of the example."""
    pairs = {
        (fold_predicate(row.predicate), frozenset((str(row.subject), str(row.object))))
        for row in relations
        if isinstance(row.predicate, str)
    }
    used = Counter(predicate for predicate, _ends in pairs)
    passage = fold_name(grounds.passage)
    return frozenset(
        predicate
        for predicate, count in used.items()
        if count >= 3 and 2 * count > len(pairs) and predicate not in passage
    )


def _entity(
    facts: Facts,
    raw: Any,
    entity_type: str,
    description: Any,
    grounds: Grounds,
    counts: Counter[str],
    *,
    default_type: str = "",
) -> str | None:
    """The key of an entity, made if it is new; None if the name does not hold. An end of a relation that the
    model did not list is made minimal: ``default_type`` and no description."""
    reason = _refusal(raw)
    place = None if reason else grounds.locate(str(raw))
    if not reason and place is None:
        reason = "not_in_passage"
    if reason or place is None:
        counts[f"dropped_{reason}"] += 1
        return None
    written = clean_line(grounds.passage[place[0] : place[1]], limit=len(grounds.passage))
    name = written[:NAME_LIMIT].rstrip()
    key = fold_name(name)
    known = facts.entities.get(key)
    if known is not None and (default_type or known.description):
        return key
    if default_type:
        counts["minimal_entities"] += 1
        facts.entities[key] = FoundEntity(name, default_type, "", *place)
        return key
    said = _text(description, 1000)
    if len(written) > NAME_LIMIT:
        counts["names_cut"] += 1
        said = f"{written} {said}".strip()
    facts.entities[key] = FoundEntity(name, entity_type, said or grounds.sentence(*place), *place)
    return key


def holds(raw: Any, grounds: Grounds) -> bool:
    """Whether it can be a name and stands in the passage."""
    return not _refusal(raw) and grounds.locate(str(raw)) is not None


def _refusal(raw: Any) -> str:
    """Why a name cannot be one, or nothing."""
    if not isinstance(raw, str):
        return "null_name" if raw is None else "not_a_name"
    folded = fold_name(raw)
    if is_blank(raw) or folded in _NO_NAME:
        return "null_name"
    if not _LETTER.search(folded):
        return "number_name"
    if folded in _POINTERS:
        return "pointer"
    return "clause" if len(raw) > _LONGEST_KOREAN_NAME and _KOREAN_CLAUSE.search(raw) else ""


def _relation(
    facts: Facts, subject: str, predicate: str, obj: str, said: Any, grounds: Grounds, counts: Counter[str]
) -> None:
    folded = fold_predicate(predicate)
    key = (subject, folded, obj)
    # A small model likes to say a fact a second time with its ends exchanged; the first is the better one.
    if key in facts.relations or (obj, folded, subject) in facts.relations:
        counts["repeated_relations"] += 1
        return
    left, right = facts.entities[subject], facts.entities[obj]
    description = _text(said, 1000) or grounds.shared_sentence(left.name, right.name)
    facts.relations[key] = predicate, description
    counts["relations"] += 1


def _type(raw: Any, aliases: Mapping[str, str], default: str) -> str:
    text = _text(raw, TYPE_LIMIT)
    return aliases.get(fold_name(text), text.lower()) if text else default


def _text(raw: Any, limit: int) -> str:
    return clean_line(raw, limit=limit) if isinstance(raw, str) and fold_name(raw) not in _NO_NAME else ""


def type_aliases(types: Sequence[str]) -> dict[str, str]:
    return {fold_name(name): name for name in types}
