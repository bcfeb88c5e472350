"""S-19, S-29, S-30: forged requests, settings for the open network, and what the log keeps."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from brain.models import Audit, Brain, Source, User
from tests.web.conftest import PASSWORD

CANARY = "quarzlicht"


def test_every_deed_is_logged_with_who_and_what_and_no_contents(
    client: Client, owner: User, reader: User, brain: Brain, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    client.post("/login/", {"username": owner.username, "password": PASSWORD})
    client.post(
        f"/brains/{brain.id}/upload/", {"files": SimpleUploadedFile(f"{CANARY}.txt", f"The {CANARY}.".encode())}
    )
    source = Source.objects.get()
    client.post(f"/brains/{brain.id}/ask/", {"question": f"What is {CANARY}?"})
    client.post(f"/sources/{source.pk}/delete/")
    client.post(f"/sources/{source.pk}/restore/")
    Source.objects.update(state="failed")
    client.post(f"/sources/{source.pk}/retry/")
    client.post(f"/brains/{brain.id}/rename/", {"rename-name": CANARY})
    client.post(f"/brains/{brain.id}/hints/", {"entity_types": CANARY})
    client.post(f"/brains/{brain.id}/members/", {"username": reader.username, "role": "editor"})
    client.post(f"/brains/{brain.id}/members/{reader.pk}/remove/")
    client.post(f"/sources/{source.pk}/purge/")
    client.post(f"/brains/{brain.id}/delete/", {"name": CANARY})
    client.post("/logout/")
    logged = Audit.objects.order_by("id")
    assert [(row.user_id, row.action) for row in logged] == [
        (owner.pk, action)
        for action in (
            "login",
            "upload",
            "trash",
            "restore",
            "retry",
            "brain_rename",
            "brain_hints",
            "member_set",
            "member_remove",
            "purge",
            "purge brain",
            "logout",
        )
    ]
    assert all(row.subject or row.brain or row.action in {"login", "logout"} for row in logged)
    for secret in (CANARY, PASSWORD):
        assert secret not in str(list(logged.values()))
        assert secret not in caplog.text


def test_a_form_from_another_site_is_refused(owner: User, brain: Brain) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    client.get(f"/brains/{brain.id}/settings/")
    token = client.cookies["csrftoken"].value
    form = {"rename-name": "Stolen", "csrfmiddlewaretoken": token}
    refused = client.post(f"/brains/{brain.id}/rename/", form, headers={"origin": "https://evil.example"})
    assert refused.status_code == 403
    assert "This page was open too long" in refused.content.decode()
    assert client.post(f"/brains/{brain.id}/rename/", form, headers={"origin": "http://testserver"}).status_code == 302


def test_the_deployment_check_finds_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=settings.BASE_DIR,
        env=os.environ | {"BRAIN_HTTPS": "1", "BRAIN_HOME": str(tmp_path), "DJANGO_SETTINGS_MODULE": "brain.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "no issues" in done.stdout


def test_an_error_shows_a_sentence_and_no_trace(
    as_owner: Client, brain: Brain, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("secret path /srv/brain")

    monkeypatch.setattr("ingestion.views.sources.boards", broken)
    as_owner.raise_request_exception = False
    response = as_owner.get(f"/brains/{brain.id}/sources/")
    assert response.status_code == 500
    assert "Something went wrong" in response.content.decode()
    assert "secret" not in response.content.decode()
