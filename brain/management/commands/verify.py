"""Compare every store with the rows, and mend what differs."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import CommandError

from brain.commands import LedgerCommand, amount
from brain.ledger import mend, verify
from brain.models import Audit, Brain


class Command(LedgerCommand):
    help = "Compares originals, graph and vectors with the ledger. Ends with an error if anything differs."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--mend", action="store_true", help="mend what the rows can answer for")

    def handle(self, *, mend: bool, **_: Any) -> str:
        findings = everything()
        Audit.objects.create(action="verify", counts={"differences": len(findings)})
        for each in findings:
            self.stdout.write(f"{each.store}\t{each.fault}\t{each.item}")
        _note_whole(findings)
        if not findings:
            return "No differences."
        if not mend:
            raise CommandError(f"{amount(len(findings), 'differences')}. Run with --mend to mend them.")
        mended = _mend(findings)
        left = everything()
        _note_whole(left)
        for each in left:
            self.stdout.write(f"left: {each.store}\t{each.fault}\t{each.item}")
        if left:
            raise CommandError(
                f"{mended} of {amount(len(findings), 'differences')} mended; {len(left)} left for a person."
            )
        return f"{amount(mended, 'differences')} mended."


def everything() -> list[verify.Finding]:
    found = [finding for brain in Brain.objects.filter(deleted_at=None) for finding in verify.check(brain)]
    return [*found, *verify.check_shared()]


def _note_whole(findings: list[verify.Finding]) -> None:
    """Brains whose stores hold what their rows say have nothing to make, however it came there."""
    for mark, store in (("graph_to_make", "graph"), ("vectors_to_make", "vectors")):
        differ = {each.brain for each in findings if each.store == store}
        Brain.objects.filter(deleted_at=None).exclude(pk__in=differ).update(**{mark: False})


def _mend(findings: list[verify.Finding]) -> int:
    return mend.mend(findings)
