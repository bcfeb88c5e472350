"""All pages of the address table in a real browser, at the widths of a phone and of a desk, in both languages."""

from __future__ import annotations

import itertools
from typing import Literal

import httpx
import pytest
from django.urls import get_resolver, reverse
from playwright.sync_api import Page

from tests.browser.conftest import Owner, Planted, Served
from tests.web.test_isolation import ALL

pytestmark = pytest.mark.browser

# What is wider than the window, or than the box that cuts it off: titles that end in three dots are meant to.
_TOO_WIDE = """() => [...document.querySelectorAll("body, body *")].filter((each) => {
  if (each.closest(".unseen, [hidden]") || each.matches("input, select, textarea, progress")) return false;
  const style = getComputedStyle(each);
  if (each.tagName === "BODY") return document.documentElement.scrollWidth > innerWidth;
  return style.overflowX !== "visible" && style.textOverflow !== "ellipsis" && each.clientWidth
    && each.scrollWidth > each.clientWidth + 1;
}).map((each) => `${each.tagName}.${each.className}: ${each.scrollWidth} in ${each.clientWidth}`)"""
_NAMELESS = """() => [...document.querySelectorAll("a, button, input:not([type=hidden]), select, textarea, summary")]
  .filter((each) => !each.closest("[hidden]")).filter((each) =>
    !(each.getAttribute("aria-label") || each.textContent || each.labels?.[0]?.textContent || "").trim()
  ).map((each) => each.outerHTML.slice(0, 100))"""
_HEADINGS = """() => [...document.querySelectorAll("h1, h2, h3, h4")].map((each) => Number(each.tagName[1]))"""
_IDS = """() => [...document.querySelectorAll("[id]")].map((each) => each.id)"""


@pytest.fixture(scope="session")
def paths(served: Served, first_owner: Owner, planted: Planted) -> list[str]:
    """Addresses of all pages, with one of everything behind them."""
    known = {
        "brain_id": first_owner.brain,
        "source_id": planted.source,
        "conversation_id": planted.conversation,
        "message_id": planted.message,
        "key": planted.key,
        "person_id": 1,
    }
    graph = f"/brains/{first_owner.brain}/graph"
    found = [f"{graph}/?message={planted.message}", f"{graph}/search/?q=Han"]
    for name in sorted(ALL - {"logout", "setup", "invitation", "message_stream"}):
        (_text, needed), *_others = get_resolver().reverse_dict.getlist(name)[0][0]
        found.append(reverse(name, kwargs={place: known[place] for place in needed}))
    with httpx.Client(base_url=served.address, cookies=first_owner.cookies) as client:
        answers = {path: client.get(path) for path in found}
    return [path for path, answer in answers.items() if _is_page(answer)]


def _is_page(answer: httpx.Response) -> bool:
    """Not data, a file, a way to elsewhere, or an address that takes posts only."""
    return answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html")


def _open(page: Page, path: str) -> None:
    page.goto(path)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (400, "light"), (400, "dark"), (1280, "light")])
def test_nothing_on_any_page_is_wider_than_its_place(
    page: Page, served: Served, paths: list[str], language: str, width: int, scheme: Literal["light", "dark"]
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    page.context.add_cookies([{"name": "django_language", "value": language, "url": served.address}])
    assert len(paths) >= 18
    for path in paths:
        _open(page, path)
        assert page.evaluate(_TOO_WIDE) == [], path


def test_every_control_has_a_name_every_page_a_title_and_every_id_is_one(page: Page, paths: list[str]) -> None:
    for path in paths:
        _open(page, path)
        assert page.evaluate(_NAMELESS) == [], path
        levels = page.evaluate(_HEADINGS)
        assert levels.count(1) == 1, path
        assert [after for before, after in itertools.pairwise(levels) if after > before + 1] == [], path
        ids = page.evaluate(_IDS)
        assert sorted(ids) == sorted(set(ids)), path
