"""A lease is kept as long as its holder lives, whatever the database does meanwhile."""

from __future__ import annotations

import threading

import pytest
from django.conf import LazySettings
from django.db import OperationalError

from brain.ledger.leases import Heartbeat


@pytest.mark.django_db(transaction=True)
def test_a_heartbeat_goes_on_after_the_database_was_away(settings: LazySettings) -> None:
    settings.LEASE_SECONDS = 0.2
    beats, again = [0], threading.Event()

    def renew() -> None:
        beats[0] += 1
        if beats[0] == 1:
            raise OperationalError("the connection is closed")
        again.set()

    with Heartbeat().keeping(renew):
        assert again.wait(5)
