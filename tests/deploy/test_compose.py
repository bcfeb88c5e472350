"""The container set-up publishes one port, names no password, and waits for what it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]


def test_only_the_web_is_published_and_on_loopback() -> None:
    assert {name: each["ports"] for name, each in SERVICES.items() if "ports" in each} == {
        "web": ["127.0.0.1:${BRAIN_PORT:-8000}:8000"]
    }
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    assert [name for name, each in SERVICES.items() if "outside" in each["networks"]] == ["web"]


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"migrate"}))
def test_a_service_comes_back_by_itself_and_is_asked_how_it_is(name: str) -> None:
    assert SERVICES[name]["restart"] == "unless-stopped"
    assert SERVICES[name]["healthcheck"]["test"]


def test_there_is_a_worker_for_every_queue() -> None:
    from brain.workers import THREADS

    commands = [each["command"] for each in SERVICES.values() if "work" in each.get("command", [])]
    assert sorted(command[-1] for command in commands) == sorted(THREADS)


def test_every_secret_comes_from_a_file_that_is_made_once(tmp_path: Path) -> None:
    used = {secret for each in SERVICES.values() for secret in each.get("secrets", [])}
    assert used == set(COMPOSE["secrets"])
    command = [sys.executable, "-S", str(ROOT / "brain" / "stack" / "passwords.py"), str(tmp_path / "secrets")]
    made = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert set(made) == used
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == ""
    assert (tmp_path / "secrets").stat().st_mode & 0o077 == 0
    assert {each["file"] for each in COMPOSE["secrets"].values()} == {f".secrets/{name}" for name in used}


def test_every_volume_is_named() -> None:
    mounted = {volume.split(":")[0] for each in SERVICES.values() for volume in each.get("volumes", [])}
    assert {name for name in mounted if "/" not in name and "$" not in name} == set(COMPOSE["volumes"])
