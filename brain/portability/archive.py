"""The file: a zip whose manifest, written last, vouches for every other entry."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, cast

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.translation import gettext_noop as _

from brain.errors import InputError

FORMAT_VERSION = 1
_FORMAT = "brain export"
_MANIFEST = "manifest.json"
_PIECE = 1024 * 1024
_NAME = re.compile(r"ledger/[a-z_]+\.jsonl|originals/[0-9a-f]{64}")

_NOT_ONE = _('"%(file)s" is not an export of Brain, or it was cut short.')
_NEWER = _('"%(file)s" was written by a newer Brain (format %(version)s). Update this installation first.')
_CHANGED = _('"%(file)s" is damaged: "%(entry)s" differs from what was exported. Export it again.')


class BadArchive(InputError):
    """The file cannot be imported."""

    code = "archive"


class _Encoder(DjangoJSONEncoder):
    """Times to the microsecond, where Django's own writes milliseconds."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


class Writer:
    """Writes entries one after the other; the file is whole only when ``finish`` was called."""

    def __init__(self, path: Path) -> None:
        self._zip = zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED, compresslevel=6)
        path.chmod(0o600)
        self._digests: dict[str, str] = {}

    def lines(self, table: str, rows: Iterable[Mapping[str, Any]]) -> int:
        """Write rows of one table; how many."""
        count = 0
        with self._entry(f"ledger/{table}.jsonl") as write:
            for row in rows:
                write(json.dumps(row, cls=_Encoder, ensure_ascii=False).encode() + b"\n")
                count += 1
        return count

    def original(self, sha256: str, path: Path) -> None:
        with path.open("rb") as file, self._entry(f"originals/{sha256}") as write:
            while piece := file.read(_PIECE):
                write(piece)

    def finish(self, **about: Any) -> None:
        manifest = {"format": _FORMAT, "version": FORMAT_VERSION, "entries": self._digests, **about}
        self._zip.writestr(_MANIFEST, json.dumps(manifest, cls=_Encoder, ensure_ascii=False, indent=1))

    def _entry(self, name: str) -> _Entry:
        return _Entry(self._zip.open(name, "w", force_zip64=True), name, self._digests)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._zip.close()


class _Entry:
    """An entry being written and hashed."""

    def __init__(self, file: IO[bytes], name: str, digests: dict[str, str]) -> None:
        self._file, self._name, self._digests = file, name, digests
        self._hashed = hashlib.sha256()

    def __call__(self, data: bytes) -> None:
        self._hashed.update(data)
        self._file.write(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._digests[self._name] = self._hashed.hexdigest()


class Reader:
    """Opens an export and checks every byte of it before anything is believed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._zip = zipfile.ZipFile(path)
            self.manifest: dict[str, Any] = json.loads(self._zip.read(_MANIFEST))
        except (zipfile.BadZipFile, KeyError, ValueError) as error:
            raise BadArchive(_NOT_ONE, file=path.name) from error
        if self.manifest.get("format") != _FORMAT:
            raise BadArchive(_NOT_ONE, file=path.name)
        if self.manifest["version"] > FORMAT_VERSION:
            raise BadArchive(_NEWER, file=path.name, version=self.manifest["version"])
        self._check()

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        with self._zip.open(f"ledger/{table}.jsonl") as file:
            for line in file:
                yield json.loads(line)

    def originals(self) -> list[str]:
        """The hashes of the files inside."""
        return sorted(name.partition("/")[2] for name in self._entries if name.startswith("originals/"))

    def original(self, sha256: str) -> IO[bytes]:
        return self._zip.open(f"originals/{sha256}")

    def close(self) -> None:
        self._zip.close()

    @property
    def _entries(self) -> dict[str, str]:
        return cast("dict[str, str]", self.manifest["entries"])

    def _check(self) -> None:
        if {*self._entries, _MANIFEST} != set(self._zip.namelist()):
            raise BadArchive(_NOT_ONE, file=self._path.name)
        for name, expected in self._entries.items():
            if not _NAME.fullmatch(name) or self._digest(name) != expected:
                raise BadArchive(_CHANGED, file=self._path.name, entry=name)

    def _digest(self, name: str) -> str:
        try:
            with self._zip.open(name) as file:
                return hashlib.file_digest(cast(Any, file), "sha256").hexdigest()
        except (zipfile.BadZipFile, OSError, EOFError) as error:
            raise BadArchive(_CHANGED, file=self._path.name, entry=name) from error
