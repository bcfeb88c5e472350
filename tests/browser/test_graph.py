"""The graph in a real browser: picture, search, neighbours, panel, and the same as a table."""

from __future__ import annotations

import math

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Planted

pytestmark = pytest.mark.browser

NAME = "<img src=x onerror=alert(1)> Verein"


def test_the_picture_opens_with_honest_counts_and_a_table_twin(page: Page, brain_id: str, planted: Planted) -> None:
    page.goto(f"/brains/{brain_id}/graph/")
    expect(page.locator(".canvas canvas").first).to_be_attached()
    expect(page.locator("[data-counts]")).to_have_text("Showing 2 of 2 entities and 1 of 1 relations")
    page.locator("#table-twin summary").click()
    expect(page.locator("#table-twin")).to_contain_text(NAME)
    assert page.evaluate("brainGraph.graph.order") == 2


def test_places_are_the_same_at_every_visit(page: Page, brain_id: str, planted: Planted) -> None:
    seen = []
    for _ in range(2):
        page.goto(f"/brains/{brain_id}/graph/")
        expect(page.locator(".canvas canvas").first).to_be_attached()
        seen.append(page.evaluate("brainGraph.graph.mapNodes((key, node) => [key, node.x, node.y])"))
    assert seen[0] == seen[1]


def test_searching_by_keyboard_opens_what_each_source_says(page: Page, brain_id: str, planted: Planted) -> None:
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


def test_an_answer_opens_its_own_part_of_the_graph(page: Page, brain_id: str, planted: Planted) -> None:
    page.goto(f"/brains/{brain_id}/graph/?message={planted.message}")
    expect(page.locator("[data-counts]")).to_have_text("Showing 2 of 2 entities and 1 of 1 relations")
    expect(page.locator(".canvas canvas").first).to_be_attached()
    assert page.evaluate("brainGraph.graph.order") == 2


def test_the_way_of_an_answer_is_shown_in_its_chat(page: Page, planted: Planted) -> None:
    page.goto(f"/conversations/{planted.conversation}/")
    page.get_by_text("How this was answered").click()
    expect(page.locator(".how table")).to_contain_text(NAME)
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator(".feedback .note")).to_be_visible()


@pytest.mark.parametrize("width", [400, 1280])
def test_entities_stand_apart_on_a_phone_too(page: Page, brain_id: str, planted: Planted, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"/brains/{brain_id}/graph/")
    expect(page.locator(".canvas canvas").first).to_be_attached()
    places = page.evaluate(
        "brainGraph.graph.mapNodes((key, node) => brainGraph.sigma.graphToViewport(node)).map((at) => [at.x, at.y])"
    )
    assert math.dist(*places) > 60
