"""When the graph that questions walk over is made again."""

from __future__ import annotations

import time

import pytest
from django.db.models import F
from django.utils import timezone

from brain.models import Brain, Source
from graphqa.retrieval import graph_cache
from graphqa.retrieval.graph_cache import Walkable
from tests.graphqa.conftest import Library


def _titles(library: Library, walkable: Walkable | None) -> list[str]:
    assert walkable is not None
    names = {str(source.pk): name for name, source in library.sources.items()}
    return sorted({names[ref.rpartition(":")[0]] for ref in walkable.graph.refs})


def _soon(library: Library) -> Walkable | None:
    """After the patience that a graph of a few milliseconds asks for."""
    kept = graph_cache.of(library.brain.pk)
    time.sleep(10 * kept.seconds if kept else 0)
    return graph_cache.of(library.brain.pk)


@pytest.mark.django_db
def test_a_graph_is_kept_until_the_brain_changes(library: Library) -> None:
    first = graph_cache.of(library.brain.pk)
    assert graph_cache.of(library.brain.pk) is first
    Brain.objects.filter(pk=library.brain.pk).update(revision=F("revision") + 1)
    assert _soon(library) is not first


@pytest.mark.django_db
def test_a_source_in_the_trash_leaves_the_graph(library: Library) -> None:
    assert _titles(library, graph_cache.of(library.brain.pk)) == ["architect.txt", "bridge.txt", "법률.txt"]
    Source.objects.filter(pk=library.sources["bridge.txt"].pk).update(trashed_at=timezone.now())
    assert _titles(library, _soon(library)) == ["architect.txt", "법률.txt"]


@pytest.mark.django_db(transaction=True)
def test_the_first_questions_of_a_large_brain_do_not_wait_for_its_graph(library: Library) -> None:
    assert graph_cache.of(library.brain.pk, wait=0) is None
    until = time.monotonic() + 10
    while (made := graph_cache.of(library.brain.pk, wait=0)) is None and time.monotonic() < until:
        time.sleep(0.01)
    assert _titles(library, made) == ["architect.txt", "bridge.txt", "법률.txt"]


@pytest.mark.django_db
def test_transitions_are_worked_out_once_per_weights(library: Library) -> None:
    walkable = graph_cache.warm(library.brain.pk)
    assert walkable.moves({}) is walkable.moves({})
    assert walkable.moves({}).nodes == walkable.graph.nodes
