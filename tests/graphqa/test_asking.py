"""A question is a row: asked, claimed, answered, put back, stopped."""

from __future__ import annotations

from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError
from django.utils import timezone
from django.utils.translation import override

from brain import bootstrap
from brain.backends.events.memory import MemoryEventLog
from brain.backends.llm.scripted import ScriptedLLM
from brain.errors import ModelMissing, QuestionRefused, ServiceRejected, ServiceUnavailable
from brain.ledger import leases
from brain.models import Conversation, Message, MessageStatus, Source
from graphqa import asking, tasks, work
from graphqa.ports import Ports
from graphqa.question.plan import Exchange
from tests.graphqa.conftest import Library

pytestmark = pytest.mark.usefixtures("library")
BORN = "Where was Ada Kim born?"
_BUSY = "The model server at %(server)s is busy or starting (status %(status)s)."


def _ports(llm: ScriptedLLM) -> Ports:
    given = tasks.ports()
    return Ports(given.vectors, given.embedder, lambda: llm)


def _told(events: MemoryEventLog, message: Message) -> list[str]:
    return [str(event.data["type"]) for event in events.read(asking.channel(message))]


@pytest.mark.parametrize("question", ["", "   ", "\u3164", "?!", "x" * 20_000])
def test_a_blank_or_endless_question_is_refused_with_a_sentence(conversation: Conversation, question: str) -> None:
    with pytest.raises(QuestionRefused) as refused:
        asking.ask(conversation, question, scope=None)
    assert refused.value.sentence
    assert not Message.objects.exists()


def test_an_answer_is_told_as_it_comes_and_kept(conversation: Conversation) -> None:
    message = asking.ask(conversation, BORN, scope=None)
    events = MemoryEventLog()
    assert work.work(message.pk, _ports(ScriptedLLM(["Ada Kim was born in Busan."])), events)
    message.refresh_from_db()
    assert (message.status, message.lease_owner, message.tries) == (MessageStatus.ANSWERED, "", 1)
    assert [each.title for each in message.citations.all()] == ["architect.txt"]
    assert all("text" not in item for item in message.evidence)
    told = _told(events, message)
    assert told[:2] == ["sources", "reading"]
    assert told[-1] == "done"
    assert set(told[2:-1]) == {"token"}


def test_an_answered_message_is_not_answered_again(conversation: Conversation) -> None:
    message = asking.ask(conversation, BORN, scope=None)
    llm = ScriptedLLM(["Ada Kim was born in Busan."])
    assert work.work(message.pk, _ports(llm), MemoryEventLog())
    assert not work.work(message.pk, _ports(llm), MemoryEventLog())
    assert [bool(request.options) for request in llm.history] == [True, False]


@pytest.mark.parametrize("error", [ModelMissing(), ServiceUnavailable()])
def test_a_question_waits_for_a_model_that_is_away(conversation: Conversation, error: ServiceUnavailable) -> None:
    message = asking.ask(conversation, BORN, scope=None)
    events = MemoryEventLog()
    assert not work.work(message.pk, _ports(ScriptedLLM([error])), events)
    message.refresh_from_db()
    assert (message.status, message.tries, message.error_code) == (MessageStatus.QUEUED, 0, error.code)
    assert message.error
    assert _told(events, message) == ["sources", "reading"]
    Message.objects.update(lease_until=None)
    assert work.work(message.pk, _ports(ScriptedLLM(["Ada Kim was born in Busan."])), events)
    message.refresh_from_db()
    assert (message.status, message.error) == (MessageStatus.ANSWERED, "")


def test_what_a_question_waits_for_is_said_in_the_readers_language(conversation: Conversation) -> None:
    message = asking.ask(conversation, BORN, scope=None)
    busy = ServiceUnavailable(_BUSY, server="models:8080", status=503)
    assert not work.work(message.pk, _ports(ScriptedLLM([busy])), MemoryEventLog())
    message.refresh_from_db()
    assert (message.error, message.error_params) == (_BUSY, {"server": "models:8080", "status": 503})
    with override("ko"):
        assert "models:8080" in message.error_sentence
        assert message.error_sentence != busy.notice.english


def test_waiting_ends_with_a_sentence(conversation: Conversation) -> None:
    message = asking.ask(conversation, BORN, scope=None)
    Message.objects.update(created_at=timezone.now() - timedelta(hours=1))
    assert work.work(message.pk, _ports(ScriptedLLM([ServiceUnavailable()])), MemoryEventLog())
    message.refresh_from_db()
    assert (message.status, message.answer) == (MessageStatus.FAILED, "")
    assert message.error == ServiceUnavailable.default


def test_a_refused_request_fails_at_once(conversation: Conversation) -> None:
    message = asking.ask(conversation, BORN, scope=None)
    assert work.work(message.pk, _ports(ScriptedLLM([ServiceRejected()])), MemoryEventLog())
    message.refresh_from_db()
    assert message.status == MessageStatus.FAILED


def test_a_waiting_question_is_stopped_at_once(conversation: Conversation) -> None:
    message = asking.ask(conversation, BORN, scope=None)
    asking.stop(message)
    assert not work.work(message.pk, _ports(ScriptedLLM([])), MemoryEventLog())
    message.refresh_from_db()
    assert message.status == MessageStatus.CANCELLED


