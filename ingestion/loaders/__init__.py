"""Files to ``Document``. Loaders run in the cage (``ingestion.cage``): they know no settings, rows or network."""

from __future__ import annotations
