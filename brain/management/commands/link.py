"""Print the link that sets the first password, where nobody sees the server's own terminal."""

from __future__ import annotations

import argparse
from typing import Any

from brain.commands import LedgerCommand
from brain.setup import setup_token


class Command(LedgerCommand):
    help = "Prints the one-time link that sets the first password, while there is no account yet."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--address", default="http://localhost:8000", help="where people reach this installation")

    def handle(self, *, address: str, **_: Any) -> str:
        if token := setup_token():
            return f"{address.rstrip('/')}/setup/{token}/"
        return "There are accounts already. An administrator can make links for new people on the page People."
