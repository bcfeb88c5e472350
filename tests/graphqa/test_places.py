"""A citation names the page or the second where its quote stands."""

from __future__ import annotations

from itertools import pairwise

import pytest
from pytest_django.fixtures import DjangoAssertNumQueries

from brain.backends.events.memory import MemoryEventLog
from brain.backends.llm.scripted import ScriptedLLM
from brain.models import Chunk, Conversation, Segment
from graphqa import asking, tasks, work
from graphqa.grounding.places import Place, Spot, places
from graphqa.ports import Ports
from tests.graphqa.conftest import Library

BORN = "Where was Ada Kim born?"
STUDIED = "Where did Ada Kim study engineering?"


def _cut(library: Library, title: str, *ends: int, **per_segment: list[float]) -> str:
    """Segments that end at these offsets, a gap of one character between them; the passage has the first's place."""
    source = library.sources[title]
    source.segments.all().delete()
    for n, (start, end) in enumerate(pairwise((-1, *ends))):
        place = {name: values[n] for name, values in per_segment.items()}
        Segment.objects.create(source=source, ordinal=n, start=start + 1, end=end, **place)
    Chunk.objects.filter(source=source).update(**{name: values[0] for name, values in per_segment.items()})
    return str(source.pk)


def _pages(library: Library) -> str:
    text = library.sources["architect.txt"].body.text
    return _cut(library, "architect.txt", text.index(" She"), len(text), page=[6, 7])


@pytest.mark.parametrize(
    ("question", "said", "page"),
    [
        (BORN, "Ada Kim was born in Busan in 1890.", 6),
        (STUDIED, "She studied engineering at Seoul University.", 7),
    ],
)
def test_a_quote_on_the_second_page_of_its_passage_is_cited_there(
    library: Library, conversation: Conversation, question: str, said: str, page: int
) -> None:
    _pages(library)
    answer = library.ask(question, [said])
    assert [(each.quote, each.page, each.second) for each in answer.citations] == [(said, page, None)]
    message = asking.ask(conversation, question, scope=None)
    given = tasks.ports()
    work.work(message.pk, Ports(given.vectors, given.embedder, lambda: ScriptedLLM([said])), MemoryEventLog())
    assert list(message.citations.values_list("quote", "page", "second_from")) == [(said, page, None)]


def test_a_quote_of_a_recording_is_cited_at_its_own_second(library: Library) -> None:
    text = library.sources["architect.txt"].body.text
    _cut(library, "architect.txt", text.index(" She"), len(text), second_from=[1.5, 64.0])
    answer = library.ask(STUDIED, ["She studied engineering at Seoul University."])
    assert [(each.page, each.second) for each in answer.citations] == [(None, 64.0)]


def test_all_quotes_of_an_answer_are_found_with_one_query(
    library: Library, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = _cut(library, "architect.txt", 10, 20, 30, page=[1, 2, 3])
    second = _cut(library, "bridge.txt", 10, 20, page=[8, 9])
    spots = [Spot(first, 0, 25), Spot(second, 0, 15), Spot(first, 0, 10), Spot(first, 11, 12), Spot(second, 40, 50)]
    with django_assert_num_queries(1):
        assert places(spots) == [Place(3, None), Place(9, None), Place(1, None), Place(2, None), None]
