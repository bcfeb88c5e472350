"""Whether a sentence says "not" of what the passages say, or the other way round.

Clause by clause, where an answer's and a passage's share nearly all their words: "the tenant may keep dogs" against
"the tenant must not keep dogs". Other words for the opposite are told by ``opposites``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphqa.grounding.clauses import Clause, clauses, may_be_negated
from graphqa.grounding.opposites import are_opposite
from graphqa.grounding.passages import Passage

# Shares of the words of the answer's clause, and of the passage's, that both must have (of the first some may stand in
# another clause of the same statement: its subject); and the fewest words.
_OF_SAID, _OF_SAID_THERE, _OF_TOLD, _FEWEST = 0.8, 0.75, 0.6, 2
_CONDITION = re.compile(r"\b(?:if|when|unless)\b|면\s", re.IGNORECASE)


def negated_otherwise(said: str, passages: Sequence[Passage]) -> bool:
    """Whether the passages say a clause of ``said`` only with a negation more or less."""
    if not may_be_negated(said) and not any(may_be_negated(each.text) for each in passages):
        return False
    turned = sum(_otherwise(clause, passages) for clause in clauses(said) if len(clause.words) >= _FEWEST)
    # "Refunded if returned" is what "not refunded if not returned" means.
    return turned > 0 and not (turned == 2 and _CONDITION.search(said))


def _otherwise(said: Clause, passages: Sequence[Passage]) -> bool:
    other = same = 0
    for told in _near(said, passages):
        if are_opposite(said, told):
            continue
        shared = len(said.words & told.words)
        if told.negates(said) == said.negated or told.without != said.without:
            same = max(same, shared)
        elif shared >= _OF_SAID_THERE * len(said.words) and shared >= _OF_TOLD * len(told.words):
            other = max(other, shared)
    return other > same


def _near(said: Clause, passages: Sequence[Passage]) -> Iterator[Clause]:
    """The clauses of statements that have its words; what asks tells nothing. Most statements need not be read."""
    for passage in passages:
        for statement in passage.statements:
            if len(said.words & statement.words) < _OF_SAID * len(said.words) or statement.text.endswith("?"):
                continue
            if said.negated or may_be_negated(statement.text):
                yield from passage.clauses(statement)
            else:
                yield Clause(statement.words, negated=False, without=said.without)
