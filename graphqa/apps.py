from __future__ import annotations

from django.apps import AppConfig


class GraphqaConfig(AppConfig):
    name = "graphqa"
    verbose_name = "Questions and answers"
