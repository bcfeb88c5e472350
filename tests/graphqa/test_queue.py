"""Many people ask at once."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable

import pytest
from django.contrib.auth.hashers import make_password
from django.db import OperationalError, connection

from brain import bootstrap
from brain.backends.events.memory import MemoryEventLog
from brain.backends.llm.scripted import ScriptedLLM
from brain.errors import TooManyQuestions
from brain.models import Brain, Conversation, Message, MessageStatus, User
from brain.values import CompletionRequest
from graphqa import asking, tasks, work
from graphqa.ports import Ports
from tests.graphqa.conftest import Library

pytestmark = pytest.mark.django_db
PEOPLE = 200


def _conversations(brain: Brain, count: int) -> list[Conversation]:
    password = make_password(None)
    people = User.objects.bulk_create(User(username=f"p{number}", password=password) for number in range(count))
    return Conversation.objects.bulk_create(Conversation(brain=brain, user=person) for person in people)


def _repeat(request: CompletionRequest) -> str:
    """The code word of the question, as a sentence that the passage holds."""
    word = request.turns[-1].text.rpartition("Code")[2].split()[0]
    return f"Ada Kim was born in Busan [1]. {word}"


def test_each_of_200_people_gets_a_place_and_an_answer_of_their_own(library: Library) -> None:
    events = MemoryEventLog()
    bootstrap.use("BRAIN_EVENTS", events)
    asked = [
        asking.ask(conversation, f"Where was Ada Kim born? Code word-{number}-", scope=None)
        for number, conversation in enumerate(_conversations(library.brain, PEOPLE))
    ]
    assert [asking.place_in_queue(message.pk) for message in asked] == list(range(PEOPLE))
    given = tasks.ports()
    ports = Ports(given.vectors, given.embedder, lambda: ScriptedLLM(_repeat))
    for message in asked:
        assert work.work(message.pk, ports, events)
    for number, message in enumerate(asked):
        message.refresh_from_db()
        assert f"word-{number}-" in message.answer
        told = events.read(asking.channel(message))
        assert [event.data["type"] for event in told][-1] == "done"
        said = "".join(str(event.data.get("text", "")) for event in told)
        assert f"word-{number}-" in said
        assert said.count("word-") == 1


@pytest.mark.django_db(transaction=True)
def test_nothing_of_one_answer_comes_between_the_requests_of_another(english: Library) -> None:
    """The model would read the passages of both twice."""
    events = MemoryEventLog()
    bootstrap.use("BRAIN_EVENTS", events)
    asked = [
        asking.ask(conversation, f"Where was Ada Kim born? Code word-{number}-", scope=None)
        for number, conversation in enumerate(_conversations(english.brain, 3))
    ]
    llm = ScriptedLLM(_repeat)
    given = tasks.ports()
    ports = Ports(given.vectors, given.embedder, lambda: llm)

    def answer(message: Message) -> None:
        with contextlib.closing(connection), connection.execute_wrapper(_until_unlocked):
            work.work(message.pk, ports, events)

    # The last is searched first: its place is that of its asking.
    threads = [threading.Thread(target=answer, args=(message,)) for message in reversed(asked)]
    with llm.turn():
        for thread in threads:
            thread.start()
        _wait(lambda: all(_types(events, message) == ["sources"] for message in asked))
        _wait(lambda: llm.turnstile.chats_waiting == 1 + len(asked))
    for thread in threads:
        thread.join(30)
    words = [request.turns[-1].text.rpartition("Code")[2].split()[0] for request in llm.history]
    assert words == [f"word-{number}-" for number in (0, 0, 1, 1, 2, 2)]


def _until_unlocked(execute: Callable[..., object], *statement: object) -> object:
    """SQLite's database in memory does not wait for other threads as the one in a file does."""
    deadline = time.monotonic() + 30
    while True:
        try:
            return execute(*statement)
        except OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.002)


def _types(events: MemoryEventLog, message: Message) -> list[object]:
    return [event.data["type"] for event in events.read(asking.channel(message))]


def _wait(until: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not until():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_when_the_wait_would_be_of_hours_one_more_is_refused_with_a_sentence(library: Library) -> None:
    first, *others = _conversations(library.brain, asking.WAITING_ALL + 1)
    waiting = [Message(conversation=each, ordinal=0, question="Why?", status=MessageStatus.QUEUED) for each in others]
    Message.objects.bulk_create(waiting)
    with pytest.raises(TooManyQuestions):
        asking.ask(first, "Where was Ada Kim born?", scope=None)
    assert not first.messages.exists()
