"""What the commands that work on the ledger share."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from brain.errors import BrainError


class LedgerCommand(BaseCommand):
    """Brings the database up to date first, so that a command works in a new folder and after an update, and says an
    error of the product in its own sentence."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        call_command("migrate", verbosity=0, interactive=False)
        try:
            return super().execute(*args, **options)
        except BrainError as error:
            raise CommandError(error.sentence) from error
