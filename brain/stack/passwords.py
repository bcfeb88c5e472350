"""Make the passwords that compose.yaml asks for: ``python3 brain/stack/passwords.py FOLDER``.

Needs nothing installed. What is there is kept, so running it again changes nothing.
"""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path


def make(folder: Path) -> list[str]:
    """Write one file per secret, readable by its owner alone; the names of those that were made."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made: list[str] = []

    def kept(name: str, value: str) -> str:
        path = folder / name
        if not path.exists():
            # Containers run as users of their own: the folder is closed, the files in it can be read.
            with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644), "w", encoding="ascii") as file:
                file.write(value)
            made.append(name)
        return path.read_text(encoding="ascii")

    kept("secret_key", secrets.token_urlsafe(50))
    kept("model_key", secrets.token_urlsafe(24))
    postgresql = kept("postgresql_password", secrets.token_urlsafe(24))
    redis = kept("redis_password", secrets.token_urlsafe(24))
    neo4j = kept("neo4j_auth", f"neo4j/{secrets.token_urlsafe(24)}").partition("/")[2]
    qdrant = kept("qdrant_key", secrets.token_urlsafe(24))
    kept("database_url", f"postgresql://brain:{postgresql}@postgresql:5432/brain")
    kept("graph_url", f"bolt://neo4j:{neo4j}@neo4j:7687")
    kept("vectors_url", f"http://:{qdrant}@qdrant:6333")
    kept("events_url", f"redis://:{redis}@redis:6379/0")
    kept("broker_url", f"redis://:{redis}@redis:6379/1")
    return made


if __name__ == "__main__":
    for name in make(Path(sys.argv[1])):
        print(name)
