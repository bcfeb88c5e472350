"""What the model is asked. The first turns are the same for every passage of a language, so that their state is
computed once; hints come next, the passage last.

The examples are in the passage's own language: one in another makes a small model answer in that.
"""

from __future__ import annotations

from collections.abc import Sequence

from brain.values import Turn
from ingestion.extraction.wording import Wording, wording

PROMPT_VERSION = "2"
_HEADING_LIMIT = 200


def turns(
    passage: str,
    *,
    language: str,
    heading: tuple[str, ...] = (),
    entity_types: Sequence[str] = (),
    relation_names: Sequence[str] = (),
) -> tuple[Turn, ...]:
    said = wording(language)
    shown = [Turn("system", said.rules)]
    for example in said.examples:
        shown.append(Turn("user", _asked(said, example.passage, relation_names=example.relation_names)))
        shown.append(Turn("assistant", example.reply))
    asked = _asked(said, passage, heading=heading, entity_types=entity_types, relation_names=relation_names)
    return (*shown, Turn("user", asked))


def _asked(
    said: Wording,
    passage: str,
    *,
    heading: tuple[str, ...] = (),
    entity_types: Sequence[str] = (),
    relation_names: Sequence[str] = (),
) -> str:
    lines = []
    if entity_types:
        lines.append(f"{said.types} {', '.join(entity_types)}")
    if relation_names:
        lines.append(f"{said.relations} {', '.join(relation_names)}")
    if heading:
        lines.append(f"{said.section} {' > '.join(heading)[:_HEADING_LIMIT]}")
    return "\n".join([*lines, said.passage, passage.strip()])
