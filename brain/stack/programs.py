"""A program that runs in the background: started, waited for, found again, stopped."""

from __future__ import annotations

import errno
import json
import os
import pwd
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from django.utils.translation import gettext_noop as _

from brain.errors import BrainError, ServiceUnavailable

_DIED = _('%(name)s stopped while starting. The end of its log, "%(log)s", says: %(line)s')
_TAKEN = _(
    "Port %(port)s on %(host)s cannot be used (%(reason)s). Choose another one, for example: --port %(next)s "
    "(make run PORT=%(next)s)"
)
_NO_ADDRESS = _(
    "%(host)s is no address of this machine. Use --host 127.0.0.1 for this machine only, or --host 0.0.0.0 for all its "
    "addresses."
)
_LAST_PORT = 65535
_LATE = _('%(name)s did not answer within %(seconds)s seconds. Its log is "%(log)s".')


class ProgramMissing(BrainError):
    """A program is not installed. The sentence says how to get it."""

    code = "program_missing"


@dataclass(frozen=True, slots=True)
class Running:
    """A started program. ``born``: the kernel's start time of the process, so that a reused id is not mistaken
    for it. ``url`` holds the password; the file this is kept in is for its owner only. ``ask`` is the signal
    that asks the program to end in good order."""

    name: str
    pid: int
    born: str
    url: str
    log: str
    ask: int = signal.SIGTERM

    @property
    def alive(self) -> bool:
        return bool(self.born) and _born(self.pid) == self.born

    def stop(self, *, seconds: float = 20.0, kill: bool = False) -> None:
        """Ask it to end, and end it if it does not. ``kill`` does not ask: what a power cut does."""
        until = time.monotonic() + (0 if kill else seconds)
        if not kill:
            self._signal(self.ask)
        while self.alive:
            if time.monotonic() >= until:
                self._signal(signal.SIGKILL)
            time.sleep(0.05)

    def freeze(self) -> None:
        """Hold it still, as a server that hangs."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        if self.alive:
            os.kill(self.pid, number)

    def save(self, path: Path) -> None:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            json.dump(asdict(self), file)

    @classmethod
    def load(cls, path: Path) -> Running | None:
        """What ``save`` kept; None if nothing, or if the process has ended."""
        try:
            running = cls(**json.loads(path.read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None
        return running if running.alive else None


class Program(Protocol):
    """One kind of server."""

    name: str

    def require(self) -> None:
        """Return if it can be started here; ``ProgramMissing`` says what has to be installed."""

    def start(self, home: Path) -> Running:
        """Start it with its files in ``home``, new or from before, and wait until it answers."""


@dataclass(frozen=True, slots=True)
class Command:
    """What to run. ``user``: as somebody else, where a program refuses to run as root."""

    argv: Sequence[str]
    folder: Path
    env: Mapping[str, str] = field(default_factory=dict)
    user: str | None = None

    def spawn(self, log: Path) -> subprocess.Popen[bytes]:
        with log.open("ab") as out:
            process: subprocess.Popen[bytes] = subprocess.Popen(
                list(self.argv),
                cwd=self.folder,
                env={**os.environ, **self.env},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                **as_user(self.user),
            )
        return process

    def run(self, log: Path, name: str) -> None:
        """Run to the end; ``ServiceUnavailable`` with the last line of its log if it fails."""
        if self.spawn(log).wait():
            raise ServiceUnavailable(_DIED, name=name, log=str(log), line=last_line(log))


def launch(
    name: str, command: Command, home: Path, url: str, answers: Callable[[], bool], *, seconds: float
) -> Running:
    """Start ``command`` and wait until ``answers``."""
    log = home / f"{name}.log"
    process = command.spawn(log)
    until = time.monotonic() + seconds
    while not answers():
        if process.poll() is not None:
            raise ServiceUnavailable(_DIED, name=name, log=str(log), line=last_line(log))
        if time.monotonic() > until:
            process.kill()
            process.wait()
            raise ServiceUnavailable(_LATE, name=name, log=str(log), seconds=int(seconds))
        time.sleep(0.1)
    _Reaper.watch(process)
    return Running(name, process.pid, _born(process.pid), url, str(log))


class _Reaper:
    """Programs started by this process: polled when asked about, so that none stays a zombie."""

    _children: dict[int, subprocess.Popen[bytes]] = {}

    @classmethod
    def watch(cls, process: subprocess.Popen[bytes]) -> None:
        cls._children[process.pid] = process

    @classmethod
    def poll(cls, pid: int) -> None:
        if (process := cls._children.get(pid)) and process.poll() is not None:
            del cls._children[pid]


def _born(pid: int) -> str:
    """The start time of a live process in the kernel's ticks; empty if there is none, or only a zombie."""
    _Reaper.poll(pid)
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""
    # The name in parentheses may hold blanks: fields are counted after it. 0 is the state, 19 the start time.
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] == "Z" else fields[19]


def free_port() -> int:
    """A loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def require_port(host: str, port: int) -> None:
    """Raise if one cannot listen there. Where somebody else does, his answers would be taken for those of the program
    about to start."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, UnicodeError) as error:  # a name longer than names may be is the latter
            if isinstance(error, (socket.gaierror, UnicodeError)) or error.errno == errno.EADDRNOTAVAIL:
                raise ServiceUnavailable(_NO_ADDRESS, host=host) from error
            following = port + 1 if port < _LAST_PORT else 8000
            reason = error.strerror or str(error)
            raise ServiceUnavailable(_TAKEN, port=port, host=host, reason=reason, next=following) from error


def last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")[:300]


def as_user(name: str | None) -> dict[str, Any]:
    """Arguments for ``subprocess`` to run as ``name``."""
    if name is None:
        return {}
    entry = pwd.getpwnam(name)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def secret(home: Path, make: Callable[[], str]) -> str:
    """The password kept in ``home``; made at the first start."""
    path = home / "password"
    if not path.exists():
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii") as file:
            file.write(make())
    return path.read_text(encoding="ascii")
