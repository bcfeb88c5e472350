"""What is known and where it is kept: settings, ledger, values, ports, backends, accounts."""

from __future__ import annotations

from brain.celery import app as celery_app

__all__ = ["celery_app"]
