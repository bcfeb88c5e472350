"""BR-39 in a real browser: planted markup runs nowhere, loads nothing, and no page speaks to another host."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.payloads import PAYLOADS

pytestmark = pytest.mark.browser

FLAG = "window.hostileTextRan"


@pytest.fixture
def trapped(page: Page) -> Page:
    """A page whose ``alert`` raises a flag."""
    page.add_init_script("window.alert = () => { window.hostileTextRan = true; };")
    return page


def test_nothing_planted_in_a_document_runs_anywhere(trapped: Page, brain_id: str, tmp_path: Path) -> None:
    path = tmp_path / "<img src=x onerror=alert(1)>.md"
    path.write_text(
        "# <img src=x onerror=alert(1)>\n\nThe code word is quarzlicht. " + "\n\n".join(PAYLOADS).replace("\0", ""),
        encoding="utf-8",
    )
    trapped.goto(f"/brains/{brain_id}/sources/")
    trapped.set_input_files("input[name=files]", str(path))
    row = trapped.locator(".sources > li", has_text="onerror=alert(1)>.md")
    expect(row.locator(".badge.ok")).to_be_visible(timeout=30_000)
    row.locator(".source-title a").click()
    expect(trapped.locator(".viewer-text")).to_contain_text("quarzlicht")
    for path_ in (f"/brains/{brain_id}/graph/", f"/brains/{brain_id}/inspect/", "/jobs/", "/admin/brain/source/"):
        trapped.goto(path_)
        assert not trapped.evaluate(FLAG), path_


@pytest.mark.parametrize("payload", PAYLOADS[::6])
def test_nothing_planted_in_a_question_runs_while_it_is_answered(trapped: Page, brain_id: str, payload: str) -> None:
    trapped.goto(f"/brains/{brain_id}/ask/")
    trapped.fill("#question", f"quarzlicht {payload}")
    trapped.locator("form.ask button.primary").click()
    trapped.wait_for_url("**/conversations/**")
    expect(trapped.locator("[data-stream]")).to_have_count(0, timeout=30_000)
    assert not trapped.evaluate(FLAG)
