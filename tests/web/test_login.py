from __future__ import annotations

import pytest
from django.test import Client

from brain.models import Audit, User
from brain.throttle import PER_ADDRESS, TOGETHER
from tests.web.conftest import PASSWORD


def attempt(name: str, password: str, *, address: str = "10.0.0.1") -> tuple[int, str]:
    response = Client(REMOTE_ADDR=address).post("/login/", {"username": name, "password": password})
    return response.status_code, response.content.decode()


def test_the_right_password_opens_the_brains(owner: User) -> None:
    assert attempt(owner.username, PASSWORD)[0] == 302
    assert list(Audit.objects.values_list("action", "user")) == [("login", owner.pk)]


def test_a_wrong_password_is_refused_with_a_sentence(owner: User) -> None:
    status, page = attempt(owner.username, "wrong")
    assert status == 400
    assert "do not belong together" in page


def test_guessing_one_name_from_one_place_is_stopped(owner: User) -> None:
    for _ in range(TOGETHER):
        assert attempt(owner.username, "wrong")[0] == 400
    status, page = attempt(owner.username, PASSWORD)
    assert status == 429
    assert "Too many attempts" in page
    assert attempt(owner.username, PASSWORD, address="10.0.0.2")[0] == 302


def test_one_password_on_many_names_from_one_place_is_stopped(db: None) -> None:
    statuses = [attempt(f"name{n}", "Spring2026!")[0] for n in range(PER_ADDRESS + 1)]
    assert statuses == [400] * PER_ADDRESS + [429]


def test_slips_before_a_right_password_are_forgiven(owner: User) -> None:
    for _ in range(3):
        for _slip in range(TOGETHER - 1):
            attempt(owner.username, "wrong")
        assert attempt(owner.username, PASSWORD)[0] == 302


def test_the_log_keeps_no_password_and_no_name_that_was_typed(db: None) -> None:
    attempt("my-secret-password", "other-secret")
    assert "secret" not in str(list(Audit.objects.values()))


def test_after_login_only_pages_of_this_site_are_opened(owner: User) -> None:
    for wanted, opened in [("/jobs/", "/jobs/"), ("https://evil.example/", "/"), ("//evil.example", "/")]:
        response = Client().post("/login/", {"username": owner.username, "password": PASSWORD, "next": wanted})
        assert response.headers["Location"] == opened


def test_the_admin_has_no_login_of_its_own(client: Client) -> None:
    response = client.post("/admin/login/?next=/admin/", {"username": "a", "password": "b"})
    assert (response.status_code, response.headers["Location"]) == (302, "/login/?next=/admin/")


def test_a_person_who_is_not_staff_finds_no_admin(as_reader: Client) -> None:
    response = as_reader.get("/admin/", follow=True)
    assert response.status_code == 404


def test_a_list_that_polls_after_the_session_ended_opens_the_login_page(client: Client) -> None:
    response = client.get("/login/?next=/jobs/", headers={"hx-request": "true"})
    assert response.headers["HX-Redirect"] == "/login/"


def test_the_language_is_kept_with_the_person(as_owner: Client, owner: User) -> None:
    as_owner.post("/language/", {"language": "ko", "next": "/jobs/"})
    owner.refresh_from_db()
    assert owner.language == "ko"
    elsewhere = Client()
    elsewhere.post("/login/", {"username": owner.username, "password": PASSWORD})
    assert '<html lang="ko">' in elsewhere.get("/").content.decode()


@pytest.mark.parametrize("wanted", ["xx", "", "../../etc"])
def test_an_unknown_language_changes_nothing(as_owner: Client, owner: User, wanted: str) -> None:
    as_owner.post("/language/", {"language": wanted})
    owner.refresh_from_db()
    assert owner.language == ""


def test_a_changed_password_keeps_this_session(as_owner: Client, owner: User) -> None:
    form = {"old_password": PASSWORD, "new_password1": "quite another phrase", "new_password2": "quite another phrase"}
    assert as_owner.post("/password/", form).status_code == 302
    assert as_owner.get("/").status_code == 200
    owner.refresh_from_db()
    assert owner.check_password("quite another phrase")
