"""What a person does in the first hour, in a real browser: upload, ask, follow a citation, look at the graph."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Watched

pytestmark = pytest.mark.browser

AGREEMENT = (
    "# Lease agreement\n\nThe lease between Hanbit Bank and Kim Minji begins on 3 May 2024. "
    "The monthly rent is 1,250,000 won.\n\n## Termination\n\n"
    "Either side may end the lease with a notice of sixty days.\n"
)


def upload(page: Page, brain_id: str, path: Path) -> None:
    page.goto(f"/brains/{brain_id}/sources/")
    page.set_input_files("input[name=files]", str(path))
    expect(page.locator(".sources > li", has_text=path.name)).to_be_visible()


@pytest.fixture
def agreement(tmp_path: Path) -> Path:
    path = tmp_path / "lease.md"
    path.write_text(AGREEMENT, encoding="utf-8")
    return path


def test_an_upload_is_searchable_and_its_answer_opens_the_cited_words(
    page: Page, brain_id: str, agreement: Path
) -> None:
    upload(page, brain_id, agreement)
    row = page.locator(".sources > li", has_text="lease.md")
    expect(row.locator(".badge.ok")).to_be_visible(timeout=30_000)
    page.goto(f"/brains/{brain_id}/ask/")
    page.fill("#question", "What is the monthly rent of the lease?")
    page.keyboard.press("Enter")
    page.wait_for_url("**/conversations/**")
    cite = page.locator(".answer a.cite").first
    expect(cite).to_be_visible(timeout=30_000)
    cite.click()
    marked = page.locator("#cited")
    expect(marked).to_be_in_viewport()
    assert marked.inner_text().strip() in AGREEMENT


def test_a_file_that_is_too_large_and_an_empty_one_say_so_at_once(page: Page, brain_id: str, tmp_path: Path) -> None:
    large, empty = tmp_path / "large.txt", tmp_path / "empty.txt"
    large.write_bytes(b"a" * (2 * 1024 * 1024 + 1))
    empty.touch()
    page.goto(f"/brains/{brain_id}/sources/")
    page.set_input_files("input[name=files]", [str(large), str(empty)])
    lines = page.locator(".uploads li.refused .said")
    expect(lines.nth(0)).to_have_text("The file is larger than the limit of 2 MB. Split it and upload the parts.")
    expect(lines.nth(1)).to_have_text("The file is empty.")


def test_a_dropped_file_is_uploaded(page: Page, brain_id: str) -> None:
    page.goto(f"/brains/{brain_id}/sources/")
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(["Dropped words about zoning."], "dropped.txt", {type: "text/plain"}));
          document.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
        }"""
    )
    expect(page.locator(".sources > li", has_text="dropped.txt")).to_be_visible()


def test_the_same_file_again_is_a_notice_with_a_link(page: Page, brain_id: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    for path in (first, second):
        path.write_text("These are the very same words.", encoding="utf-8")
    upload(page, brain_id, first)
    page.set_input_files("input[name=files]", str(second))
    notice = page.locator(".uploads li.duplicate")
    expect(notice).to_contain_text("first.txt")
    notice.locator("a").click()
    expect(page.locator(".viewer-text")).to_contain_text("the very same words", timeout=30_000)


def test_deleting_shows_what_goes_and_the_trash_gives_it_back(page: Page, brain_id: str, tmp_path: Path) -> None:
    path = tmp_path / "doomed.txt"
    path.write_text("A memo about parking spaces.", encoding="utf-8")
    upload(page, brain_id, path)
    page.locator(".sources > li", has_text="doomed.txt").get_by_role(
        "link", name=re.compile("Delete.*doomed.txt")
    ).click()
    expect(page.locator("dl.facts")).to_contain_text("Passages")
    page.get_by_role("button", name="Put in the trash").click()
    expect(page.locator(".sources > li", has_text="doomed.txt")).to_have_count(0)
    page.goto(f"/brains/{brain_id}/trash/")
    page.get_by_role("button", name=re.compile("Restore.*doomed.txt")).click()
    expect(page.locator(".sources > li", has_text="doomed.txt")).to_be_visible()


def test_the_first_tab_stop_leads_to_the_content(page: Page, brain_id: str) -> None:
    page.goto(f"/brains/{brain_id}/settings/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


@pytest.mark.parametrize("typed", ["", "   ", "\n\u00a0"])
@pytest.mark.parametrize("by_key", [True, False])
def test_a_blank_question_is_not_sent_and_says_why(page: Page, brain_id: str, typed: str, by_key: bool) -> None:
    page.goto(f"/brains/{brain_id}/ask/")
    page.fill("#question", typed)
    if by_key:
        page.locator("#question").press("Enter")
    else:
        page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("The question is blank. Type what you want to know.")
    expect(page.locator("#question")).to_be_focused()
    expect(page).to_have_url(re.compile(r"/ask/$"))


def test_a_page_waits_for_a_server_that_is_away_and_shows_the_answer_when_it_is_back(
    page: Page, brain_id: str, agreement: Path, watched: Watched
) -> None:
    upload(page, brain_id, agreement)
    expect(page.locator(".sources > li", has_text="lease.md").locator(".badge.ok")).to_be_visible(timeout=30_000)
    page.route("**/messages/*/stream/", lambda route: route.fulfill(status=502))
    page.route("**/messages/*/", lambda route: route.abort())
    page.goto(f"/brains/{brain_id}/ask/")
    page.fill("#question", "What is the monthly rent of the lease?")
    page.keyboard.press("Enter")
    state = page.locator("article.message [data-state]")
    expect(state).to_have_text("The server does not answer. Trying again.")
    page.wait_for_timeout(4000)
    expect(state).to_have_text("The server does not answer. Trying again.")
    page.unroute_all()
    expect(page.locator(".answer a.cite").first).to_be_visible()
    # Chromium and htmx report each request that failed; the page itself threw nothing.
    reports = ("Failed to load resource", "htmx:")
    assert [line for line in watched.complaints if not line.startswith(reports)] == []
    watched.complaints.clear()
