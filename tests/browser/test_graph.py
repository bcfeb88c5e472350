"""The graph in a real browser: picture, search, neighbours, panel, and the same as a table."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from tests.browser.conftest import Owner, Served

pytestmark = pytest.mark.browser

NAME = "<img src=x onerror=alert(1)> Verein"


@pytest.fixture(scope="module")
def planted(served: Served, first_owner: Owner) -> tuple[str, str, str]:
    """Ids of a message, its conversation, and the key of an entity that it rests on."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.browser.plant", first_owner.brain],
        env=os.environ | {"BRAIN_HOME": str(served.home), "BRAIN_DATABASE": "sqlite"},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    )
    message, conversation, key = done.stdout.split()
    return message, conversation, key


def test_the_picture_opens_with_honest_counts_and_a_table_twin(
    page: Page, brain_id: str, planted: tuple[str, str, str]
) -> None:
    page.goto(f"/brains/{brain_id}/graph/")
    expect(page.locator(".canvas canvas").first).to_be_attached()
    expect(page.locator("[data-counts]")).to_have_text("Showing 2 of 2 entities and 1 of 1 relations")
    page.locator("#table-twin summary").click()
    expect(page.locator("#table-twin")).to_contain_text(NAME)
    assert page.evaluate("brainGraph.graph.order") == 2


def test_places_are_the_same_at_every_visit(page: Page, brain_id: str, planted: tuple[str, str, str]) -> None:
    seen = []
    for _ in range(2):
        page.goto(f"/brains/{brain_id}/graph/")
        expect(page.locator(".canvas canvas").first).to_be_attached()
        seen.append(page.evaluate("brainGraph.graph.mapNodes((key, node) => [key, node.x, node.y])"))
    assert seen[0] == seen[1]


def test_searching_by_keyboard_opens_what_each_source_says(
    page: Page, brain_id: str, planted: tuple[str, str, str]
) -> None:
    page.goto(f"/brains/{brain_id}/graph/")
    page.fill("#find", "Han")
    expect(page.locator("#found li").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#panel h2")).to_contain_text("Han")
    place = page.locator("#panel .said a").first
    expect(place).to_be_visible()
    place.click()
    expect(page.locator("#cited")).to_be_in_viewport()


def test_an_answer_opens_its_own_part_of_the_graph(page: Page, brain_id: str, planted: tuple[str, str, str]) -> None:
    page.goto(f"/brains/{brain_id}/graph/?message={planted[0]}")
    expect(page.locator("[data-counts]")).to_have_text("Showing 2 of 2 entities and 1 of 1 relations")
    expect(page.locator(".canvas canvas").first).to_be_attached()
    assert page.evaluate("brainGraph.graph.order") == 2


def test_the_way_of_an_answer_is_shown_in_its_chat(page: Page, planted: tuple[str, str, str]) -> None:
    page.goto(f"/conversations/{planted[1]}/")
    page.get_by_text("How this was answered").click()
    expect(page.locator(".how table")).to_contain_text(NAME)
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator(".feedback .note")).to_be_visible()
