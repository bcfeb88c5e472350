"""Files to text, read in a child process that can do no harm: ``ingestion.cage`` is the child, this its keeper."""

from __future__ import annotations

import json
import logging
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_noop as _

from brain import bootstrap, errors
from brain.errors import Cancelled, ServiceUnavailable, SourceLimit, UnreadableSource
from brain.values import Document
from ingestion import media, recordings
from ingestion.loaders.wire import audio_from_json, document_from_json

logger = logging.getLogger(__name__)

TOO_SLOW = _("Reading this file takes longer than %(seconds)s s. Split it and upload the parts.")
TOO_BIG = _("Reading this file needs more than %(megabytes)s MB of memory. Split it and upload the parts.")
NO_CHILD = _("The process that reads files cannot be started. Is the machine short of memory?")
KILLED = _("The process that reads files was stopped from outside. Reading starts again by itself.")


class ReaderKilled(ServiceUnavailable):
    """The child was killed from outside: perhaps by an operator, perhaps for its memory by the kernel."""


_PROJECT = Path(__file__).resolve().parent.parent
_REPLY_LIMIT = 512 * 2**20
_ASK_EVERY_SECONDS = 0.2
_DATING_SECONDS = 10
_VERDICTS = {
    kind.__name__: kind
    for kind in (
        errors.UnreadableSource,
        errors.EmptySource,
        errors.LockedSource,
        errors.UnsupportedSource,
        errors.SourceLimit,
        errors.ServiceUnavailable,
    )
}


class LibraryFault(UnreadableSource):
    """A library crashed on the file, within its limits."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may cost. ``file_mb``: what the child may write, which only recordings need."""

    seconds: int
    memory_mb: int
    file_mb: int = 0

    @property
    def cpu_seconds(self) -> int:
        return self.seconds


def read(
    path: Path,
    media_type: str,
    *,
    title: str,
    on_progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    limits: Limits | None = None,
) -> Document:
    """The file as text. ``title`` stands in where the file does not name itself; progress goes from 0 to 1.

    Raises ``UnreadableSource`` and its kinds for the file's own faults, ``ModelMissing`` and
    ``ServiceUnavailable`` for the installation's, ``Cancelled`` within half a second of ``cancelled()``.
    """
    limits = limits or Limits(settings.READER_SECONDS, settings.READER_MEMORY_MB)
    on_progress, cancelled = on_progress or _ignore, cancelled or _never
    if media_type not in media.READABLE:
        raise errors.UnsupportedSource()
    request = {"path": str(path), "media_type": media_type, "title": title}
    if media_type not in media.RECORDINGS:
        try:
            reply = run_caged(request, limits, on_progress, cancelled)
        except LibraryFault:
            if media_type != media.PDF:
                raise
            reply = run_caged({**request, "second_reader": True}, limits, on_progress, cancelled)
        return document_from_json(reply["document"])
    transcriber = bootstrap.transcriber()
    transcriber.ready()
    with recordings.workspace(settings.BRAIN_HOME / "reading") as folder:
        limits = replace(limits, file_mb=recordings.WAV_LIMIT_MB)
        decoded = run_caged(
            {**request, "folder": str(folder)},
            limits,
            lambda share: on_progress(share * recordings.DECODING_SHARE),
            cancelled,
        )
        return recordings.transcribe(
            audio_from_json(decoded["audio"]),
            folder,
            transcriber,
            title=title,
            on_progress=on_progress,
            cancelled=cancelled,
        )


def made_on(path: Path) -> date | None:
    """The day that a PDF says it was made, or None; half a second, whatever its length. ``ServiceError`` passes."""
    limits = Limits(_DATING_SECONDS, settings.READER_MEMORY_MB)
    request = {"path": str(path), "media_type": media.PDF, "title": "", "only_date": True}
    try:
        dated = run_caged(request, limits, _ignore, _never)["dated"]
    except errors.InputError:
        return None
    return date.fromisoformat(dated) if dated else None


def run_caged(
    request: dict[str, Any], limits: Limits, on_progress: Callable[[float], None], cancelled: Callable[[], bool]
) -> dict[str, Any]:
    """The child's last reply; whatever else it ended with is raised as an error of ``brain.errors``."""
    deadline = time.monotonic() + limits.seconds
    with _child(request, limits) as cage:
        for line in _lines(cage, deadline, cancelled, limits):
            message: dict[str, Any] = json.loads(line)
            if "progress" in message:
                on_progress(message["progress"])
            elif "error" in message:
                verdict = message["error"]
                raise _VERDICTS.get(verdict["class"], UnreadableSource)(verdict["text"], **verdict["params"])
            elif "crash" in message:
                raise _crashed(message, limits)
            else:
                return message
        raise _died(cage, limits)


