from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.test import Client
from django.utils import timezone

from brain.models import Brain, Membership, User
from tests.web.conftest import logged_in
from tests.web.world import make_world


def test_a_new_brain_belongs_to_who_made_it(as_owner: Client, owner: User) -> None:
    response = as_owner.post("/", {"name": "  Cases \u202e2024  "})
    brain = Brain.objects.get()
    assert response.headers["Location"] == f"/brains/{brain.id}/sources/"
    assert brain.name == "Cases 2024"
    assert list(Membership.objects.values_list("user", "role")) == [(owner.pk, "owner")]


@pytest.mark.parametrize("name", ["", "   ", "ㅤ", "\u200b"])
def test_a_blank_name_is_refused(as_owner: Client, name: str) -> None:
    assert as_owner.post("/", {"name": name}).status_code == 400
    assert not Brain.objects.exists()


def test_an_owner_renames_and_gives_hints(as_owner: Client, brain: Brain) -> None:
    as_owner.post(f"/brains/{brain.id}/rename/", {"rename-name": "Deeds"})
    as_owner.post(f"/brains/{brain.id}/hints/", {"entity_types": "person\n\nperson\n조항 ", "relation_names": "cites"})
    brain.refresh_from_db()
    assert (brain.name, brain.entity_types, brain.relation_names) == ("Deeds", ["person", "조항"], ["cites"])


def test_deleting_a_brain_needs_its_name(as_owner: Client, brain: Brain) -> None:
    as_owner.post(f"/brains/{brain.id}/delete/", {"name": "Contract"})
    brain.refresh_from_db()
    assert brain.deleted_at is None
    as_owner.post(f"/brains/{brain.id}/delete/", {"name": "Contracts"})
    brain.refresh_from_db()
    assert brain.deleted_at is not None
    assert "Contracts" not in as_owner.get("/jobs/").content.decode()


def test_a_person_is_added_and_taken_out(as_owner: Client, brain: Brain, stranger: User) -> None:
    as_owner.post(f"/brains/{brain.id}/members/", {"username": stranger.username, "role": "editor"})
    assert Membership.objects.get(user=stranger).role == "editor"
    as_owner.post(f"/brains/{brain.id}/members/{stranger.pk}/remove/")
    assert not Membership.objects.filter(user=stranger).exists()


def test_the_last_owner_stays(as_owner: Client, brain: Brain, owner: User) -> None:
    as_owner.post(f"/brains/{brain.id}/members/", {"username": owner.username, "role": "reader"})
    as_owner.post(f"/brains/{brain.id}/members/{owner.pk}/remove/")
    assert Membership.objects.get(user=owner).role == "owner"


def test_nobody_changes_their_own_role(as_owner: Client, brain: Brain, owner: User, reader: User) -> None:
    brain.memberships.filter(user=reader).update(role="owner")
    change = {"username": owner.username, "role": "reader"}
    page = as_owner.post(f"/brains/{brain.id}/members/", change, follow=True).content.decode()
    assert "Nobody changes their own role. Another owner of this brain can change yours." in page
    assert Membership.objects.get(brain=brain, user=owner).role == "owner"
    logged_in(reader).post(f"/brains/{brain.id}/members/", change)
    assert Membership.objects.get(brain=brain, user=owner).role == "reader"


def test_a_name_that_nobody_has_comes_back_with_a_sentence(as_owner: Client, brain: Brain) -> None:
    response = as_owner.post(f"/brains/{brain.id}/members/", {"username": "nobody", "role": "reader"})
    assert response.status_code == 400
    assert "Invite the person first" in response.content.decode()


def test_the_list_counts_sources_once_however_many_members(as_owner: Client, brain: Brain, owner: User) -> None:
    for n in range(3):
        brain.sources.create(title=f"{n}", media_type="text/plain", sha256=f"{n}", size=1, uploaded_by=owner)
    assert "3 sources" in as_owner.get("/").content.decode()


def test_the_only_owner_is_not_offered_to_leave(as_owner: Client, brain: Brain, reader: User) -> None:
    path = f"/brains/{brain.id}/settings/"
    assert "Leave this brain" not in as_owner.get(path).content.decode()
    brain.memberships.filter(user=reader).update(role="owner")
    assert "Leave this brain" in as_owner.get(path).content.decode()


def test_taking_somebody_out_says_first_what_it_means(as_owner: Client, brain: Brain, reader: User) -> None:
    page = as_owner.get(f"/brains/{brain.id}/settings/").content.decode()
    asked = page.partition(f'<details class="sure" id="remove-{reader.pk}">')[2].partition("</details>")[0]
    assert "They will not see this brain" in asked
    assert page.count(f"/members/{reader.pk}/remove/") == asked.count(f"/members/{reader.pk}/remove/") == 1


def test_a_reader_may_leave_but_take_nobody_out(as_reader: Client, brain: Brain, owner: User, reader: User) -> None:
    page = as_reader.get(f"/brains/{brain.id}/settings/").content.decode()
    assert (f"/members/{reader.pk}/remove/" in page, f"/members/{owner.pk}/remove/" in page) == (True, False)
    assert as_reader.post(f"/brains/{brain.id}/members/{owner.pk}/remove/").status_code == 403
    assert as_reader.post(f"/brains/{brain.id}/members/{reader.pk}/remove/").headers["Location"] == "/"
    assert list(brain.memberships.values_list("user", flat=True)) == [owner.pk]


class Deeds(HTMLParser):
    """The addresses that a page posts to, with whether one click is enough: not inside a closed ``details``."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = 0
        self.at_once: dict[str, bool] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside += tag == "details"
        if tag == "form" and (action := dict(attrs).get("action")):
            self.at_once[action] = not self.inside

    def handle_endtag(self, tag: str) -> None:
        self.inside -= tag == "details"


def test_what_cannot_be_undone_is_asked_first(as_owner: Client, brain: Brain, owner: User, reader: User) -> None:
    brain.memberships.filter(user=reader).update(role="owner")
    world = make_world(brain, owner)
    brain.sources.update(trashed_at=timezone.now())
    deeds = {
        f"/brains/{brain.id}/settings/": f"/brains/{brain.id}/members/{owner.pk}/remove/",
        f"/brains/{brain.id}/trash/": f"/sources/{world.source.id}/purge/",
        f"/conversations/{world.conversation.id}/": f"/conversations/{world.conversation.id}/delete/",
    }
    for page, deed in deeds.items():
        found = Deeds()
        found.feed(as_owner.get(page).content.decode())
        assert found.at_once.get(deed) is False, page
