from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from brain.models import Brain, Membership, User
from brain.setup import setup_token


@pytest.fixture(autouse=True)
def home(tmp_path: Path, settings: Settings) -> Path:
    settings.BRAIN_HOME = tmp_path
    return tmp_path


def _form(**changed: str) -> dict[str, str]:
    return {
        "username": "alice",
        "password1": "a long enough phrase",
        "password2": "a long enough phrase",
        "brain_name": "Contracts",
    } | changed


@pytest.mark.django_db
def test_the_link_makes_the_first_owner_and_a_brain_and_logs_in(client: Client, home: Path) -> None:
    token = setup_token()
    assert client.get(f"/setup/{token}/").status_code == 200
    response = client.post(f"/setup/{token}/", _form())
    brain = Brain.objects.get()
    assert (response.status_code, response.headers["Location"]) == (302, f"/brains/{brain.id}/sources/")
    owner = User.objects.get()
    assert (owner.username, owner.is_staff, owner.is_superuser, brain.name) == ("alice", True, True, "Contracts")
    assert list(Membership.objects.values_list("user", "brain", "role")) == [(owner.id, brain.id, "owner")]
    assert client.get("/").status_code == 200
    assert not (home / "setup.token").exists()


@pytest.mark.django_db
def test_the_link_works_once(client: Client) -> None:
    token = setup_token()
    client.post(f"/setup/{token}/", _form())
    again = Client().get(f"/setup/{token}/")
    page = again.content.decode()
    assert (again.status_code, "This link is used up" in page, 'href="/login/"' in page) == (404, True, True)
    assert Client().post(f"/setup/{token}/", _form(username="mallory")).status_code == 404
    assert User.objects.count() == 1
    assert setup_token() == ""


@pytest.mark.django_db
def test_another_token_opens_nothing(client: Client) -> None:
    setup_token()
    guessed = client.get("/setup/guess/")
    assert (guessed.status_code, "used up" in guessed.content.decode()) == (404, False)
    assert client.post("/setup/guess/", _form()).status_code == 404
    assert not User.objects.exists()


@pytest.mark.django_db
def test_the_token_stays_the_same_until_it_is_used(home: Path) -> None:
    assert setup_token() == setup_token() != ""
    assert (home / "setup.token").stat().st_mode & 0o777 == 0o600


@pytest.mark.django_db
@pytest.mark.parametrize(
    "changed",
    [
        {"password1": "short", "password2": "short"},
        {"password2": "something else"},
        {"username": ""},
        {"brain_name": " "},
    ],
)
def test_a_weak_or_incomplete_form_makes_nobody(client: Client, changed: dict[str, str]) -> None:
    assert client.post(f"/setup/{setup_token()}/", _form(**changed)).status_code == 200
    assert not User.objects.exists()
