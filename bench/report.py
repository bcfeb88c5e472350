"""The last line of every measurement: one JSON object that says what was measured, where and of which commit."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

_PROJECT = Path(__file__).resolve().parent.parent


def commit() -> str:
    """The short hash of what runs, with ``+`` where files differ from it; empty outside a checkout."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
        cwd=_PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    return described.stdout.strip()


def peak_mb() -> int:
    """The most memory this process has used, in MB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def report(**fields: Any) -> None:
    """Print the result. ``seconds``, ``model`` and ``notes`` are the caller's; a figure not taken is None."""
    print(json.dumps({**fields, "cores": os.cpu_count(), "commit": commit()}, ensure_ascii=False, default=float))
