"""Sample files: those that lie beside the project, and those made here."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

DATA = Path(os.environ.get("BRAIN_DATA", settings.BASE_DIR.parent / "shared" / "data"))
KOREAN_FONT = "HYSMyeongJo-Medium"


def sample(name: str) -> Path:
    """A file of the data folder; the test is skipped where it is not there."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"The sample {name} is not in {DATA} (BRAIN_DATA).")
    return path


def program(name: str) -> str:
    """The path of a program that makes test files; the test is skipped where it is missing."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"The program {name} is not installed.")
    return path


def speak(path: Path, words: str, *, voice: str = "en-us") -> Path:
    """Words spoken into a WAV file by espeak-ng."""
    subprocess.run([program("espeak-ng"), "-v", voice, "-s", "150", "-w", str(path), words], check=True)
    return path


def sox(*arguments: str | Path) -> None:
    subprocess.run([program("sox"), *map(str, arguments)], check=True, stderr=subprocess.DEVNULL)


def run(code: str, *arguments: str, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """A fresh Python with the project on its path."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=settings.BASE_DIR,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        text=True,
    )
