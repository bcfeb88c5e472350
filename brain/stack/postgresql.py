"""PostgreSQL from the system's packages, in a folder of its own."""

from __future__ import annotations

import hashlib
import os
import pwd
import secrets
import shutil
import signal
from dataclasses import replace
from pathlib import Path

import psycopg
from django.utils.translation import gettext_noop as _

from brain.stack.programs import Command, ProgramMissing, Running, free_port, launch, secret

_MISSING = _("PostgreSQL is not installed here. Install it, on Debian with: apt-get install postgresql")
_ROOT = _("PostgreSQL does not run as root, and this machine has no user named postgres or nobody to run it as.")


class PostgreSQL:
    name = "postgresql"

    def require(self) -> None:
        _program("initdb")
        _program("postgres")
        _user()

    def start(self, home: Path, *, port: int = 0) -> Running:
        """``port``: the one to come back on, after a stop."""
        self.require()
        home.mkdir(parents=True, exist_ok=True)
        user, port = _user(), port or free_port()
        password = secret(home, lambda: secrets.token_urlsafe(24))
        data = _data_folder(home, user)
        if not (data / "PG_VERSION").exists():
            self._create(home, data, user, password)
        argv = [_program("postgres"), "-D", str(data), "-p", str(port), "-c", "listen_addresses=127.0.0.1"]
        command = Command([*argv, "-c", f"unix_socket_directories={data}"], data.parent, user=user)
        url = f"postgresql://brain:{password}@127.0.0.1:{port}"
        running = launch(self.name, command, home, f"{url}/brain", lambda: _answers(url), seconds=60)
        _create_database(url)
        # SIGTERM would wait until the last client goes.
        return replace(running, ask=signal.SIGINT)

    def discard(self, home: Path) -> None:
        """Remove what ``start`` keeps, wherever it is."""
        shutil.rmtree(_data_folder(home, _user()).parent if _user() else home, ignore_errors=True)

    def _create(self, home: Path, data: Path, user: str | None, password: str) -> None:
        shutil.rmtree(data, ignore_errors=True)
        given = data.parent / "initial-password"
        given.touch(mode=0o600)
        given.write_text(password, encoding="ascii")
        _give(given, user)
        argv = [_program("initdb"), "-D", str(data), "-U", "brain", "--auth=scram-sha-256", "-E", "UTF8"]
        argv += ["--locale=C.UTF-8", f"--pwfile={given}"]
        try:
            Command(argv, data.parent, user=user).run(home / f"{self.name}.log", self.name)
        finally:
            given.unlink()


def _program(name: str) -> str:
    """Debian keeps the server's programs out of PATH."""
    found = shutil.which(name)
    if found:
        return str(Path(found).resolve())
    kept = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    if not kept:
        raise ProgramMissing(_MISSING)
    return str(kept[-1])


def _user() -> str | None:
    """Who runs it: None for oneself; the server refuses to run as root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    for name in ("postgres", "nobody"):
        if name in known:
            return name
    raise ProgramMissing(_ROOT)


def _data_folder(home: Path, user: str | None) -> Path:
    """Inside ``home``; for another user in a place that he can reach, as a root's folders are closed to him."""
    if user is None:
        return home / "data"
    folder = Path("/var/tmp") / f"brain-postgresql-{hashlib.sha256(str(home).encode()).hexdigest()[:16]}"
    folder.mkdir(mode=0o700, exist_ok=True)
    _give(folder, user)
    return folder / "data"


def _give(path: Path, user: str | None) -> None:
    if user is not None:
        shutil.chown(path, user)


def _answers(url: str) -> bool:
    try:
        psycopg.connect(f"{url}/postgres", connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def _create_database(url: str) -> None:
    with psycopg.connect(f"{url}/postgres", autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = 'brain'").fetchone():
            connection.execute("CREATE DATABASE brain")
