"""Asking, BR-31, and what an answer shows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test import Client
from django.utils import timezone

from brain import bootstrap
from brain.backends.events.memory import MemoryEventLog
from brain.errors import ServiceUnavailable
from brain.models import Brain, Citation, Conversation, Feedback, Message, Source, User
from brain.values import Event
from graphqa.asking import WAITING_EACH, channel
from graphqa.views.stream import _events
from tests.web.conftest import logged_in
from tests.web.world import World, make_world


@pytest.fixture
def world(brain: Brain, owner: User) -> World:
    return make_world(brain, owner)


@pytest.fixture(autouse=True)
def _fresh_ports() -> Iterator[None]:
    yield
    bootstrap.close_all()


def test_a_question_starts_a_conversation_and_waits(as_owner: Client, brain: Brain, owner: User) -> None:
    response = as_owner.post(f"/brains/{brain.id}/ask/", {"question": "Who signed?\n"})
    message = Message.objects.get()
    place = f"/conversations/{message.conversation_id}/#m-{message.id}"
    assert (response.status_code, response.headers["Location"]) == (302, place)
    assert (message.question, message.status, message.conversation.title) == ("Who signed?", "queued", "Who signed?")
    assert (message.conversation.user, message.conversation.brain) == (owner, brain)
    page = as_owner.get(place.split("#")[0]).content.decode()
    assert f'data-stream="/messages/{message.id}/stream/"' in page


def test_a_follow_up_joins_the_conversation(as_owner: Client, world: World) -> None:
    as_owner.post(f"/conversations/{world.conversation.id}/", {"question": "And when?"})
    assert list(world.conversation.messages.values_list("question", flat=True))[-1] == "And when?"


@pytest.mark.parametrize("question", ["", "   ", "\u3164", "\u200b\n", "x" * 20_000])
def test_a_blank_or_endless_question_is_refused_with_a_sentence(as_owner: Client, brain: Brain, question: str) -> None:
    response = as_owner.post(f"/brains/{brain.id}/ask/", {"question": question})
    assert response.status_code == 400
    assert 'id="refused"><p>The question' in response.content.decode()
    assert not Conversation.objects.exists()


def test_too_many_open_questions_are_put_off(as_owner: Client, brain: Brain) -> None:
    for n in range(WAITING_EACH):
        assert as_owner.post(f"/brains/{brain.id}/ask/", {"question": f"Question {n}"}).status_code == 302
    response = as_owner.post(f"/brains/{brain.id}/ask/", {"question": "One more"})
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")


def test_only_sources_of_this_brain_narrow_a_question(as_owner: Client, world: World) -> None:
    scope = {
        "source": [str(world.source.id), str(uuid4()), "x"],
        "kind": "recordings",
        "since": "2024-01-31",
        "until": "?",
    }
    as_owner.post(f"/brains/{world.brain.id}/ask/", {"question": "When?"} | scope)
    message = Message.objects.get(question="When?")
    assert message.scope == {"sources": [str(world.source.id)], "kinds": ["audio/", "video/"], "since": "2024-01-31"}


def test_a_follow_up_is_asked_where_the_question_before_was(as_owner: Client, world: World) -> None:
    fields = {"media_type": "text/plain", "sha256": "b" * 64, "size": 1, "state": "done"}
    Source.objects.create(brain=world.brain, title="Another", searchable_at=timezone.now(), **fields)
    scope = {"source": str(world.source.id), "kind": "documents", "since": "2024-01-31", "until": ""}
    page = as_owner.post(f"/brains/{world.brain.id}/ask/", {"question": "When?"} | scope, follow=True).content.decode()
    assert re.findall(r'value="([^"]+)" selected', page) == [str(world.source.id), "documents"]
    assert re.findall(r'type="date" value="([^"]*)"', page) == ["2024-01-31", ""]
    assert '<details class="scope" open>' in page
    assert " selected" not in as_owner.get(f"/brains/{world.brain.id}/ask/").content.decode()


def test_an_answer_shows_its_status_its_sources_and_how_it_came_about(as_owner: Client, world: World) -> None:
    page = as_owner.get(f"/conversations/{world.conversation.id}/").content.decode()
    url = f"/sources/{world.source.id}/?chunk=0&amp;start=5&amp;end=20#cited"
    for expected in ("answered", "Confidence: high", url, "How this was answered", f"?message={world.message.id}"):
        assert expected in page


def test_a_sentence_without_a_holding_source_is_marked(as_owner: Client, world: World) -> None:
    Message.objects.filter(pk=world.message.pk).update(
        status="partially_supported", answer="Han signed it [1]. Everybody was happy."
    )
    page = as_owner.get(f"/conversations/{world.conversation.id}/").content.decode()
    assert ">Everybody was happy.</span>" in page
    assert ">Han signed it</span>" not in page


def test_no_answer_says_what_nothing_was_found_about(as_owner: Client, world: World) -> None:
    Message.objects.filter(pk=world.message.pk).update(
        status="insufficient_context", answer="", details={"gap": ["founder", "1972"]}
    )
    page = as_owner.get(f"/conversations/{world.conversation.id}/").content.decode()
    assert "Your documents do not hold an answer to this." in page
    assert "Nothing was found about: founder, 1972." in page


def test_no_answer_still_shows_the_nearest_passages(as_owner: Client, world: World) -> None:
    nearest = [{"ref": f"{world.source.id}:0", "page": 7, "reason": "words", "score": 1.0}]
    Message.objects.filter(pk=world.message.pk).update(
        status="insufficient_context", answer="", evidence=nearest, details={"about": ["Han"], "gap": ["salary"]}
    )
    page = as_owner.get(f"/conversations/{world.conversation.id}/").content.decode()
    assert "The documents speak of Han, but nothing in them was found about salary." in page
    shown = page.split("The nearest passages:")[1].split("</ul>")[0]
    assert (f"/sources/{world.source.id}/?chunk=0" in shown, "page 7" in shown) == (True, True)


def test_a_citation_of_a_purged_source_shows_nothing_of_it(as_owner: Client, world: World) -> None:
    Citation.objects.filter(message=world.message).update(source=None, chunk=None, quote="", title="")
    page = as_owner.get(f"/conversations/{world.conversation.id}/").content.decode()
    assert "a source that was deleted" in page
    assert f"/sources/{world.source.id}/" not in page.split('class="citations"')[1].split("</ol>")[0]


def test_a_number_shows_each_of_its_quotes_with_its_place(as_owner: Client, world: World) -> None:
    Citation.objects.create(
        message=world.message,
        number=1,
        chunk=world.chunk,
        source=world.source,
        title=world.source.title,
        page=2,
        quote="Han signed it.",
        start=60,
        end=74,
    )
    page = as_owner.get(f"/conversations/{world.conversation.id}/").content.decode()
    shown = page.split('class="citations"')[1].split("</ol>")[0]
    assert (shown.count("<li"), shown.count("<blockquote>")) == (1, 2)
    assert [shown.count(said) for said in ("page 1<", "page 2<", "start=5&amp;end=20", "start=60&amp;end=74")] == [
        1
    ] * 4


def test_what_is_left_of_several_quotes_of_a_deleted_source_is_said_once(as_owner: Client, world: World) -> None:
    for _time in range(2):
        Citation.objects.create(message=world.message, number=1)
    Citation.objects.filter(message=world.message).update(
        source=None, chunk=None, quote="", title="", page=None, start=None, end=None
    )
    page = as_owner.get(f"/conversations/{world.conversation.id}/").content.decode()
    assert page.count("a source that was deleted") == 1


def test_stopping_a_waiting_question_ends_it(as_owner: Client, brain: Brain) -> None:
    as_owner.post(f"/brains/{brain.id}/ask/", {"question": "Who?"})
    message = Message.objects.get()
    assert as_owner.post(f"/messages/{message.id}/stop/", headers={"hx-request": "true"}).status_code == 200
    message.refresh_from_db()
    assert message.status == "cancelled"


def test_a_second_word_of_feedback_replaces_the_first(as_owner: Client, world: World) -> None:
    as_owner.post(f"/messages/{world.message.id}/feedback/", {"helpful": "yes"})
    as_owner.post(f"/messages/{world.message.id}/feedback/", {"helpful": "no", "note": "wrong page"})
    assert list(Feedback.objects.values_list("helpful", "note")) == [(False, "wrong page")]


def test_a_deleted_conversation_is_gone(as_owner: Client, world: World) -> None:
    as_owner.post(f"/conversations/{world.conversation.id}/delete/")
    assert not Message.objects.exists()


def test_an_empty_brain_suggests_to_add_something(as_owner: Client, brain: Brain) -> None:
    assert "Add a document or a recording first." in as_owner.get(f"/brains/{brain.id}/ask/").content.decode()


# --- the stream ----------------------------------------------------------------------------------------------


def told(message: Message, after: str = "") -> list[tuple[str, dict[str, object]]]:
    """The events of a stream until it ends, as (id, data)."""

    async def read() -> list[bytes]:
        return [part async for part in _events(message.id, after, "en")]

    found = []
    for part in async_to_sync(read)():
        lines = part.decode().splitlines()
        data = [line[6:] for line in lines if line.startswith("data: ")]
        ids = [line[4:] for line in lines if line.startswith("id: ")]
        if data:
            found.append((ids[0] if ids else "", json.loads(data[0])))
    return found


def on_its_way(brain: Brain, owner: User) -> Message:
    message = make_world(brain, owner).message
    Message.objects.filter(pk=message.pk).update(status="running")
    return message


@pytest.mark.django_db(transaction=True)
def test_a_stream_replays_everything_or_what_came_after(owner: User, brain: Brain) -> None:
    message = on_its_way(brain, owner)
    log = bootstrap.event_log()
    events = [
        {"type": "reading"},
        {"type": "token", "text": "<b>가"},
        {"type": "done", "status": "answered"},
    ]
    for event in events:
        log.append(channel(message), event)
    whole = told(message)
    assert [data for _id, data in whole] == events
    assert [data for _id, data in told(message, after=whole[0][0])] == events[1:]


@pytest.mark.django_db(transaction=True)
def test_a_question_that_waits_is_told_its_place_until_the_model_reads(owner: User, brain: Brain) -> None:
    first = on_its_way(brain, owner)
    waiting = Message.objects.create(conversation=first.conversation, ordinal=7, question="Who?", status="running")
    log = bootstrap.event_log()
    sources: dict[str, object] = {"type": "sources", "sources": []}
    log.append(channel(waiting), sources)
    log.append(channel(waiting), {"type": "done", "status": "answered"})
    assert [data for _id, data in told(waiting)][:2] == [{"type": "queue", "position": 1}, sources]


@pytest.mark.django_db(transaction=True)
def test_a_stream_whose_log_was_lost_ends_with_the_row(owner: User, brain: Brain) -> None:
    message = make_world(brain, owner).message
    assert [data for _id, data in told(message)] == [{"type": "done", "status": "answered"}]


@pytest.mark.django_db(transaction=True)
def test_of_a_finished_answer_the_log_is_not_told(owner: User, brain: Brain) -> None:
    message = make_world(brain, owner).message
    bootstrap.event_log().append(channel(message), {"type": "token", "text": "deleted since"})
    assert told(message) == [("", {"type": "done", "status": "answered"})]


class LosingLog(MemoryEventLog):
    """Says a word at every look; the person loses access after the first."""

    def __init__(self, lose: Callable[[], object]) -> None:
        super().__init__()
        self._lose: Callable[[], object] | None = lose

    def read(self, channel: str, *, after: str = "", wait_seconds: float = 0.0) -> list[Event]:
        self.append(channel, {"type": "token", "text": "word"})
        found = super().read(channel, after=after, wait_seconds=wait_seconds)
        if self._lose is not None:
            self._lose()
            self._lose = None
            connection.close()
        return found


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("lost", ["membership", "account", "brain"])
def test_an_open_stream_ends_when_the_person_loses_access(owner: User, brain: Brain, lost: str) -> None:
    message = on_its_way(brain, owner)
    lose: dict[str, Callable[[], object]] = {
        "membership": brain.memberships.filter(user=owner).delete,
        "account": lambda: User.objects.filter(pk=owner.pk).update(is_active=False),
        "brain": lambda: Brain.objects.filter(pk=brain.pk).update(deleted_at=timezone.now()),
    }
    bootstrap.use("BRAIN_EVENTS", LosingLog(lose[lost]))
    assert {data["type"] for _id, data in told(message)} == {"token"}


class AwayLog(MemoryEventLog):
    def read(self, channel: str, *, after: str = "", wait_seconds: float = 0.0) -> list[Event]:
        raise ServiceUnavailable


@pytest.mark.django_db(transaction=True)
def test_a_stream_whose_log_is_away_ends_with_the_row(owner: User, brain: Brain) -> None:
    bootstrap.use("BRAIN_EVENTS", AwayLog())
    message = make_world(brain, owner).message
    assert [data for _id, data in told(message)] == [{"type": "done", "status": "answered"}]


def test_a_stream_is_not_kept_and_not_gathered_by_proxies(as_owner: Client, world: World) -> None:
    response = as_owner.get(f"/messages/{world.message.id}/stream/")
    assert response.headers["Content-Type"] == "text/event-stream"
    assert (response.headers["Cache-Control"], response.headers["X-Accel-Buffering"]) == ("no-store", "no")
    response.close()


def test_what_keeps_a_question_waiting_is_said(owner: User, brain: Brain) -> None:
    conversation = Conversation.objects.create(brain=brain, user=owner)
    Message.objects.create(
        conversation=conversation,
        ordinal=0,
        question="Who?",
        error="A model is not installed yet. Work goes on by itself when it is.",
        created_at=timezone.now(),
    )
    page = logged_in(owner).get(f"/conversations/{conversation.id}/").content.decode()
    assert "A model is not installed yet." in page
