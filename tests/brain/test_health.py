"""Health tells which service is away, what waits and for how long; never a content or a password."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from brain import bootstrap, health, metrics
from brain.backends.llm.scripted import ScriptedLLM
from brain.env import without_password
from brain.models import Audit, Brain, Source
from brain.values import Event
from tests.stubs.openai_server import stub_server

pytestmark = pytest.mark.django_db(transaction=True)


class AwayLog:
    """An event log whose server is away."""

    def read(self, channel: str, *, after: str = "", wait_seconds: float = 0.0) -> list[Event]:
        from brain.errors import ServiceUnavailable

        raise ServiceUnavailable


def test_all_parts_of_an_embedded_installation_answer(brain: Brain, upload: Callable[..., Source]) -> None:
    upload("Canary aardvark.", "canary.txt")
    found = health.report()
    assert [(each.name, each.up) for each in found.services] == [
        ("database", True),
        ("graph", True),
        ("vectors", True),
        ("events", True),
        ("broker", True),
        ("language model", True),
    ]
    assert {each.name: (each.waiting, each.running) for each in found.queues} == {
        "questions": (0, 0),
        "files": (1, 0),
        "graph": (0, 0),
        "deletions": (0, 0),
        "outbox": (0, 0),
    }
    assert found.disk.days_left is not None
    assert found.disk.days_left > 0
    text = metrics.prometheus(found).decode()
    assert 'brain_service_up{service="graph"} 1.0' in text
    assert 'brain_queue_waiting{queue="files"} 1.0' in text
    assert 'brain_rows{kind="source"} 1.0' in text
    assert "aardvark" not in text
    assert "canary" not in text
    del brain


def test_the_oldest_waiting_item_is_named(upload: Callable[..., Source]) -> None:
    old = upload("one", "1.txt")
    upload("two", "2.txt")
    Source.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(hours=2))
    files = {each.name: each for each in health.queues()}["files"]
    assert files.waiting == 2
    assert 7190 < files.oldest_seconds < 7300


def test_a_service_that_is_away_is_said_by_name(db: None) -> None:
    bootstrap.use("BRAIN_EVENTS", AwayLog())
    out = StringIO()
    with pytest.raises(CommandError, match="Not everything answers"):
        call_command("health", stdout=out)
    assert "events          AWAY" in out.getvalue()
    assert "graph           up" in out.getvalue()


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("lama-cpp", "BRAIN_LLM='lama-cpp': expected one of"),
        ("http://127.0.0.1:9/v1", "The model server at 127.0.0.1:9 does not answer."),
        ("http://127.0.0.1:9/v1?key_file=/nowhere/key", "No such file or directory: '/nowhere/key'"),
    ],
)
def test_a_language_model_that_cannot_be_asked_is_away(db: None, settings: Settings, setting: str, said: str) -> None:
    settings.BRAIN_LLM = setting
    found = health.services()[-1]
    assert (found.name, found.up) == ("language model", False)
    assert said in found.problem.english


def test_a_model_server_is_asked_with_its_key_and_for_its_model(db: None, settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("secret")
    with stub_server(ScriptedLLM([])) as server:
        settings.BRAIN_LLM = f"{server.url}?key_file={tmp_path / 'key'}&model=stub-model"
        assert health.services()[-1].up
        settings.BRAIN_LLM = f"{server.url}?model=another"
        assert health.services()[-1].problem.english == "The model server offers no model."


def test_the_command_says_when_all_was_last_verified_and_exported(db: None) -> None:
    call_command("verify", stdout=StringIO())
    Audit.objects.create(action="export")
    out = StringIO()
    call_command("health", stdout=out)
    assert "last verify     0\u00a0minutes" in out.getvalue()
    assert "Everything answers." in out.getvalue()


def test_a_setting_is_shown_without_its_secret() -> None:
    assert without_password("neo4j://neo4j:secret@host:7687/db") == "neo4j://host:7687/db"
    assert without_password("http://host/v1?key_file=/secret") == "http://host/v1"
    assert without_password("edge") == "edge"


def test_metrics_are_for_those_who_know_the_token(client: Client, db: None, settings: Settings) -> None:
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN = "long and secret"
    assert client.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 404
    answer = client.get("/metrics", headers={"Authorization": "Bearer long and secret"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, metrics.CONTENT_TYPE)
    assert b"brain_disk_free_bytes" in answer.content


@pytest.mark.parametrize(("days", "soon"), [(None, False), (12.0, True), (19046.0, False)])
def test_a_disk_that_lasts_for_decades_is_not_counted_in_days(days: float | None, soon: bool) -> None:
    assert health.Disk(1, 2, 0, days).soon_full is soon
