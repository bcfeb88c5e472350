"""A stand-in model whose facts are written in the passage, so that a history of thousands of passages has the
replies it would have if they were recorded: the same passage always gives the same reply, whatever came before.

``Ada Byron (person) advises Engine Works (organization).`` is a fact; anything else says nothing.
"""

from __future__ import annotations

import json
import re

from brain.backends.llm.scripted import ScriptedLLM
from brain.values import CompletionRequest

_FACT = re.compile(
    r"(?P<subject>\w[\w \-]*?) \((?P<subject_type>\w+)\) (?P<predicate>\w[\w ]*?) "
    r"(?P<object>\w[\w \-]*?) \((?P<object_type>\w+)\)\."
)


def reply(request: CompletionRequest) -> str:
    """The rows that an extraction prompt asks for, from the facts written in its last turn."""
    entities: dict[tuple[str, str], None] = {}
    relations: dict[tuple[str, str, str], None] = {}
    for fact in _FACT.finditer(request.turns[-1].text):
        entities[fact["subject"], fact["subject_type"]] = None
        entities[fact["object"], fact["object_type"]] = None
        relations[fact["subject"], fact["predicate"], fact["object"]] = None
    return json.dumps({"entities": [*entities], "relations": [*relations]}, ensure_ascii=False)


def model() -> ScriptedLLM:
    return ScriptedLLM(reply, model_id="plain-facts")
