"""The Celery application. Tasks only carry ids; the database says what is to be done."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brain.settings")


def make_app(*, current: bool) -> Celery:
    """An application with all tasks. A process has one that is ``current``; each embedded worker has one more,
    because the queues that a worker consumes are kept on its application."""
    made = Celery("brain", set_as_current=current)
    made.config_from_object("django.conf:settings", namespace="CELERY")
    made.autodiscover_tasks(["brain", "ingestion", "graphqa"])
    return made


app = make_app(current=True)
