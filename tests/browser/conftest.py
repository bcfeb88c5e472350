"""The real program in its own process with stand-ins for the models, and a real Chromium in front of it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or ""
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
PASSWORD = "a long enough phrase"

# Two cores that other tests load too.
expect.set_options(timeout=20_000)


@dataclass(frozen=True)
class Served:
    """A running program: where it is, its set-up link, and the folder it keeps everything in."""

    address: str
    setup: str
    home: Path


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    home = Path(tempfile.mkdtemp(prefix="brain-browser-"))
    port = _free_port()
    environment = os.environ | {
        "BRAIN_HOME": str(home),
        "BRAIN_LLM": "scripted",
        "BRAIN_EMBEDDER": "hash",
        "BRAIN_VECTORS": "memory",
        "BRAIN_TRANSCRIBER": "scripted",
        "DJANGO_SETTINGS_MODULE": "brain.settings",
        "BRAIN_UPLOAD_LIMIT_MB": "2",
    }
    log = (home / "serve.log").open("wb")
    process = subprocess.Popen(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "serve", "--no-models", "--port", str(port)],
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        address = f"http://localhost:{port}"
        _wait(address, process, home)
        found = re.search(r"(/setup/\S+/)", (home / "serve.log").read_text())
        assert found, "the program printed no set-up link"
        yield Served(address, address + found[1], home)
    finally:
        process.terminate()
        process.wait(timeout=30)
        log.close()
        shutil.rmtree(home, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(address: str, process: subprocess.Popen[bytes], home: Path) -> None:
    for _ in range(240):
        assert process.poll() is None, (home / "serve.log").read_text()
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=2):
                return
        except OSError:
            time.sleep(0.25)
    raise AssertionError((home / "serve.log").read_text())


@pytest.fixture
def chromium() -> Iterator[Browser]:
    """One per test: while Playwright runs, its event loop makes this thread unfit for Django's own."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed. On Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Watched:
    """What a page should never do: talk to the console in anger, or to another host."""

    complaints: list[str]


@pytest.fixture
def watched() -> Watched:
    return Watched([])


@dataclass(frozen=True)
class Owner:
    """The first owner, who came by the set-up link: the cookies of the session, and the first brain."""

    cookies: dict[str, str]
    brain: str


@pytest.fixture(scope="session")
def first_owner(served: Served) -> Owner:
    with httpx.Client(follow_redirects=True) as client:
        client.get(served.setup)
        form = {"username": "alice", "password1": PASSWORD, "password2": PASSWORD, "brain_name": "Contracts"}
        arrived = client.post(served.setup, data=form | {"csrfmiddlewaretoken": client.cookies["csrftoken"]})
        return Owner(dict(client.cookies), str(arrived.url).split("/brains/")[1].split("/")[0])


@pytest.fixture
def page(chromium: Browser, served: Served, first_owner: Owner, watched: Watched) -> Iterator[Page]:
    context = chromium.new_context(base_url=served.address, locale="en-US")
    context.add_cookies(
        [{"name": name, "value": value, "url": served.address} for name, value in first_owner.cookies.items()]
    )
    made = context.new_page()
    made.on("console", lambda said: watched.complaints.append(said.text) if said.type == "error" else None)
    made.on("pageerror", lambda error: watched.complaints.append(str(error)))
    made.on("request", lambda asked: watched.complaints.append(asked.url) if served.address not in asked.url else None)
    yield made
    context.close()
    assert [line for line in watched.complaints if not line.startswith(("blob:", "data:"))] == []


@pytest.fixture
def brain_id(first_owner: Owner) -> str:
    return first_owner.brain


@dataclass(frozen=True)
class Planted:
    """Ids of what ``tests.browser.plant`` makes: a message, its conversation, an entity it rests on, a source."""

    message: str
    conversation: str
    key: str
    source: str


@pytest.fixture(scope="session")
def planted(served: Served, first_owner: Owner) -> Planted:
    done = subprocess.run(
        [sys.executable, "-m", "tests.browser.plant", first_owner.brain],
        env=os.environ | {"BRAIN_HOME": str(served.home), "BRAIN_DATABASE": "sqlite"},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    )
    return Planted(*done.stdout.split())
