"""What a process does that knows it is the only one on its folder: take over from a dead predecessor."""

from __future__ import annotations

import shutil
from pathlib import Path

from django.conf import settings

from brain import originals
from brain.ledger import leases


def take_over() -> None:
    """Free what a killed process held and remove what it left half done; work goes on at once, not in a minute."""
    leases.free_all()
    originals.sweep_temporary(older_than_seconds=0)
    shutil.rmtree(Path(settings.BRAIN_HOME) / "reading", ignore_errors=True)
