"""The language model's engine: compiled from source by the environment's own package client."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext_noop as _

from brain.errors import ServiceUnavailable
from brain.values import Notice
from brain.weights import progress
from brain.weights.progress import ENGINE, Status

# Only the library is wanted: 3 min 50 s instead of 7 min on two cores.
CMAKE_ARGS = " ".join(
    f"-D{name}=OFF"
    for name in (
        "LLAVA_BUILD",
        "LLAMA_BUILD_TOOLS",
        "LLAMA_BUILD_SERVER",
        "LLAMA_BUILD_EXAMPLES",
        "LLAMA_BUILD_TESTS",
        "LLAMA_CURL",
    )
)
_NEEDED_MB = 1500
_USUAL_SECONDS = 300


def is_installed() -> bool:
    return importlib.util.find_spec("llama_cpp") is not None


def status() -> Status:
    """``done_bytes`` of ``total_bytes`` are seconds here: those gone by, and those it usually takes."""
    if is_installed():
        return Status(ENGINE, "ready", _USUAL_SECONDS, _USUAL_SECONDS)
    return progress.status((ENGINE,))[0]


def obstacles() -> list[Notice]:
    """What stands in the way of compiling; empty if nothing does."""
    found = []
    if not any(shutil.which(name) for name in (os.environ.get("CC") or "cc", "gcc", "clang")):
        found.append(Notice(_("There is no C compiler. Install one (Debian and Ubuntu: apt install build-essential).")))
    if not any(shutil.which(name) for name in (os.environ.get("CXX") or "c++", "g++", "clang++")):
        found.append(
            Notice(_("There is no C++ compiler. Install one (Debian and Ubuntu: apt install build-essential)."))
        )
    free = shutil.disk_usage(sys.prefix).free >> 20
    if free < _NEEDED_MB:
        sentence = _("Compiling the engine needs %(needed)s MB of free disk space; %(free)s MB are free.")
        found.append(Notice(sentence, {"needed": _NEEDED_MB, "free": free}))
    return found


def install(on_progress: Callable[[float, float], None] | None = None) -> None:
    """Compile and install the engine if it is not there. ``on_progress(seconds gone, seconds it usually takes)``.

    CMake and Ninja come with the package client's build; a compiler must be on the machine.
    """
    if is_installed():
        return
    for notice in obstacles():
        progress.write(Status(ENGINE, "failed", 0, _USUAL_SECONDS, notice.english))
        raise ServiceUnavailable(notice.text, **notice.params)
    log = Path(settings.BRAIN_HOME) / "engine-build.log"
    started = time.monotonic()
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "-r", str(_requirements())],
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, "CMAKE_ARGS": os.environ.get("CMAKE_ARGS") or CMAKE_ARGS},
        )
        try:
            while process.poll() is None:
                gone = time.monotonic() - started
                progress.write(Status(ENGINE, "fetching", int(gone), max(_USUAL_SECONDS, int(gone))))
                if on_progress is not None:
                    on_progress(gone, _USUAL_SECONDS)
                time.sleep(1.0)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
    importlib.invalidate_caches()
    if process.returncode or not is_installed():
        error = ServiceUnavailable(
            _("The language model's engine could not be built. The end of %(log)s says why."), log=str(log)
        )
        progress.write(Status(ENGINE, "failed", 0, _USUAL_SECONDS, str(error)))
        raise error
    progress.write(Status(ENGINE, "ready", _USUAL_SECONDS, _USUAL_SECONDS))


def _requirements() -> Path:
    return Path(settings.BASE_DIR) / "requirements-engine.txt"
