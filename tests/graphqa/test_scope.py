"""Asking a part of a brain."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import timezone

from brain.ledger import indexes
from brain.models import Source
from graphqa.question.plan import make_plan
from graphqa.question.scope import Scope, searched
from graphqa.retrieval.search import retrieve
from tests.graphqa.conftest import Library

pytestmark = pytest.mark.django_db


@pytest.fixture
def dated(library: Library) -> Library:
    """A bridge of 2020, an architect without a date, a law that was spoken in 2024."""
    _change(library, "bridge.txt", document_date=date(2020, 5, 1))
    _change(library, "법률.txt", document_date=date(2024, 1, 31), media_type="audio/mpeg")
    return library


def _change(library: Library, name: str, **fields: object) -> None:
    Source.objects.filter(pk=library.sources[name].pk).update(**fields)


def _within(library: Library, scope: Scope | None) -> list[str]:
    names = {str(source.pk): name for name, source in library.sources.items()}
    return sorted(names[each] for each in searched(library.brain.pk, scope).sources)


def _found(library: Library, question: str, scope: Scope) -> set[str]:
    names = {str(source.pk): name for name, source in library.sources.items()}
    within = searched(library.brain.pk, scope)
    vectors, embedder = indexes.active(), indexes.active_embedder()
    found = retrieve(make_plan(question), library.brain.pk, within, vectors=vectors, embedder=embedder)
    return {names[each.ref.rpartition(":")[0]] for each in found.ranked}


@pytest.mark.parametrize(
    ("scope", "names"),
    [
        (None, ["architect.txt", "bridge.txt", "법률.txt"]),
        (Scope(), ["architect.txt", "bridge.txt", "법률.txt"]),
        (Scope(kinds=("audio/", "video/")), ["법률.txt"]),
        (Scope(since=date(2020, 5, 1)), ["bridge.txt", "법률.txt"]),
        (Scope(until=date(2020, 5, 1)), ["bridge.txt"]),
        (Scope(since=date(2021, 1, 1), until=date(2023, 1, 1)), []),
        (Scope(kinds=("text/",), since=date(2020, 1, 1)), ["bridge.txt"]),
    ],
)
def test_a_scope_narrows_by_kind_and_by_the_documents_own_dates(
    dated: Library, scope: Scope | None, names: list[str]
) -> None:
    assert _within(dated, scope) == names


def test_nothing_outside_the_scope_is_found_even_by_the_walk(library: Library) -> None:
    question = "Where was the designer of the Harbour Bridge born?"
    assert _found(library, question, Scope()) >= {"bridge.txt", "architect.txt"}
    assert _found(library, question, Scope(sources=(str(library.sources["bridge.txt"].pk),))) == {"bridge.txt"}


def test_a_scope_of_sources_leaves_the_trash_out(library: Library) -> None:
    scope = Scope(sources=tuple(str(source.pk) for source in library.sources.values()))
    _change(library, "architect.txt", trashed_at=timezone.now())
    assert _within(library, scope) == ["bridge.txt", "법률.txt"]


def test_a_scope_is_kept_with_the_question_as_it_was() -> None:
    scope = Scope(("a", "b"), ("audio/",), date(2020, 5, 1), None)
    kept = scope.as_json()
    assert kept == {"sources": ["a", "b"], "kinds": ["audio/"], "since": "2020-05-01"}
    assert Scope.from_json(kept) == scope
    assert Scope.from_json({}) == Scope()
