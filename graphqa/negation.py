"""Whether a sentence says "not" of what the passages say, or the other way round.

Clause by clause, where an answer's and a passage's share nearly all their words: "the tenant may keep dogs" against
"the tenant must not keep dogs". Other words for the opposite are left to ``graphqa.meaning``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphqa.clauses import Clause, clauses, may_be_negated
from graphqa.passages import Passage

# Shares of the words of the answer's clause, and of the passage's, that both must have; and the fewest words.
_OF_SAID, _OF_TOLD, _FEWEST = 0.8, 0.6, 2


def negated_otherwise(said: str, passages: Sequence[Passage]) -> bool:
    """Whether the passages say a clause of ``said`` only with a negation more or less."""
    if not may_be_negated(said) and not any(may_be_negated(each.text) for each in passages):
        return False
    return any(_otherwise(clause, passages) for clause in clauses(said) if len(clause.words) >= _FEWEST)


def _otherwise(said: Clause, passages: Sequence[Passage]) -> bool:
    least = _OF_SAID * len(said.words)
    told = [each for each in _near(said, passages, least) if len(said.words & each.words) >= least]
    like = [each for each in told if each.negated != said.negated]
    other = [each for each in like if len(said.words & each.words) >= _OF_TOLD * len(each.words)]
    most = max((len(said.words & each.words) for each in other), default=0)
    return most > max((len(said.words & each.words) for each in told if each.negated == said.negated), default=0)


def _near(said: Clause, passages: Sequence[Passage], least: float) -> Iterator[Clause]:
    """The clauses of statements that have its words; what asks tells nothing. Most statements need not be read."""
    for passage in passages:
        for statement in passage.statements:
            if len(said.words & statement.words) < least or statement.text.endswith("?"):
                continue
            if said.negated or may_be_negated(statement.text):
                yield from passage.clauses(statement)
            else:
                yield Clause(statement.words, negated=False)
