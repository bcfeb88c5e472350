"""The Celery application. Tasks only carry ids; the database says what is to be done."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.app.amqp import AMQP
from kombu.connection import Connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brain.settings")

#: Seconds between two looks for a broker that went away. Celery's own 30 are what people then wait for.
RECONNECT_SECONDS = 5


class BrokerConnection(Connection):
    def ensure_connection(self, *args: Any, interval_max: float = RECONNECT_SECONDS, **kwargs: Any) -> Connection:
        connected: Connection = super().ensure_connection(  # type: ignore[no-untyped-call]
            *args, interval_max=min(interval_max, RECONNECT_SECONDS), **kwargs
        )
        return connected


class Broker(AMQP):  # type: ignore[misc]
    Connection = BrokerConnection


def make_app(*, current: bool) -> Celery:
    """An application with all tasks. A process has one that is ``current``; each embedded worker has one more,
    because the queues that a worker consumes are kept on its application."""
    made = Celery("brain", set_as_current=current, amqp=Broker)
    made.config_from_object("django.conf:settings", namespace="CELERY")
    made.autodiscover_tasks(["brain", "ingestion", "graphqa"])
    return made


app = make_app(current=True)
