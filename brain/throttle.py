"""Guessing passwords is slow: failures are counted in the audit log, so every process sees the same count.

An attempt names a person and comes from an address. Few failures of both together, more of either alone: a
stranger who guesses cannot lock the person out elsewhere, and cannot try one password on every name.
"""

from __future__ import annotations

from datetime import timedelta
from hashlib import blake2b

from django.db.models import Q
from django.utils import timezone

from brain.identity import fold_name
from brain.models import Audit

MINUTES = 15
TOGETHER, PER_NAME, PER_ADDRESS = 5, 50, 30
_FAILED = "login_failed"


def is_throttled(name: str, address: str) -> bool:
    """True if this attempt has to wait."""
    recent = Audit.objects.filter(action=_FAILED, at__gte=timezone.now() - timedelta(minutes=MINUTES))
    of_name = Q(subject=_subject(name))
    from_address = Q(counts__address=address)
    return (
        recent.filter(of_name & from_address).count() >= TOGETHER
        or recent.filter(of_name).count() >= PER_NAME
        or recent.filter(from_address).count() >= PER_ADDRESS
    )


def count_failure(name: str, address: str) -> None:
    Audit.objects.create(action=_FAILED, subject=_subject(name), counts={"address": address})


def forgive(name: str, address: str) -> None:
    """The person got in: earlier slips of the same person from the same place no longer count."""
    Audit.objects.filter(action=_FAILED, subject=_subject(name), counts__address=address).update(action="login_slip")


def _subject(name: str) -> str:
    # Hashed: people type passwords into the name field.
    return blake2b(fold_name(name).encode(), digest_size=16).hexdigest()
