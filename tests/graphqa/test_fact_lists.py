"""Passages found by what the model extracted from them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from brain.ledger import indexes
from brain.models import Brain, Source
from graphqa.question.plan import make_plan
from graphqa.question.scope import Scope, searched
from graphqa.retrieval.search import retrieve
from graphqa.retrieval.tuning import ENTITIES, RELATIONS

ADA = "Ada is a person. Ada visits"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_facts")]


@pytest.fixture
def sources(upload: Callable[..., Source], drain: Callable[[], None]) -> list[Source]:
    """Six that name Ada, one that does not."""
    made = [upload(f"Ada (person) visits Hall{n} (place).", f"{n}.txt") for n in range(6)]
    made.append(upload("Mill (organization) employs Bo (person).", "mill.txt"))
    drain()
    return made


def _titles(brain: Brain, question: str, leg: str, scope: Scope | None = None) -> list[str]:
    vectors, embedder = indexes.active(), indexes.active_embedder()
    within = searched(brain.pk, scope)
    found = retrieve(make_plan(question), brain.pk, within, vectors=vectors, embedder=embedder, legs=frozenset({leg}))
    titles = dict(Source.objects.values_list("pk", "title"))
    return [titles[id] for each in found.ranked for id in titles if each.ref.startswith(str(id))]


def test_a_few_of_the_passages_that_name_an_entity_are_found(brain: Brain, sources: list[Source]) -> None:
    found = _titles(brain, ADA, ENTITIES)
    assert len(found) == 5
    assert set(found) < {f"{n}.txt" for n in range(6)}
    assert _titles(brain, "Mill employs Bo.", RELATIONS) == ["mill.txt"]


def test_passages_in_the_trash_or_outside_the_scope_make_room_for_others(brain: Brain, sources: list[Source]) -> None:
    trashed, kept, *_others, mill = sources
    Source.objects.filter(pk=trashed.pk).update(trashed_at=timezone.now())
    assert sorted(_titles(brain, ADA, ENTITIES)) == [f"{n}.txt" for n in range(1, 6)]
    scope = Scope(sources=(str(trashed.pk), str(kept.pk), str(mill.pk)))
    assert _titles(brain, ADA, ENTITIES, scope) == ["1.txt"]
