"""What the graph page says while there is nothing to draw."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from brain import kinds
from brain.models import Brain, Membership, Role, Source, User


def said(client: Client, brain: Brain) -> str:
    return client.get(f"/brains/{brain.id}/graph/").content.decode()


def test_an_empty_brain_asks_for_a_document(as_owner: Client, brain: Brain) -> None:
    assert "Upload a document or a recording" in said(as_owner, brain)


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("running", "It grows passage by passage"),
        ("waiting", "It grows passage by passage"),
        ("done", "No names or facts were found"),
        ("failed", "No names or facts were found"),
    ],
)
def test_a_graph_without_entities_says_whether_it_still_grows(
    as_owner: Client, brain: Brain, state: str, sentence: str
) -> None:
    Source.objects.create(brain=brain, title="a.txt", media_type="text/plain", size=1, sha256="0" * 64, state=state)
    assert sentence in said(as_owner, brain)


@pytest.fixture
def two_languages(upload: Callable[..., Source], plain_facts: None, drain: Callable[[], None], brain: Brain) -> Brain:
    """People as a Korean and as an English passage calls them, and a kind that somebody named."""
    upload("Ada Byron (person) advises Mira Cho (사람). Mira Cho (사람) designed Deep Well (pump).")
    drain()
    return brain


@pytest.mark.parametrize(("language", "person"), [("en", "person"), ("ko", "사람")])
def test_one_kind_of_thing_has_one_name_in_the_language_of_the_page(
    as_owner: Client, two_languages: Brain, language: str, person: str
) -> None:
    as_owner.cookies["django_language"] = language
    place = f"/brains/{two_languages.id}/graph"
    key = two_languages.entities.get(name="Mira Cho").key
    data = as_owner.get(f"{place}/data/", {"around": key}).json()
    assert {each["name"]: each["type"] for each in data["entities"]} == {
        "Ada Byron": person,
        "Mira Cho": person,
        "Deep Well": "pump",
    }
    found = as_owner.get(f"{place}/search/", {"q": "mira"}, headers={"accept": "application/json"}).json()
    assert found == {"entities": [{"key": key, "name": "Mira Cho", "type": person}]}
    as_links = as_owner.get(f"{place}/search/", {"q": "mira"}).content.decode()
    assert f'<span class="soft">{person}</span>' in as_links
    assert as_owner.get(f"{place}/").content.decode().count(f"<td>{person}</td>") == 2
    assert f'<span class="badge">{person}</span>' in as_owner.get(f"{place}/entities/{key}/").content.decode()


@pytest.mark.parametrize(
    ("language", "counts"), [("en", [("person", 2), ("pump", 1)]), ("ko", [("사람", 2), ("pump", 1)])]
)
def test_the_inspection_counts_a_kind_once(
    as_administrator: Client, administrator: User, two_languages: Brain, language: str, counts: list[tuple[str, int]]
) -> None:
    Membership.objects.create(brain=two_languages, user=administrator, role=Role.OWNER)
    as_administrator.cookies["django_language"] = language
    page = as_administrator.get(f"/brains/{two_languages.id}/inspect/")
    assert page.context["types"] == counts
    assert page.content.decode().count(f"<td>{counts[0][0]}</td>") == 2


def test_the_kinds_of_both_languages_stand_in_the_same_order() -> None:
    assert (len(kinds.ENGLISH), kinds.ENGLISH[0], kinds.ENGLISH[-1]) == (9, "person", "concept")
    assert (len(kinds.KOREAN), kinds.KOREAN[0], kinds.KOREAN[-1]) == (9, "사람", "개념")


def test_a_search_for_nothing_leads_back_to_the_graph(as_owner: Client, brain: Brain) -> None:
    response = as_owner.get(f"/brains/{brain.id}/graph/search/", {"q": "  "})
    assert (response.status_code, response.headers["Location"]) == (302, f"/brains/{brain.id}/graph/")
