from __future__ import annotations

from django.apps import AppConfig


class GraphqaConfig(AppConfig):
    name = "graphqa"
    verbose_name = "Questions and answers"

    def ready(self) -> None:
        from brain import reconcile
        from graphqa import tasks

        reconcile.watch(tasks.requeue_stale)
