"""Moving brains: to a file and from it, whatever the stores on either side.

The file is a zip: ``manifest.json`` names the format, its version, and the SHA-256 of every other entry;
``ledger/TABLE.jsonl`` holds rows, a JSON object per line, that name each other by what they are (a chunk by source and
ordinal, an entity by its key) and not by a database's row numbers; ``originals/SHA256`` are the uploaded files.
Graph and vectors are not in it: they are made again from the rows.
"""

from __future__ import annotations

from brain.portability.archive import FORMAT_VERSION, BadArchive
from brain.portability.export import export
from brain.portability.load import load

__all__ = ["FORMAT_VERSION", "BadArchive", "export", "load"]