@dataclass(slots=True)
class _Cage:
    """A running child and the end of the pipe that it answers on. ``peak_mb``: of address space, as last seen."""

    process: subprocess.Popen[bytes]
    replies: int
    peak_mb: int = 0

    def look(self) -> None:
        """The kernel's own record (ru_maxrss) starts with this process's size, so it says nothing of the child."""
        with suppress(OSError, StopIteration):
            with open(f"/proc/{self.process.pid}/status", encoding="ascii", errors="replace") as status:
                peak = next(line for line in status if line.startswith("VmPeak:"))
            self.peak_mb = int(peak.split()[1]) // 1024


@contextmanager
def _child(request: dict[str, Any], limits: Limits) -> Iterator[_Cage]:
    """A fresh interpreter, never a fork of this process; it and its group are dead when this ends."""
    replies, reply = os.pipe()
    try:
        child = subprocess.Popen(
            [sys.executable, "-B", "-m", "ingestion.cage"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=_PROJECT,
            env=_environment(),
            pass_fds=(reply,),
            start_new_session=True,
        )
    except OSError as error:
        os.close(replies)
        raise ServiceUnavailable(
            _("The process that reads files cannot be started. Is the machine short of memory?")
        ) from error
    finally:
        os.close(reply)
    try:
        bounds = {**asdict(limits), "cpu_seconds": limits.cpu_seconds}
        order = json.dumps({**request, "reply": reply, "parent": os.getpid(), "limits": bounds})
        assert child.stdin is not None
        try:
            child.stdin.write(order.encode())
            child.stdin.close()
        except BrokenPipeError:
            logger.warning("reader ended before it was told what to read")
        yield _Cage(child, replies)
    finally:
        os.close(replies)
        _kill(child)


def _kill(child: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _environment() -> dict[str, str]:
    """No secrets, no settings, no proxies, one thread for each library."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return {
        **kept,
        "LANG": "C.UTF-8",
        "DJANGO_SETTINGS_MODULE": "ingestion.cage_settings",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }


def _lines(cage: _Cage, deadline: float, cancelled: Callable[[], bool], limits: Limits) -> Iterator[bytes]:
    """Lines as they come, until the child closes its end."""
    pending: list[bytes] = []
    size = 0
    while True:
        if cancelled():
            raise Cancelled()
        if time.monotonic() > deadline:
            raise SourceLimit(TOO_SLOW, seconds=limits.seconds)
        cage.look()
        if not select.select([cage.replies], [], [], _ASK_EVERY_SECONDS)[0]:
            continue
        piece = os.read(cage.replies, 2**20)
        if not piece:
            return
        *lines, rest = piece.split(b"\n")
        for line in lines:
            yield b"".join((*pending, line))
            pending, size = [], 0
        pending.append(rest)
        size += len(rest)
        if size > _REPLY_LIMIT:
            raise SourceLimit(TOO_BIG, megabytes=limits.memory_mb)


def _crashed(message: dict[str, Any], limits: Limits) -> UnreadableSource:
    logger.warning("reader crashed: %s at %s", message["crash"], message["place"])
    if message["crash"] == "MemoryError":
        return SourceLimit(TOO_BIG, megabytes=limits.memory_mb)
    return UnreadableSource()


def _died(cage: _Cage, limits: Limits) -> errors.BrainError:
    """Why there is no last reply: by the signal, and by what the child had used up."""
    _pid, status, usage = os.wait4(cage.process.pid, 0)
    ended = cage.process.returncode = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    logger.warning("reader ended with %s after %.1f s of CPU, %s MB of address space", ended, cpu, cage.peak_mb)
    if ended == -signal.SIGXCPU or cpu >= limits.cpu_seconds:
        return SourceLimit(TOO_SLOW, seconds=limits.seconds)
    if ended in {-signal.SIGKILL, -signal.SIGTERM}:
        return ReaderKilled(KILLED)
    # C libraries abort when an allocation fails, which it does well before the limit is used up.
    if ended < 0 and cage.peak_mb > limits.memory_mb // 2:
        return SourceLimit(TOO_BIG, megabytes=limits.memory_mb)
    return LibraryFault()


def _ignore(_share: float) -> None:
    pass


def _never() -> bool:
    return False
