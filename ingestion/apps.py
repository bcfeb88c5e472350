from __future__ import annotations

from django.apps import AppConfig


class IngestionConfig(AppConfig):
    name = "ingestion"
    verbose_name = "Ingestion"

    def ready(self) -> None:
        from brain import reconcile
        from ingestion import older, tasks

        reconcile.watch(tasks.reconcile)
        reconcile.watch(older.date_older)
        reconcile.waiting["ingest"] = tasks.files_are_due
        reconcile.waiting["graph"] = tasks.extraction_is_due
