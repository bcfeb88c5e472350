"""Uploaded files, kept as they came, under the hash of their bytes.

Two sources of the same bytes (in two brains) share one file; it goes when the last of them does.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext_noop as _

from brain.errors import ServiceUnavailable, SourceLimit

_PIECE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Original:
    """Bytes on disk, not yet in their place. ``head`` are the first 8 KiB."""

    temporary: Path
    sha256: str
    size: int
    head: bytes


def path_of(sha256: str) -> Path:
    return settings.ORIGINALS_DIR / sha256[:2] / sha256


def receive(stream: BinaryIO) -> Original:
    """Copy a stream to disk in pieces; the memory used does not grow with the file.

    ``SourceLimit`` above the upload limit, ``ServiceUnavailable`` when the disk is nearly full.
    """
    limit = settings.UPLOAD_LIMIT_MB * 1024 * 1024
    if shutil.disk_usage(settings.BRAIN_HOME).free < settings.FREE_DISK_MB * 1024 * 1024:
        raise ServiceUnavailable(
            _("The disk of this installation is nearly full. Ask your administrator to free space, then upload again.")
        )
    hashed, size, head = hashlib.sha256(), 0, b""
    descriptor, name = tempfile.mkstemp(dir=settings.FILE_UPLOAD_TEMP_DIR, prefix="upload-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            while piece := stream.read(_PIECE):
                size += len(piece)
                if size > limit:
                    raise SourceLimit(
                        _("The file is larger than the limit of %(limit)s MB. Split it and upload the parts."),
                        limit=settings.UPLOAD_LIMIT_MB,
                    )
                head = head or piece[:8192]
                hashed.update(piece)
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Original(Path(name), hashed.hexdigest(), size, head)


def keep(original: Original) -> Path:
    """Put received bytes in their place; durable when this returns."""
    place = path_of(original.sha256)
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():
        original.temporary.unlink(missing_ok=True)
    else:
        original.temporary.chmod(0o600)
        original.temporary.replace(place)
    descriptor = os.open(place.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return place


def hold(sha256: str) -> None:
    """In a transaction: make sure that no other transaction decides about this file before ours ends.

    SQLite's transactions exclude each other from their start; PostgreSQL's need a lock to meet at.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int(sha256[:15], 16)])


def remove(sha256: str) -> bool:
    """Remove an original; True if it was there."""
    place = path_of(sha256)
    try:
        place.unlink()
    except FileNotFoundError:
        return False
    return True


def sweep_temporary(older_than_seconds: float) -> int:
    """Remove what interrupted uploads left behind; how many files."""
    removed = 0
    for path in settings.FILE_UPLOAD_TEMP_DIR.iterdir():
        if time.time() - path.stat().st_mtime > older_than_seconds:
            path.unlink(missing_ok=True)
            removed += 1
    return removed
