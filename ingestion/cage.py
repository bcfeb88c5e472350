"""The child process that reads untrusted files: ``python -m ingestion.cage``, started by ``ingestion.reader``.

One request comes in as JSON on standard input; replies go out as JSON lines on the descriptor it names:
``{"progress": 0.5}`` any number of times, then one of ``{"document": {...}}``, ``{"audio": {...}}``,
``{"dated": "2024-05-15"}``,
``{"error": {...}}``, ``{"crash": "..."}``. A child that ends without one was killed: by a limit, or by a fault
in a library. Neither Django's models nor settings are imported: 0.3 s to the first byte read.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from brain.errors import BrainError
from ingestion import media
from ingestion.loaders.wire import audio_as_json, document_as_json

Reply = Callable[[dict[str, Any]], None]

_PR_SET_PDEATHSIG = 1
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
# What a reader of files has no business doing. The name space below also stops the C libraries; this stops
# Python where name spaces are not to be had.
_REFUSED_EVENTS = frozenset(
    {"socket.__new__", "socket.connect", "socket.bind", "socket.getaddrinfo", "subprocess.Popen", "os.system"}
    | {"os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn"}
)


def main() -> None:
    request = json.load(sys.stdin)
    reply = _reply_on(int(request["reply"]))
    sys.excepthook = _crash_reporter(reply)
    close_the_door(int(request["parent"]), request["limits"])
    try:
        reply(_read(request, lambda share: reply({"progress": round(share, 4)})))
    except BrainError as error:
        reply({"error": {"class": type(error).__name__, **error.notice.as_json()}})


def _read(request: dict[str, Any], on_progress: Callable[[float], None]) -> dict[str, Any]:
    path, media_type, title = Path(request["path"]), request["media_type"], request["title"]
    if media_type in media.RECORDINGS:
        from ingestion.loaders import audio

        decoded = audio.decode(path, media_type, Path(request["folder"]), on_progress=on_progress)
        return {"audio": audio_as_json(decoded)}
    if media_type == media.PDF:
        from ingestion.loaders import pdf

        if request.get("only_date"):
            return {"dated": pdf.made_on(path)}
        if request.get("second_reader"):
            return {"document": document_as_json(pdf.load_by_second_reader(path, title=title))}
        return {"document": document_as_json(pdf.load(path, title=title, on_progress=on_progress))}
    from ingestion.loaders import text

    return {"document": document_as_json(text.load(path, media_type, title=title))}


def close_the_door(parent: int, limits: dict[str, int]) -> None:
    """From here on: bounded memory, CPU and files, no network, no children, and death with ``parent``.

    ``limits``: ``memory_mb`` of address space, ``cpu_seconds``, ``file_mb`` that may be written.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
    # Root needs no user name space for a network of its own, and would lose its rights to files in one.
    libc.unshare(_CLONE_NEWNET if os.geteuid() == 0 else _CLONE_NEWUSER | _CLONE_NEWNET)
    memory, cpu = limits["memory_mb"] * 2**20, limits["cpu_seconds"]
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 2))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits["file_mb"] * 2**20,) * 2)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.addaudithook(_refuse)


def _refuse(event: str, _arguments: tuple[Any, ...]) -> None:
    if event in _REFUSED_EVENTS:
        raise PermissionError(f"{event} is not for readers of files")


def _reply_on(descriptor: int) -> Reply:
    stream = os.fdopen(descriptor, "w", encoding="utf-8")

    def reply(message: dict[str, Any]) -> None:
        json.dump(message, stream)
        stream.write("\n")
        stream.flush()

    return reply


def _crash_reporter(reply: Reply) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """Names the error and the line, never the message: it may hold words of the document."""

    def report(kind: type[BaseException], _error: BaseException, trace: TracebackType | None) -> None:
        frames = traceback.extract_tb(trace, limit=-1)
        place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
        reply({"crash": kind.__name__, "place": place})

    return report


if __name__ == "__main__":
    main()
