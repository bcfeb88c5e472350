"""Installations of their own for measurements: a folder, a migrated database, and processes that can be killed.

A fork is a whole process of the product that starts in milliseconds. It shares nothing with its parent but the
folder on disk, and SIGKILL ends it as a power cut would.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import pickle
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

_EMPTY = "empty"


@contextmanager
def temporary_home(prefix: str = "brain-bench-") -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def start_django(home: Path, **environment: str) -> None:
    """Configure this process for ``home`` and migrate its database. Nothing of the product may be imported before."""
    os.environ.update({"BRAIN_HOME": str(home), "DJANGO_SETTINGS_MODULE": "brain.settings", **environment})
    os.environ.setdefault("BRAIN_LOG_LEVEL", "ERROR")
    import django
    from django.core.management import call_command

    django.setup()
    from django.conf import settings

    if home.resolve() != settings.BRAIN_HOME:
        raise RuntimeError(f"something of the product was imported before: it works on {settings.BRAIN_HOME}")
    call_command("migrate", verbosity=0, interactive=False)
    from django.db import connection

    if connection.vendor == "postgresql":
        _copy_database(str(connection.settings_dict["NAME"]), _EMPTY)
    # Imported once here instead of in every fork.
    for module in (
        "langchain_text_splitters",
        "qdrant_edge",
        "ingestion.loaders.text",
        "ingestion.worker",
        "bench.plain_facts",
    ):
        importlib.import_module(module)


def use_home(home: Path, template: Path) -> None:
    """Point this process at another folder, whose database starts as a copy of ``template``.

    On PostgreSQL it is a database of the same server, and starts as the one of ``start_django`` was.
    """
    from django.conf import settings
    from django.db import connection

    connection.close()
    home.mkdir(parents=True, exist_ok=True)
    if connection.vendor == "postgresql":
        name = hashlib.sha256(str(home).encode()).hexdigest()[:16]
        _copy_database(_EMPTY, name)
        database = name
    else:
        database = str(home / "brain.sqlite3")
        if not Path(database).exists():
            shutil.copy(template, database)
    settings.BRAIN_HOME = home
    settings.ORIGINALS_DIR = home / "originals"
    settings.VECTORS_DIR = home / "vectors"
    settings.FILE_UPLOAD_TEMP_DIR = home / "incoming"
    for folder in (settings.ORIGINALS_DIR, settings.VECTORS_DIR, settings.FILE_UPLOAD_TEMP_DIR):
        folder.mkdir(exist_ok=True)
    connection.settings_dict["NAME"] = database


def _copy_database(template: str, name: str) -> None:
    """Does nothing if there is one of this name."""
    from django.db import connection

    kept = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = "postgres"
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
            if not cursor.fetchone():
                cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    finally:
        connection.close()
        connection.settings_dict["NAME"] = kept


class Killed(Exception):
    """The process ended by SIGKILL, as it was told to."""


def in_process(work: Callable[[], T]) -> T:
    """Run ``work`` in a fork and return what it returned. ``Killed`` if it was killed; its errors are raised here."""
    from django.db import connection

    # Two processes on one connection to a server would read each other's answers.
    connection.close()
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _child(work, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        answer = answers.read()
    _pid, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        raise Killed
    kind, value = pickle.loads(answer) if answer else ("error", f"the process ended with status {status}")
    if kind == "error":
        raise RuntimeError(value)
    result: T = value
    return result


def _child(work: Callable[[], Any], writing: int) -> None:
    """Never returns: a fork must not run its parent's clean-up."""
    try:
        answer = ("value", work())
    except BaseException:  # noqa: BLE001 - whatever it was, the parent is told
        answer = ("error", traceback.format_exc())
    with os.fdopen(writing, "wb") as answers:
        pickle.dump(answer, answers)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


class KillAt:
    """Ends this process by SIGKILL at the n-th SQL statement from now, before or after it runs.

    Every step of the product is bracketed by statements, so this reaches any instant that matters for the rows,
    and it is the same instant whenever the history is run again.
    """

    def __init__(self, statement: int, *, after: bool) -> None:
        self.left = statement
        self.after = after

    def __call__(self, execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        self.left -= 1
        if self.left == 0 and not self.after:
            os.kill(os.getpid(), signal.SIGKILL)
        result = execute(sql, params, many, context)
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result
