"""``manage.py models``: fetch the models, list them, or choose one of your own."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from brain import weights
from brain.errors import BrainError
from brain.weights import engine
from brain.weights.fetch import known

_MEGABYTE = 1_000_000


class Command(BaseCommand):
    help = "Fetches the models that are missing; without names, those the settings need. Safe to stop and to run again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("models", nargs="*", metavar="ID", help="models to fetch (see --list)")
        parser.add_argument("--list", action="store_true", dest="listed", help="show what is known and what is here")
        parser.add_argument("--from", dest="bundle", type=Path, metavar="DIR", help="look into this folder first")
        parser.add_argument("--use", metavar="MODEL", help="language model to work with: an id, or a GGUF file's path")
        parser.add_argument("--engine", action="store_true", help="also compile the language model's engine if needed")

    def handle(
        self, *, models: list[str], listed: bool, bundle: Path | None, use: str | None, engine: bool, **_: Any
    ) -> None:
        try:
            if listed:
                self._list()
            elif use:
                self.stdout.write(f"From now on the language model is {weights.use(use)}.")
            else:
                self._fetch(models, bundle, with_engine=engine)
        except BrainError as error:
            raise CommandError(error.sentence) from error

    def _list(self) -> None:
        for status in [*weights.status(tuple(weights.CATALOGUE)), engine.status()]:
            model = weights.CATALOGUE.get(status.id)
            about = (
                f"{model.title}, {model.size // _MEGABYTE} MB, {model.licence}" if model else "compiled on this machine"
            )
            self.stdout.write(f"{status.state:9} {status.id:24} {about}{f' ({status.error})' if status.error else ''}")

    def _fetch(self, models: list[str], bundle: Path | None, *, with_engine: bool) -> None:
        if bundle is not None and not bundle.is_dir():
            raise CommandError(f"There is no folder {bundle}. Name the one that holds the models with --from.")
        errors = []
        for model in models or weights.wanted():
            try:
                weights.ensure(known(model).id, _Bar(self, model), bundle=bundle)
                self.stdout.write(f"{model} is ready.")
            except BrainError as error:
                errors.append(error.sentence)
        if with_engine and weights.needs_engine() and not engine.is_installed():
            self.stdout.write("Compiling the language model's engine: 4 to 7 minutes on 2 cores.")
            try:
                engine.install(_Bar(self, "engine", unit="s", scale=1.0))
                self.stdout.write("The engine is ready.")
            except BrainError as error:
                errors.append(error.sentence)
        if errors:
            raise CommandError("\n".join(errors))


class _Bar:
    """One line that fills up on a terminal; a line every ten seconds elsewhere."""

    def __init__(self, command: BaseCommand, name: str, *, unit: str = "MB", scale: float = _MEGABYTE) -> None:
        self._out = command.stdout
        self._name = name
        self._unit = unit
        self._scale = scale
        self._told = 0.0
        self._terminal = sys.stdout.isatty()

    def __call__(self, done: float, total: float) -> None:
        now = time.monotonic()
        if now - self._told < (0.2 if self._terminal else 10.0) and done < total:
            return
        self._told = now
        filled = int(24 * min(1.0, done / total)) if total else 24
        line = (
            f"{self._name} [{'#' * filled}{'.' * (24 - filled)}] "
            f"{done / self._scale:.0f} of {total / self._scale:.0f} {self._unit}"
        )
        if self._terminal:
            self._out.write(f"\r{line}", ending="\n" if done >= total else "")
        else:
            self._out.write(line)
        self._out.flush()
