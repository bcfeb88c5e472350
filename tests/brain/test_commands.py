"""A command that cannot do what it was asked says so in one sentence, without a traceback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import Error, IntegrityError, ProgrammingError
from django.utils.translation import override
from pytest_django.fixtures import Settings

from brain import bootstrap
from brain.commands import amount, database_problem
from brain.env import machine_zone
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
            "BRAIN_DATABASE='postgresql://db:many/brain': expected sqlite, sqlite:///path or "
            "postgresql://user:password@host/name.",
        ),
        (
            {"BRAIN_DATABASE": "postgresql://brain:p/q@db:5432/brain"},
            "BRAIN_DATABASE='postgresql://db:5432/brain': expected sqlite, sqlite:///path or "
            "postgresql://user:password@host/name. Signs like # / ? @ in a password are written as %23 %2F %3F %40.",
        ),
        (
            {"BRAIN_DATABASE": "postgresql://u:p@127.0.0.1:1/x"},
            'The database cannot be used (connection failed: connection to server at "127.0.0.1", port 1 failed: '
            "Connection refused Is the server running on that host and accepting TCP/IP connections?). "
            "See that it runs, and check BRAIN_DATABASE.",
        ),
        (
            {"BRAIN_TIME_ZONE": "Mars/Base"},
            "BRAIN_TIME_ZONE='Mars/Base': expected the name of a time zone, for example Asia/Seoul or UTC.",
        ),
        (
            {"BRAIN_LOG_LEVEL": "LOUD"},
            "BRAIN_LOG_LEVEL='LOUD': expected one of DEBUG, INFO, WARNING, ERROR, CRITICAL.",
        ),
        ({"BRAIN_GRAPH": "bolt://h:many"}, "BRAIN_GRAPH='bolt://h:many': expected sql or neo4j://host:7687."),
        ({"BRAIN_VECTORS": "http://"}, "BRAIN_VECTORS='http://': expected edge or http://host:6333."),
        ({"BRAIN_EVENTS": "redis://[h"}, "BRAIN_EVENTS='redis://[h': expected memory or redis://host:6379/0."),
        ({"BRAIN_BROKER": "nobody://h"}, "BRAIN_BROKER='nobody://h': expected memory:// or redis://host:6379/1."),
        (
            {"BRAIN_LLM": "lama"},
            "BRAIN_LLM='lama': expected one of http, https, llama-cpp, recorded, scripted.",
        ),
    ],
)
@pytest.mark.parametrize("command", ["serve --no-models", "health"])
def test_a_wrong_setting_stops_the_start_with_one_sentence(
    changed: dict[str, str], said: str, command: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", *command.split()],
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


@pytest.mark.parametrize("name", ["secret.key", "serve.lock"])
def test_a_file_of_the_home_that_cannot_be_used_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    done = subprocess.run(
        [sys.executable, "manage.py", "serve", "--no-models"],
        cwd=settings.BASE_DIR,
        env=os.environ | {"BRAIN_HOME": str(tmp_path), "DJANGO_SETTINGS_MODULE": "brain.settings"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    said = "Is a directory. Point BRAIN_HOME at a folder whose files you may read and write."
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{tmp_path / name} cannot be used: {said}\n")


@pytest.mark.parametrize("buffered", ["", "1"])
def test_an_output_that_nobody_reads_to_its_end_is_no_mistake(buffered: str, tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "manage.py", "models", "--list"],
        cwd=settings.BASE_DIR,
        env=os.environ
        | {"BRAIN_HOME": str(tmp_path), "DJANGO_SETTINGS_MODULE": "brain.settings", "PYTHONUNBUFFERED": buffered},
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("value", ["http://127.0.0.1:9/v1?context=many", "http://127.0.0.1:9/v1?key_file=/nowhere"])
def test_an_adapter_s_wrong_option_is_named_with_its_setting(value: str, settings: Settings) -> None:
    settings.BRAIN_LLM = value
    with pytest.raises(ImproperlyConfigured, match=r"^BRAIN_LLM='http://127\.0\.0\.1:9/v1' cannot be used: .+\.$"):
        bootstrap.llm()


@pytest.mark.parametrize("error", [ProgrammingError("syntax"), IntegrityError("unique")])
def test_a_mistake_of_the_product_is_not_called_a_database_that_is_away(error: Error) -> None:
    assert database_problem(error) == ""


def test_the_machine_s_time_zone_is_that_of_its_variable_its_file_or_its_link(tmp_path: Path) -> None:
    assert machine_zone(variable="", etc=tmp_path) == "UTC"
    (tmp_path / "localtime").symlink_to("/usr/share/zoneinfo/Asia/Seoul")
    assert machine_zone(variable="", etc=tmp_path) == "Asia/Seoul"
    (tmp_path / "timezone").write_text("Europe/Berlin\n", encoding="utf-8")
    assert machine_zone(variable="", etc=tmp_path) == "Europe/Berlin"
    assert machine_zone(variable=":America/New_York", etc=tmp_path) == "America/New_York"
    assert machine_zone(variable="KST-9", etc=tmp_path) == "Europe/Berlin"


@pytest.mark.parametrize("port", ["0", "99999"])
def test_a_port_that_does_not_exist_is_refused(port: str) -> None:
    with pytest.raises(CommandError, match=rf"There is no port {port}\. Choose one from 1 to 65535, for example 8000."):
        call_command("serve", "--port", port)


@pytest.mark.parametrize("host", ["300.1.1.1", "192.0.2.1", "a" * 70 + ".example"])
def test_an_address_that_is_not_this_machine_s_is_not_blamed_on_the_port(host: str) -> None:
    with pytest.raises(CommandError, match=rf"^{host} is no address of this machine\. Use --host 127\.0\.0\.1 for "):
        call_command("serve", "--host", host)


def test_a_taken_port_names_another_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = rf"^Port {port} on 127\.0\.0\.1 cannot be used \(Address already in use\)\. Choose another one"
        with pytest.raises(CommandError, match=said):
            call_command("serve", "--port", str(port))


@pytest.mark.django_db
def test_asking_where_there_is_no_brain_says_how_to_make_one(brain: Brain) -> None:
    with pytest.raises(CommandError, match=rf"^There is no brain “x”\. There are: {brain.name}$"):
        call_command("ask", "x", "Who?")
    brain.delete()
    with pytest.raises(CommandError, match=r"^There is no brain yet\. Make one on the page, or with: "):
        call_command("ask", "x", "Who?")


@pytest.mark.django_db
def test_counts_have_their_nouns_in_the_right_number(brain: Brain, tmp_path: Path) -> None:
    file, out = tmp_path / "all.zip", StringIO()
    call_command("export", str(file), stdout=out)
    assert out.getvalue() == f"{file}: 1 brain, 0 sources, 0 passages, 0 mentions, 0 originals.\n"
    with override("ko"):
        assert amount(1, "brains") == "브레인 1개"


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
