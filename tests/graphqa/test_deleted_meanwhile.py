"""What was told of an answer does not outlive what it rests on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from brain import bootstrap
from brain.backends.events.memory import MemoryEventLog
from brain.backends.llm.scripted import ScriptedLLM
from brain.ledger import deletion, quotes
from brain.models import Brain, Conversation, Message, MessageStatus, Source, User
from graphqa import asking, tasks, work
from graphqa.answer.withheld import withheld
from graphqa.ports import Ports
from graphqa.question.scope import Scope
from tests.graphqa.conftest import Library

pytestmark = pytest.mark.django_db(transaction=True)
BORN = "Where was Ada Kim born?"
TWO_SENTENCES = "Ada Kim was born in Busan in 1890. She studied engineering at Seoul University."


class MeanwhileLog(MemoryEventLog):
    """Something is done once, right after the first event of a kind; the worker goes on after ``seconds``."""

    def __init__(self, kind: str, deed: Callable[[], object], seconds: float = 0.0) -> None:
        super().__init__()
        self._kind, self._deed, self._seconds, self.done = kind, deed, seconds, False

    def append(self, channel: str, data: dict[str, Any]) -> str:
        event = super().append(channel, data)
        if data["type"] == self._kind and not self.done:
            self.done = True
            self._deed()
            time.sleep(self._seconds)
        return event


def _work(message: Message, events: MemoryEventLog) -> Message:
    bootstrap.use("BRAIN_EVENTS", events)
    given = tasks.ports()
    llm = ScriptedLLM(lambda request: TWO_SENTENCES if "Busan" in request.turns[-1].text else "No passage says so.")
    assert work.work(message.pk, Ports(given.vectors, given.embedder, lambda: llm), events)
    message.refresh_from_db()
    return message


def _told(events: MemoryEventLog, message: Message) -> list[dict[str, Any]]:
    return [dict(event.data) for event in events.read(asking.channel(message))]


@pytest.mark.parametrize(("kind", "seconds", "anew"), [("sources", 0, True), ("token", 0.6, True), ("token", 0, False)])
def test_a_source_purged_while_an_answer_comes_is_in_no_word_of_it(
    library: Library,
    conversation: Conversation,
    kind: str,
    seconds: float,
    anew: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not anew:
        monkeypatch.setattr("graphqa.look._SECONDS", 3600)
    gone = library.sources["architect.txt"]
    events = MeanwhileLog(kind, lambda: deletion.purge(gone, None), seconds)
    message = _work(asking.ask(conversation, BORN, scope=None), events)
    told = _told(events, message)
    assert events.done
    assert "Busan" not in json.dumps([told, message.answer])
    assert str(gone.pk) not in json.dumps(message.evidence)
    assert told[0] == ({"type": "again"} if anew else {"type": "done", "status": message.status})
    assert told[-1] == {"type": "done", "status": message.status}


def test_an_answer_whose_source_is_put_in_the_trash_with_its_last_word_is_withheld_until_that_is_back(
    library: Library, conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphqa.look._SECONDS", 3600)
    gone = library.sources["architect.txt"]
    message = _work(
        asking.ask(conversation, BORN, scope=None), MeanwhileLog("token", lambda: deletion.trash(gone, None))
    )
    assert "Busan" in message.answer
    assert withheld(conversation.pk).why(message) == "trash"
    gone.refresh_from_db()
    deletion.restore(gone, None)
    assert withheld(conversation.pk).why(message) == ""


def test_an_answer_that_may_repeat_an_earlier_one_is_begun_anew_when_that_ones_source_goes(
    library: Library, conversation: Conversation
) -> None:
    _work(asking.ask(conversation, BORN, scope=None), MemoryEventLog())
    other = Scope((str(library.sources["bridge.txt"].pk),))
    follow_up = asking.ask(conversation, "Who designed the Harbour Bridge?", scope=other)
    events = MeanwhileLog("sources", lambda: deletion.purge(library.sources["architect.txt"], None))
    _work(follow_up, events)
    assert events.done
    assert _told(events, follow_up)[0] == {"type": "again"}


def test_purging_a_source_clears_what_was_told_of_finished_answers(
    library: Library, conversation: Conversation
) -> None:
    events = MemoryEventLog()
    message = _work(asking.ask(conversation, BORN, scope=None), events)
    assert "Busan" in json.dumps(_told(events, message))
    deletion.purge(library.sources["architect.txt"], None)
    assert _told(events, message) == []
    events.append(asking.channel(message), {"type": "token", "text": "Busan"})
    quotes.blank(library.sources["architect.txt"].pk)
    assert _told(events, message) == []


def test_a_stopped_answer_leaves_no_words(library: Library, conversation: Conversation) -> None:
    message = asking.ask(conversation, BORN, scope=None)
    events = MeanwhileLog("token", lambda: asking.stop(message), 0.6)
    _work(message, events)
    assert (message.status, message.evidence) == (MessageStatus.CANCELLED, [])
    assert _told(events, message) == [{"type": "done", "status": "cancelled"}]


def test_a_conversation_deleted_while_an_answer_comes_leaves_no_words(
    library: Library,
    conversation: Conversation,
) -> None:
    message = asking.ask(conversation, BORN, scope=None)
    channel = asking.channel(message)
    events = MeanwhileLog("token", lambda: deletion.delete_conversation(conversation), 0.6)
    bootstrap.use("BRAIN_EVENTS", events)
    given = tasks.ports()
    work.work(message.pk, Ports(given.vectors, given.embedder, lambda: ScriptedLLM([TWO_SENTENCES])), events)
    assert events.done
    assert events.read(channel) == []


@pytest.mark.parametrize("whose", ["brain", "person"])
def test_questions_of_a_purged_brain_or_person_are_stopped_and_forgotten(
    brain: Brain, owner: User, conversation: Conversation, whose: str
) -> None:
    events = MemoryEventLog()
    bootstrap.use("BRAIN_EVENTS", events)
    messages = [
        Message.objects.create(conversation=conversation, ordinal=ordinal, question="Who?", status=status)
        for ordinal, status in enumerate((MessageStatus.ANSWERED, MessageStatus.QUEUED, MessageStatus.RUNNING))
    ]
    for message in messages:
        events.append(asking.channel(message), {"type": "token", "text": "Busan"})
    if whose == "brain":
        deletion.purge_brain(brain, None)
    else:
        deletion.purge_user(owner, None)
    assert [_told(events, message) for message in messages] == [[], [], []]
    rows = Message.objects.order_by("ordinal").values_list("status", "cancel_requested")
    assert list(rows) == [("answered", False), ("cancelled", True), ("running", True)]
    assert not Source.objects.filter(purge_requested_at=None).exists()
