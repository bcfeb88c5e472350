from __future__ import annotations

import re

import pytest
from django.test import Client

from brain.models import Audit, Brain, Deletion, Membership, User


@pytest.fixture
def mine(administrator: User) -> Brain:
    made = Brain.objects.create(name="Board")
    Membership.objects.create(brain=made, user=administrator, role="owner")
    return made


def link_of(page: bytes) -> str:
    found = re.search(r'value="http://testserver(/invitation/[^"]+)"', page.decode())
    assert found
    return found[1]


def invite(client: Client, **fields: str) -> str:
    response = client.post("/people/", {"username": "minji", "role": "reader"} | fields)
    assert response.status_code == 200
    return link_of(response.content)


def test_an_invited_person_chooses_a_password_and_sees_the_brain(as_administrator: Client, mine: Brain) -> None:
    link = invite(as_administrator, brain=str(mine.id), role="editor")
    client = Client()
    assert client.get(link).status_code == 200
    form = {"new_password1": "a long enough phrase", "new_password2": "a long enough phrase"}
    assert client.post(link, form).status_code == 302
    assert "Board" in client.get("/").content.decode()
    person = User.objects.get(username="minji")
    assert (person.is_staff, person.is_superuser) == (False, False)
    assert list(person.memberships.values_list("brain", "role")) == [(mine.id, "editor")]


def test_a_link_works_once(as_administrator: Client) -> None:
    link = invite(as_administrator)
    form = {"new_password1": "a long enough phrase", "new_password2": "a long enough phrase"}
    Client().post(link, form)
    assert Client().get(link).status_code == 404
    assert (
        Client().post(link, form | {"new_password1": "stolen phrase 1", "new_password2": "stolen phrase 1"}).status_code
        == 404
    )
    assert User.objects.get(username="minji").check_password("a long enough phrase")


@pytest.mark.parametrize("link", ["/invitation/AA/x-y/", "/invitation/!!/x/", "/invitation/OTk5/abc-def/"])
def test_a_made_up_link_opens_nothing(db: None, link: str) -> None:
    assert Client().get(link).status_code == 404


def test_the_link_of_somebody_switched_off_opens_nothing(as_administrator: Client) -> None:
    link = invite(as_administrator)
    person = User.objects.get(username="minji")
    as_administrator.post(f"/people/{person.pk}/switch/")
    assert Client().get(link).status_code == 404


def test_only_brains_that_i_own_can_be_given(as_administrator: Client, brain: Brain) -> None:
    assert (
        as_administrator.post("/people/", {"username": "x", "role": "reader", "brain": str(brain.id)}).status_code
        == 400
    )
    assert not User.objects.filter(username="x").exists()


def test_an_administrator_cannot_switch_off_or_delete_themselves(as_administrator: Client, administrator: User) -> None:
    for verb in ("switch", "delete", "link"):
        assert as_administrator.post(f"/people/{administrator.pk}/{verb}/").status_code == 404


def test_deleting_a_person_needs_the_name(as_administrator: Client, owner: User) -> None:
    as_administrator.post(f"/people/{owner.pk}/delete/", {"username": "somebody"})
    assert not Deletion.objects.exists()
    as_administrator.post(f"/people/{owner.pk}/delete/", {"username": owner.username})
    assert list(Deletion.objects.values_list("kind", "subject")) == [("user", str(owner.pk))]


def test_switching_somebody_off_says_first_what_it_means(as_administrator: Client, owner: User) -> None:
    page = as_administrator.get("/people/").content.decode()
    asked = page.partition(f'<details class="sure" id="off-{owner.pk}">')[2].partition("</details>")[0]
    assert "They are logged out at once" in asked
    assert page.count(f"/people/{owner.pk}/switch/") == asked.count(f"/people/{owner.pk}/switch/") == 1
    as_administrator.post(f"/people/{owner.pk}/switch/")
    assert f'id="off-{owner.pk}"' not in as_administrator.get("/people/").content.decode()


def test_deeds_are_logged(as_administrator: Client, administrator: User) -> None:
    invite(as_administrator)
    person = User.objects.get(username="minji")
    as_administrator.post(f"/people/{person.pk}/switch/")
    as_administrator.post(f"/people/{person.pk}/link/")
    logged = Audit.objects.order_by("id").values_list("user", "action", "subject")
    assert list(logged) == [
        (administrator.pk, "invite", str(person.pk)),
        (administrator.pk, "person_off", str(person.pk)),
        (administrator.pk, "invite_again", str(person.pk)),
    ]
