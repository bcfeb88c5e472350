"""The Celery application. Tasks only carry ids; the database says what is to be done."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brain.settings")

app = Celery("brain")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["brain", "ingestion", "graphqa"])
