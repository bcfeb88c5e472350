"""A newcomer's first ten minutes in a real browser, with a clock and screenshots.

    python -m bench.journey LINK FILE... --ask "QUESTION" [--pictures DIR]

``LINK`` is the set-up link that ``make run`` prints. Sets a password, uploads the files, notes when the first and when
all can be searched, asks, and waits for each answer. Prints the seconds since its own start. The language model may
still be on its way: the question then waits for it, as a person's would.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from bench.report import report

_PASSWORD = "correct-horse-battery-staple"
_CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run", "--disable-quic"),
)


class Journey:
    def __init__(self, page: Page, pictures: Path) -> None:
        self.page = page
        self.pictures = pictures
        self.started = time.monotonic()
        self.seconds: dict[str, Any] = {}

    def reached(self, what: str) -> None:
        self.seconds[what] = round(time.monotonic() - self.started, 1)
        self.page.screenshot(path=self.pictures / f"{len(self.seconds):02}-{what}.png", full_page=True)
        print(f"{self.seconds[what]:8.1f} s  {what}", flush=True)

    def set_up(self, link: str) -> None:
        self.page.goto(link)
        self.page.fill("#id_username", "owner")
        for field in self.page.locator("input[type=password]").all():
            field.fill(_PASSWORD)
        self.reached("link_opened")
        self.page.click("form.card button.primary")
        self.page.wait_for_load_state()
        self.reached("set_up")

    def upload(self, files: list[Path]) -> None:
        self.page.click("nav.tabs a[href*='/sources/']")
        self.page.set_input_files("#files", [str(file) for file in files])
        self.page.locator("li[id^=source-]").nth(len(files) - 1).wait_for(timeout=60_000)
        self.reached("uploaded")

    def wait_searchable(self, files: int, timeout_seconds: int) -> None:
        for count, name in ((1, "first_searchable"), (files, "all_searchable")):
            self.page.locator("li[id^=source-]:has(.badge.ok)").nth(count - 1).wait_for(timeout=timeout_seconds * 1000)
            self.reached(name)

    def ask(self, question: str, name: str, timeout_seconds: int) -> str:
        self.page.click("nav.tabs a[href*='/ask/']")
        self.page.fill("#question", question)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector(f"{_MESSAGE} [data-sources] li, {_MESSAGE} .citations li", timeout=60_000)
        self.reached(f"{name}_sources")
        self.page.wait_for_selector(f"{_MESSAGE}:not([data-stream])", timeout=timeout_seconds * 1000)
        self.reached(f"{name}_answered")
        return self.page.inner_text(_MESSAGE)

    def look(self, tab: str) -> None:
        self.page.click(f"nav.tabs a[href*='/{tab}/']")
        self.page.wait_for_timeout(2500)
        self.reached(tab)

    def open_citation(self, name: str) -> str:
        self.page.click(f"{_MESSAGE} .citations a >> nth=0")
        self.page.wait_for_selector("mark", timeout=20_000)
        self.reached(f"{name}_cited_place")
        address = self.page.url
        self.page.go_back()
        return address


_MESSAGE = "article.message:last-of-type"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("link")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--ask", action="append", default=[])
    parser.add_argument("--pictures", type=Path, default=Path("journey"))
    parser.add_argument("--timeout", type=int, default=900)
    options = parser.parse_args()
    options.pictures.mkdir(parents=True, exist_ok=True)
    answers = []
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=_CHROMIUM, args=list(_FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        journey = Journey(page, options.pictures)
        journey.set_up(options.link)
        journey.upload(options.files)
        journey.wait_searchable(len(options.files), options.timeout)
        for number, question in enumerate(options.ask, 1):
            answers.append(journey.ask(question, f"question{number}", options.timeout))
            if page.locator(f"{_MESSAGE} .citations a").count():
                journey.open_citation(f"question{number}")
        journey.look("sources")
        journey.look("graph")
        browser.close()
    report(
        reached=journey.seconds, answers=answers, page_errors=errors, model=None, notes="clock starts with the browser"
    )


if __name__ == "__main__":
    main()
