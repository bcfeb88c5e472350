"""What is still to be installed: a line that other pages load, and a page when it is opened by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

HERE = "Everything that this installation needs is here. Nothing is being fetched."
MISSING = "Some parts are still being installed."


@pytest.fixture
def nothing_missing(settings: Settings) -> None:
    """The stand-ins need no weights."""
    settings.BRAIN_LLM = settings.BRAIN_TRANSCRIBER = "scripted"


@pytest.fixture
def weights_missing(settings: Settings, tmp_path: Path) -> None:
    settings.MODELS_DIR = tmp_path
    settings.BRAIN_LLM = "llama-cpp"


def test_opened_by_hand_it_says_that_nothing_is_missing(as_reader: Client, nothing_missing: None) -> None:
    page = as_reader.get("/models/").content.decode()
    assert "<h1>Models</h1>" in page
    assert (HERE in page, MISSING in page) == (True, False)


def test_opened_by_hand_it_says_what_is_missing_and_stays_when_it_has_come(
    as_reader: Client, weights_missing: None
) -> None:
    page = as_reader.get("/models/").content.decode()
    assert (HERE in page, MISSING in page) == (False, True)
    assert 'hx-get="/models/?by-hand"' in page


def test_the_page_that_looks_again_is_told_when_it_is_over(as_reader: Client, nothing_missing: None) -> None:
    assert HERE in as_reader.get("/models/?by-hand", headers={"hx-request": "true"}).content.decode()


def test_other_pages_load_nothing_when_nothing_is_missing(as_reader: Client, nothing_missing: None) -> None:
    assert as_reader.get("/models/", headers={"hx-request": "true"}).content.strip() == b""
