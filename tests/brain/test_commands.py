"""A command that cannot do what it was asked says so in one sentence, without a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django.fixtures import Settings

from brain import bootstrap
from brain.models import Brain


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"BRAIN_UPLOAD_LIMIT_MB": "many"}, "BRAIN_UPLOAD_LIMIT_MB='many': expected a whole number of at least 1."),
        (
            {"BRAIN_HOME": "/dev/null/brain"},
            "The folder /dev/null/brain cannot be made: Not a directory. "
            "Point BRAIN_HOME at a folder that you may write to.",
        ),
        (
            {"BRAIN_DATABASE": "postgresql://db:many/brain"},
            "BRAIN_DATABASE='postgresql://db:many/brain': expected sqlite, sqlite:///path or postgresql://...",
        ),
        (
            {"BRAIN_LLM": "lama"},
            "BRAIN_LLM='lama': expected one of http, https, llama-cpp, recorded, scripted.",
        ),
    ],
)
def test_a_wrong_setting_stops_the_start_with_one_sentence(changed: dict[str, str], said: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "serve", "--no-models"],
        cwd=settings.BASE_DIR,
        env=os.environ | {"BRAIN_HOME": str(tmp_path), "DJANGO_SETTINGS_MODULE": "brain.settings"} | changed,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{said}\n")


@pytest.mark.parametrize("setting", ["GRAPH", "VECTORS", "LLM", "EMBEDDER", "TRANSCRIBER", "RERANKER", "EVENTS"])
def test_an_adapter_that_nobody_knows_is_refused_by_name(setting: str, settings: Settings) -> None:
    bootstrap.check_settings()
    setattr(settings, f"BRAIN_{setting}", "nobody")
    with pytest.raises(ImproperlyConfigured, match=f"BRAIN_{setting}='nobody': expected one of "):
        bootstrap.check_settings()


@pytest.mark.parametrize("port", ["0", "99999"])
def test_a_port_that_does_not_exist_is_refused(port: str) -> None:
    with pytest.raises(CommandError, match=rf"There is no port {port}\. Choose one from 1 to 65535, for example 8000."):
        call_command("serve", "--port", port)


@pytest.mark.django_db
def test_an_export_to_nowhere_is_refused(brain: Brain) -> None:
    with pytest.raises(CommandError, match=r'There is no folder "/nowhere"\. Make it, or choose another one\.'):
        call_command("export", "/nowhere/all.zip", "--brain", brain.name)


@pytest.mark.django_db
def test_an_export_that_cannot_be_written_is_refused_and_leaves_nothing(brain: Brain, tmp_path: Path) -> None:
    file = tmp_path / ("a" * 250)  # longer than a file's name may be once it is called partial
    with pytest.raises(CommandError, match=r"cannot be written: File name too long\. Choose another place\."):
        call_command("export", str(file), "--brain", brain.name)
    assert list(tmp_path.iterdir()) == []


def test_a_bundle_that_is_not_there_is_named() -> None:
    with pytest.raises(CommandError, match=r"There is no folder /nowhere\. Name the one that holds the models"):
        call_command("models", "--from", "/nowhere")


@pytest.mark.django_db(transaction=True)
def test_files_that_are_not_there_make_no_brain() -> None:
    with pytest.raises(CommandError, match=r"No such file: /nowhere/a\.txt, /nowhere/b\.txt\. Nothing was changed\."):
        call_command("ingest", "Contratcs", "/nowhere/a.txt", "/nowhere/b.txt")
    assert not Brain.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_brain_that_is_made_for_files_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Ada Byron advises Engine Works.", encoding="utf-8")
    out = StringIO()
    call_command("ingest", "Contracts", str(file), search_only=True, stdout=out)
    assert out.getvalue().splitlines()[0] == "No brain is called “Contracts”: a new one was made."
    again = StringIO()
    call_command("ingest", "Contracts", str(file), search_only=True, stdout=again)
    assert "was made" not in again.getvalue()
    assert Brain.objects.count() == 1
