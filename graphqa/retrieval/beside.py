"""Files that a question names beside each other: each brings its own best passages, in turn.

Searched together, a long file crowds the others out, and what two leases say in nearly the same words counts as said
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import TypeVar

from graphqa.question.plan import Plan
from graphqa.question.scope import Searched
from graphqa.retrieval.ranking import Evidence
from graphqa.retrieval.search import Retrieved

_Item = TypeVar("_Item")


def one_by_one(plan: Plan, within: Searched) -> list[Searched]:
    """What is searched each for itself: the files named, where there are several, else all of it."""
    named = [source for source in plan.named if source in within.sources]
    if len(named) < 2:
        return [within]
    return [replace(within, sources=frozenset({source}), narrowed=True) for source in named]


def together(each: Sequence[Retrieved]) -> Retrieved:
    """Everything that was found, in turn."""
    if len(each) == 1:
        return each[0]
    return Retrieved(
        tuple(in_turn([one.ranked for one in each])),
        tuple(dict.fromkeys(in_turn([one.entities for one in each]))),
        tuple(dict.fromkeys(in_turn([one.relations for one in each]))),
        max(one.best_cosine for one in each),
        frozenset[str]().union(*(one.by_words for one in each)),
    )


def first_of_each(found: Sequence[Sequence[Evidence]], limit: int) -> list[Evidence]:
    """At most ``limit``, or one of each if there are more."""
    return in_turn(found)[: max(limit, len(found))]


def in_turn(columns: Sequence[Sequence[_Item]]) -> list[_Item]:
    """The first of each, then the second of each."""
    return [each for each in chain.from_iterable(zip_longest(*columns)) if each is not None]