def test_what_broke_off_too_often_ends_with_a_reason(conversation: Conversation) -> None:
    message = asking.ask(conversation, BORN, scope=None)
    past = timezone.now() - timedelta(minutes=5)
    Message.objects.update(status=MessageStatus.RUNNING, tries=settings.MAX_TRIES, lease_owner="gone", lease_until=past)
    events = MemoryEventLog()
    work.requeue_stale(events)
    message.refresh_from_db()
    assert (message.status, message.error) == (MessageStatus.FAILED, work.KILLED)
    assert _told(events, message) == ["done"]


def test_a_killed_worker_is_taken_over_from(conversation: Conversation) -> None:
    message = asking.ask(conversation, BORN, scope=None)
    past = timezone.now() - timedelta(minutes=5)
    Message.objects.update(status=MessageStatus.RUNNING, tries=1, lease_owner="gone", lease_until=past)
    events = MemoryEventLog()
    events.append(asking.channel(message), {"type": "token", "text": "half an ans"})
    assert work.work(message.pk, _ports(ScriptedLLM(["Ada Kim was born in Busan."])), events)
    said = [event.data["text"] for event in events.read(asking.channel(message)) if event.data["type"] == "token"]
    assert "".join(said) == "Ada Kim was born in Busan."


def test_a_held_message_is_left_alone(conversation: Conversation) -> None:
    message = asking.ask(conversation, BORN, scope=None)
    until = timezone.now() + timedelta(minutes=5)
    Message.objects.update(status=MessageStatus.RUNNING, tries=1, lease_owner="other", lease_until=until)
    assert not work.work(message.pk, _ports(ScriptedLLM([])), MemoryEventLog())


def test_one_person_cannot_fill_the_queue(conversation: Conversation) -> None:
    for _time in range(asking.WAITING_EACH):
        asking.ask(conversation, BORN, scope=None)
    with pytest.raises(QuestionRefused):
        asking.ask(conversation, BORN, scope=None)


def test_history_leaves_out_what_a_deleted_source_said(conversation: Conversation, library: Library) -> None:
    first = asking.ask(conversation, BORN, scope=None)
    work.work(first.pk, _ports(ScriptedLLM(["Ada Kim was born in Busan."])), MemoryEventLog())
    second = asking.ask(conversation, "When?", scope=None)
    assert [each.answer for each in work.history_of(second)] != [""]
    Source.objects.filter(pk=library.sources["architect.txt"].pk).update(trashed_at=timezone.now())
    assert [each.answer for each in work.history_of(second)] == [""]


def test_history_has_no_words_of_an_answer_that_is_hidden(conversation: Conversation, library: Library) -> None:
    first, second, third = (asking.ask(conversation, each, scope=None) for each in (BORN, "When?", "Why?"))
    work.work(first.pk, _ports(ScriptedLLM(["Ada Kim was born in Busan."])), MemoryEventLog())
    Message.objects.filter(pk=second.pk).update(
        status=MessageStatus.ANSWERED, answer="In May.", standalone="When was Ada Kim born in Busan?"
    )
    assert [each.question for each in work.history_of(third)] == [BORN, "When was Ada Kim born in Busan?"]
    Source.objects.filter(pk=library.sources["architect.txt"].pk).update(trashed_at=timezone.now())
    assert work.history_of(third) == [Exchange(BORN, ""), Exchange("When?", "In May.")]


def test_a_conversation_of_thirty_two_turns_stays_inside_a_small_context(conversation: Conversation) -> None:
    llm = ScriptedLLM(lambda _request: "Ada Kim was born in Busan in 1890. " * 8, context_tokens=1024)
    statuses = []
    for turn in range(32):
        question = BORN if turn % 4 == 0 else "When was she born there?"
        message = asking.ask(conversation, question, scope=None)
        work.work(message.pk, _ports(llm), MemoryEventLog())
        message.refresh_from_db()
        statuses.append(message.status)
    assert statuses == [MessageStatus.ANSWERED] * 32
    sizes = [sum(llm.count_tokens(turn.text) for turn in each.turns) + each.max_tokens for each in llm.history]
    assert max(sizes) <= 1024


def test_the_terminal_asks_without_a_web_server(library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    bootstrap.use("BRAIN_LLM", ScriptedLLM(["Ada Kim was born in Busan."]))
    said = call_command("ask", library.brain.name, BORN, explain=True)
    assert said.splitlines()[0].startswith("Ada Kim was born in Busan [")
    assert "architect.txt" in said
    assert '"verdict"' in capsys.readouterr().out


def test_a_question_at_work_when_the_database_went_away_is_free_when_it_is_back(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = asking.ask(conversation, BORN, scope=None)
    llm = ScriptedLLM(["Ada Kim was born in Busan."])
    with monkeypatch.context() as gone:
        gone.setattr(work, "answer", Mock(side_effect=OperationalError("the connection was lost")))
        with pytest.raises(OperationalError):
            work.work(message.pk, _ports(llm), MemoryEventLog())
    assert not work.work(message.pk, _ports(llm), MemoryEventLog())
    leases.free_owed()
    assert work.work(message.pk, _ports(llm), MemoryEventLog())
    message.refresh_from_db()
    assert (message.status, message.tries) == (MessageStatus.ANSWERED, 2)
