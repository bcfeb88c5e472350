"""BR-39, S-20: whatever is written in a title, a name, a quote or an answer is text on every page."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.test import Client

from brain.models import Brain, Membership, User
from brain.text import clean_text
from tests.web.payloads import PAYLOADS
from tests.web.test_isolation import ALL, OPEN, path_of
from tests.web.world import make_world

ALLOWED_ATTRIBUTES = {"hx-get", "hx-post", "hx-target", "hx-swap", "hx-trigger", "hx-select", "hx-headers"}


class Tags(HTMLParser):
    """What a browser would make of the page: every tag with its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def dangers(page: str) -> list[str]:
    """Tags and attributes that run or load something which this product did not put there."""
    tags = Tags()
    tags.feed(page)
    found = []
    for tag, attributes in tags.found:
        address = (attributes.get("src") or attributes.get("href") or "").strip().lower()
        if tag == "script" and attributes.get("type") != "application/json" and not address.startswith("/static/"):
            found.append(f"script {attributes}")
        if tag in {"iframe", "object", "embed", "base", "img", "video", "math", "marquee", "style", "x"}:
            found.append(tag)
        found.extend(f"{tag} {name}" for name in attributes if name.startswith("on") or name == "style")
        found.extend(
            f"{tag} {name}" for name in attributes if name.startswith("hx-") and name not in ALLOWED_ATTRIBUTES
        )
        if address and not address.startswith(("/", "#", "?")):
            found.append(f"{tag} {address}")
    return found


#: Five in one name: a world of pages for each of sixty would take minutes.
FIVES = [" ".join(PAYLOADS[n : n + 5]) for n in range(0, len(PAYLOADS), 5)]


@pytest.mark.parametrize("payload", FIVES)
def test_planted_text_stays_text_on_every_page(administrator: User, brain: Brain, payload: str) -> None:
    Membership.objects.create(brain=brain, user=administrator, role="owner")
    Brain.objects.filter(pk=brain.pk).update(name=clean_text(payload)[:200])
    world = make_world(brain, administrator, name=clean_text(payload))
    client = Client()
    client.force_login(administrator)
    pages = [path_of(name, world) for name in sorted(ALL - OPEN)]
    pages += [
        f"/brains/{brain.id}/graph/?message={world.message.id}",
        f"/brains/{brain.id}/ask/?q={'%3Cimg%20onerror%3D1%3E'}",
    ]
    shown = 0
    for path in pages:
        for headers in ({}, {"hx-request": "true"}):
            response = client.get(path, headers=headers)
            if response.headers.get("Content-Type", "").startswith("text/html") and not response.streaming:
                assert dangers(response.content.decode()) == [], path
                shown += 1
            response.close()
    assert shown > 20


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_question_with_markup_comes_back_as_text(as_owner: Client, brain: Brain, payload: str) -> None:
    response = as_owner.get(f"/brains/{brain.id}/ask/", {"q": payload})
    assert dangers(response.content.decode()) == []


def test_every_page_carries_the_policy_is_not_kept_and_has_no_inline_script(
    as_administrator: Client, administrator: User, brain: Brain
) -> None:
    Membership.objects.create(brain=brain, user=administrator, role="owner")
    world = make_world(brain, administrator)
    for name in sorted(ALL - {"source_original", "source_audio", "favicon"}):
        path = path_of(name, world) if name not in {"setup", "invitation"} else "/setup/none/"
        response = as_administrator.get(path)
        policy = response.headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "script-src 'self'" in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["X-Frame-Options"] == "DENY"
        assert "no-store" in response.headers["Cache-Control"], name
        response.close()


def test_the_error_pages_tell_no_inner_thing(as_owner: Client, settings: object) -> None:
    page = as_owner.get("/brains/00000000-0000-0000-0000-000000000000/sources/").content.decode()
    assert "There is nothing here" in page
    assert "Traceback" not in page
    assert "DoesNotExist" not in page


def test_cookies_are_kept_from_scripts_and_other_sites(client: Client, owner: User) -> None:
    response = client.post("/login/", {"username": owner.username, "password": "correct horse battery"})
    session = response.cookies["sessionid"]
    assert (session["httponly"], session["samesite"]) == (True, "Lax")
