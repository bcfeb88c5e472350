"""Passages over the whole of a few documents, for a question about all of it: its words find none of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from uuid import UUID

from brain.ledger.state import chunk_ref
from brain.models import Chunk
from graphqa.question.plan import Plan
from graphqa.question.scope import Searched
from graphqa.retrieval.search import Ranked, Retrieved
from graphqa.retrieval.tuning import SPREAD

# Of more documents not even the beginnings fit into a context.
_FEW = 3


def is_spread(plan: Plan, searched: Searched) -> bool:
    return plan.is_of_the_whole and len(searched.sources) <= _FEW


def spread(searched: Searched, limit: int) -> Retrieved:
    """The first passages lie far from each other, so that a context which holds a few of them holds the whole."""
    at: dict[UUID, list[int]] = defaultdict(list)
    rows = Chunk.objects.filter(source__in=[UUID(each) for each in searched.sources]).order_by(
        "source__created_at", "source", "ordinal"
    )
    for source, ordinal in rows.values_list("source_id", "ordinal"):
        at[source].append(ordinal)
    each = [[chunk_ref(source, ordinal) for ordinal in halving(ordinals)] for source, ordinals in at.items()]
    refs = [ref for ref in chain.from_iterable(zip_longest(*each)) if ref][:limit]
    found = tuple(Ranked(ref, 1 / place, {SPREAD: place}, 0.0, None, SPREAD) for place, ref in enumerate(refs, start=1))
    return Retrieved(found, (), (), 0.0)


def halving(places: Sequence[int]) -> Iterator[int]:
    """The beginning, the middle, the middles of both halves, and so on: each once."""
    told: set[int] = set()
    parts = 1
    while len(told) < len(places):
        for part in range(parts):
            place = part * len(places) // parts
            if place not in told:
                told.add(place)
                yield places[place]
        parts *= 2
