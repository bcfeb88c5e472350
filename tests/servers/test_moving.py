"""From the embedded install to the servers and back: the same brain each time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.server, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]

FILL = """
import io, django
django.setup()
from bench.plain_facts import model
from brain import bootstrap
from brain.models import Brain, Membership, User
from ingestion import uploads, worker
from ingestion.pipeline import Ports
owner = User.objects.create_user("owner", password="correct horse battery")
brain = Brain.objects.create(name="moved")
Membership.objects.create(brain=brain, user=owner, role="owner")
bootstrap.use("BRAIN_LLM", model())
for name, text in {
    "a.txt": "Ada Byron (person) advises Engine Works (organization).",
    "b.md": "# Halls\\n\\nAda Byron (person) visits Difference Hall (place).",
    "c.txt": "Engine Works (organization) owns Difference Hall (place). 한국어 문장도 있다.",
}.items():
    uploads.accept(brain, owner, name, io.BytesIO(text.encode()))
ports = Ports(llm=bootstrap.llm)
while any(worker.work(stages, ports) for stages in (worker.READING, worker.EMBEDDING, worker.EXTRACTING)):
    pass
bootstrap.close_all()
"""
DUMP = """
import json, django
django.setup()
from brain import bootstrap
from brain.ledger import dump
from brain.models import Brain
print(json.dumps(dump.canonical(Brain.objects.get().pk)))
bootstrap.close_all()
"""


class Installation:
    """One home and its settings; every call is a process of its own."""

    def __init__(self, home: Path, **settings: str) -> None:
        home.mkdir()
        self.home = home
        kept = {name: value for name, value in os.environ.items() if not name.startswith("BRAIN_")}
        defaults = {"BRAIN_LLM": "scripted", "BRAIN_EMBEDDER": "hash", "BRAIN_LOG_LEVEL": "ERROR"}
        self.env = {**kept, **defaults, "BRAIN_HOME": str(home), "DJANGO_SETTINGS_MODULE": "brain.settings", **settings}
        self.manage("migrate", "--verbosity=0")

    def manage(self, *command: str) -> str:
        return self._run(str(ROOT / "manage.py"), *command)

    def python(self, script: str) -> str:
        return self._run("-c", script)

    def dump(self) -> Any:
        return json.loads(self.python(DUMP).splitlines()[-1])

    def _run(self, *command: str) -> str:
        ended = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=self.env, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout


def test_embedded_to_servers_and_back_ends_in_equal_dumps(
    postgresql_url: str, neo4j_url: str, redis_url: str, tmp_path: Path
) -> None:
    embedded = Installation(tmp_path / "embedded")
    embedded.python(FILL)
    before = embedded.dump()
    assert any('"graph entity"' in line for line in before)
    assert any('"point"' in line for line in before)
    embedded.manage("export", str(tmp_path / "out.zip"), "--with-accounts")

    servers = Installation(
        tmp_path / "servers",
        BRAIN_DATABASE=postgresql_url,
        BRAIN_GRAPH=neo4j_url,
        BRAIN_EVENTS=redis_url,
        BRAIN_VECTORS=f"qdrant-local:{tmp_path / 'servers' / 'qdrant'}",
    )
    servers.manage("import", str(tmp_path / "out.zip"))
    assert servers.dump() == before
    assert servers.manage("verify").strip() == "No differences."
    servers.manage("export", str(tmp_path / "back.zip"), "--with-accounts")

    again = Installation(tmp_path / "again")
    again.manage("import", str(tmp_path / "back.zip"))
    assert again.dump() == before
