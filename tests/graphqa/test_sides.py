"""What a reader sees of sources that disagree, whatever the model writes of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client
from django.utils import timezone

from brain.backends.events.memory import MemoryEventLog
from brain.backends.llm.scripted import ScriptedLLM
from brain.ledger import deletion, quotes
from brain.models import Conversation, Message, Source, User
from graphqa import asking, tasks, work
from graphqa.answer.page import ShownMessage, shown
from graphqa.answer.withheld import withheld
from graphqa.ports import Ports
from tests.graphqa.conftest import Library

pytestmark = pytest.mark.django_db(transaction=True)

FILES = {
    "policy_2021.txt": "Travel policy. The daily meal allowance is 40 euros. Lunch is at noon.",
    "policy_2024.txt": "Travel policy. The daily meal allowance is 55 euros. Lunch is at one.",
    "draft.txt": "The daily meal allowance shall be 90 euros. This draft has not been approved.",
}
DATES = {
    "policy_2021.txt": date(2021, 3, 1),
    "policy_2024.txt": date(2024, 5, 15),
    "draft.txt": date(2024, 6, 2),
}
SAID = {
    "draft.txt": "The daily meal allowance shall be 90 euros.",
    "policy_2024.txt": "The daily meal allowance is 55 euros.",
    "policy_2021.txt": "The daily meal allowance is 40 euros.",
}
ONE_SIDE = "The daily meal allowance shall be 90 euros."


@pytest.fixture
def library(fill: Callable[[dict[str, str]], Library]) -> Library:
    return fill(FILES)


def _asked(conversation: Conversation, reply: str = ONE_SIDE) -> tuple[Message, ScriptedLLM]:
    message = asking.ask(conversation, "What is the daily meal allowance?", scope=None)
    given, llm = tasks.ports(), ScriptedLLM([reply])
    assert work.work(message.pk, Ports(given.vectors, given.embedder, lambda: llm), MemoryEventLog())
    message.refresh_from_db()
    assert message.status == "contradictory"
    return message, llm


def _shown(message: Message) -> ShownMessage:
    return shown(Message.objects.get(pk=message.pk), withheld(message.conversation_id))


def _dated(field: str = "document_date") -> None:
    for place, (title, day) in enumerate(DATES.items()):
        Source.objects.filter(title=title).update(**{field: day if field == "document_date" else place})


def test_each_side_is_quoted_with_its_place_where_the_answer_tells_one(
    library: Library, conversation: Conversation
) -> None:
    message, llm = _asked(conversation)
    assert "[1], [2], [3] disagree" in llm.history[-1].turns[-1].text
    page = _shown(message)
    assert {side.title: side.quote.text for side in page.sides} == SAID
    for side in page.sides:
        start = FILES[side.title].index(SAID[side.title])
        assert f"start={start}&end={start + len(SAID[side.title])}" in side.quote.url
    assert not page.one_goes_first
    assert [each.title for each in page.listed] == ["draft.txt"]
    assert "euros" not in str(message.details)


@pytest.mark.parametrize(
    ("field", "why", "told"),
    [
        ("document_date", "newer than", "it is newer"),
        ("authority", "more authoritative than", "it is more authoritative"),
    ],
)
def test_the_side_that_goes_first_says_why(
    library: Library, conversation: Conversation, field: str, why: str, told: str
) -> None:
    _dated(field)
    page = _shown(_asked(conversation)[0])
    assert [side.title for side in page.sides] == list(SAID)
    assert set(page.sides[0].why.removeprefix(f"{why} ").split(", ")) == {"policy_2024.txt", "policy_2021.txt"}
    assert [side.why for side in page.sides[1:]] == [f"{why} policy_2021.txt", ""]
    line = next(line.text for line in page.explained if line.name == "Contradictions")
    assert f"draft.txt goes before policy_2021.txt: {told}" in line


def test_the_page_shows_the_sides(library: Library, conversation: Conversation, owner: User, client: Client) -> None:
    _dated()
    _asked(conversation)
    client.force_login(owner)
    page = client.get(f"/conversations/{conversation.pk}/").content.decode()
    answer = page.split('class="sides"')[1].split("</section>")[0]
    assert [said in answer for said in SAID.values()] == [True, True, True]
    assert "newer than" in answer


def test_an_answer_that_tells_every_side_cites_each_once(library: Library, conversation: Conversation) -> None:
    message, _llm = _asked(conversation, " ".join(SAID.values()))
    assert sorted(message.citations.values_list("quote", flat=True)) == sorted(SAID.values())


def test_an_answer_is_hidden_while_one_side_is_in_the_trash(library: Library, conversation: Conversation) -> None:
    message, _llm = _asked(conversation)
    Source.objects.filter(title="policy_2021.txt").update(trashed_at=timezone.now())
    page = _shown(message)
    assert (page.withheld, page.sides, page.citations, page.blocks) == ("trash", [], [], [])
    Source.objects.update(trashed_at=None)
    assert len(_shown(message).sides) == 3


def test_a_deletion_takes_its_side_out(library: Library, conversation: Conversation) -> None:
    message, _llm = _asked(conversation)
    gone = library.sources["policy_2021.txt"]
    deletion.purge(gone, None)
    quotes.blank(gone.pk)
    page = _shown(message)
    told = {quote.text for each in page.listed for quote in each.quotes}
    assert told == {"", SAID["draft.txt"], SAID["policy_2024.txt"]}
    assert SAID["policy_2021.txt"] not in str(list(message.citations.values()))
