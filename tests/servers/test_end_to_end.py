"""``stack up`` and a person: upload, search, graph and a cited answer, with every part a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.person import PASSWORD, Person
from brain.stack.model_server import ModelServer
from brain.stack.postgresql import PostgreSQL
from brain.stack.programs import ProgramMissing, free_port
from brain.stack.stack import Stack
from tests.real_models import SMALL

pytestmark = [pytest.mark.server, pytest.mark.model, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
TEXT = """The Harbour Bridge

Ada Kim designed the Harbour Bridge. The Harbour Bridge opened in 1932. Ada Kim was born in Busan.
"""


class Installation:
    """One home, and the product's own commands on it."""

    def __init__(self, home: Path) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("BRAIN_", "QDRANT_"))}
        self.home = home
        self.env = kept | {
            "DJANGO_SETTINGS_MODULE": "brain.settings",
            "BRAIN_HOME": str(home),
            "BRAIN_MODELS": os.environ.get("BRAIN_MODELS", str(ROOT / "data" / "models")),
            "BRAIN_LLM_MODEL": SMALL,
            "BRAIN_LLM_CONTEXT": "4096",
            "BRAIN_RECONCILE_SECONDS": "1",
        }
        self.address = f"http://127.0.0.1:{free_port()}"

    def manage(self, *command: str, on_servers: bool = False) -> str:
        env = self.env | (Stack(self.home / "stack").env() if on_servers else {})
        ended = subprocess.run(
            [sys.executable, "manage.py", *command], cwd=ROOT, env=env, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    def log(self) -> str:
        return (self.home / "stack" / "app" / "serve.log").read_text(encoding="utf-8")


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[Installation]:
    try:
        for server in (*Stack(tmp_path / "stack").servers, ModelServer(SMALL)):
            server.require()
    except ProgramMissing as error:
        pytest.skip(error.notice.english)
    made = Installation(tmp_path)
    try:
        made.manage("stack", "up", "--model-server", "--port", made.address.rpartition(":")[2])
        yield made
    finally:
        stopped = made.manage("stack", "down")
        PostgreSQL().discard(tmp_path / "stack" / "postgresql")
    assert [line.split()[0] for line in stopped.splitlines()] == [
        "serve",
        "model-server",
        "neo4j",
        "redis",
        "postgresql",
    ]


def soon(condition: Callable[[], object], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.3)


@pytest.fixture
def person(installed: Installation) -> Iterator[Person]:
    """The first owner, by the link that is printed, and his brain."""
    soon(lambda: "/setup/" in installed.log(), 30)
    found = re.search(r"/setup/[^/\s]+/", installed.log())
    assert found
    person = Person(installed.address, "")
    person.client.get(found[0])
    form = {"username": "owner", "password1": PASSWORD, "password2": PASSWORD, "brain_name": "Bridges"}
    done = person.client.post(found[0], data=form | {"csrfmiddlewaretoken": person.client.cookies["csrftoken"]})
    assert done.status_code == 302
    person.brain = done.headers["Location"].split("/")[2]
    yield person
    person.client.close()


def test_from_an_upload_to_a_cited_answer_on_servers(installed: Installation, person: Person) -> None:
    assert person.upload("bridge", TEXT.encode()) == "accepted"

    soon(lambda: "Harbour Bridge" in person.client.get(f"/brains/{person.brain}/graph/").text, 240)

    message = person.ask("Who designed the Harbour Bridge?")

    def answer() -> str:
        return person.client.get(f"/messages/{message}/", headers={"HX-Request": "true"}).text

    soon(lambda: "data-stream" not in answer(), 240)
    assert ["Ada Kim" in answer(), "bridge.txt" in answer(), "<blockquote>" in answer()] == [True] * 3

    said = installed.manage("health", on_servers=True)
    assert re.search(r"language model +up", said)
    assert said.strip().endswith("Everything answers.")
