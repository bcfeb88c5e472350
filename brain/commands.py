"""What the commands that work on the ledger share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, Error, InterfaceError, OperationalError
from django.utils.translation import ngettext

from brain import bootstrap
from brain.errors import BrainError


def database_problem(error: Error) -> str:
    """What to say of a database that is away or is none; empty for what is a mistake of the product."""
    if type(error) not in {DatabaseError, InterfaceError, OperationalError}:
        return ""
    return f"The database cannot be used ({' '.join(str(error).split())}). See that it runs, and check BRAIN_DATABASE."


def amount(number: int, of: str) -> str:
    """A count with its noun in the right number."""
    return _AMOUNTS[of](number) % {"n": number}


_AMOUNTS: dict[str, Callable[[int], str]] = {
    "brains": lambda n: ngettext("%(n)s brain", "%(n)s brains", n),
    "sources": lambda n: ngettext("%(n)s source", "%(n)s sources", n),
    "passages": lambda n: ngettext("%(n)s passage", "%(n)s passages", n),
    "mentions": lambda n: ngettext("%(n)s mention", "%(n)s mentions", n),
    "originals": lambda n: ngettext("%(n)s original", "%(n)s originals", n),
    "entities": lambda n: ngettext("%(n)s entity", "%(n)s entities", n),
    "relations": lambda n: ngettext("%(n)s relation", "%(n)s relations", n),
    "points": lambda n: ngettext("%(n)s point", "%(n)s points", n),
    "differences": lambda n: ngettext("%(n)s difference", "%(n)s differences", n),
    "files": lambda n: ngettext("%(n)s file", "%(n)s files", n),
}


class LedgerCommand(BaseCommand):
    """Brings the database up to date first, so that a command works in a new folder and after an update, and says an
    error of the product in its own sentence."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        bootstrap.check_settings()
        call_command("migrate", verbosity=0, interactive=False)
        try:
            return super().execute(*args, **options)
        except BrainError as error:
            raise CommandError(error.sentence) from error
