from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from pytest_django.fixtures import Settings

from brain.audit import DEEDS, note
from brain.models import Brain, User
from tests.web.world import CANARY, make_world


@pytest.mark.django_db
def test_a_load_balancer_gets_one_word(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")


def test_an_administrator_sees_services_queues_and_deeds_but_no_contents(
    as_administrator: Client, brain: Brain, owner: User
) -> None:
    make_world(brain, owner)
    page = as_administrator.get("/health/").content.decode()
    for expected in ("everything answers", "sqlite", "Files to read", "free of", "Last export"):
        assert expected in page
    assert CANARY not in page


def test_deeds_are_said_in_the_reader_s_language(as_administrator: Client, administrator: User) -> None:
    note(administrator, "brain_create")
    assert "<td>made a brain</td>" in as_administrator.get("/health/").content.decode()
    as_administrator.post("/language/", {"language": "ko"})
    assert "<td>브레인 생성</td>" in as_administrator.get("/health/").content.decode()


def test_every_deed_that_is_logged_has_words() -> None:
    """A name that is no literal is looked for by its assignment (``_FAILED``) or its caller (``_audit``)."""
    logged = re.compile(r'(?:\bnote\(|_audit\(|Audit\.objects\.create\()(?:[^()"]*?)"([a-z_ ]+)"')
    found = {
        action
        for package in ("brain", "ingestion", "graphqa")
        for path in Path(settings.BASE_DIR, package).rglob("*.py")
        for action in logged.findall(path.read_text(encoding="utf-8"))
    }
    assert found | {"person_off", "login_failed"} == set(DEEDS)


@pytest.mark.parametrize(
    ("token", "given", "status"), [("", "", 404), ("", "Bearer ", 404), ("k", "Bearer x", 404), ("k", "Bearer k", 200)]
)
def test_monitoring_reads_figures_with_its_token_only(
    client: Client, db: None, settings: Settings, token: str, given: str, status: int
) -> None:
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", headers={"authorization": given}).status_code == status


def test_an_administrator_reads_figures_and_others_do_not(as_administrator: Client, as_owner: Client) -> None:
    assert b"brain_service_up" in as_administrator.get("/metrics").content
    assert as_owner.get("/metrics").status_code == 404


@pytest.mark.parametrize(("size", "told"), [(1, False), (2**50, True)])
def test_how_long_the_room_lasts_is_told_only_where_it_matters(
    as_administrator: Client, brain: Brain, size: int, told: bool
) -> None:
    brain.sources.create(title="a", media_type="text/plain", sha256="0" * 64, size=size)
    page = as_administrator.get("/health/").content.decode()
    assert ("Days left, as uploads go now" in page) is told
