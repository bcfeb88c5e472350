"""Typed reading of environment variables. A wrong value stops the start with a sentence."""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def env_text(name: str, default: str = "") -> str:
    """The variable, or the content of the file that ``NAME_FILE`` points at (for mounted secrets)."""
    if path := os.environ.get(f"{name}_FILE"):
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE={path} cannot be read: {error.strerror}.") from error
    return os.environ.get(name, default)


def made_folder(path: Path, name: str) -> Path:
    """The folder, made if need be; nobody else on this machine may read what is kept there. ``name`` set it."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise ImproperlyConfigured(
            f"The folder {path} cannot be made: {error.strerror}. Point {name} at a folder that you may write to."
        ) from error
    return path


def env_bool(name: str, default: bool) -> bool:
    value = env_text(name, "yes" if default else "no").lower()
    if value in {"yes", "true", "1", "on"}:
        return True
    if value in {"no", "false", "0", "off", ""}:
        return False
    raise ImproperlyConfigured(f"{name}={value!r}: expected yes or no.")


def env_int(name: str, default: int, *, least: int = 0) -> int:
    value = env_text(name, str(default))
    if not value.isdigit() or int(value) < least:
        raise ImproperlyConfigured(f"{name}={value!r}: expected a whole number of at least {least}.")
    return int(value)


def env_list(name: str, default: str = "") -> list[str]:
    """Comma separated, blanks dropped."""
    return [part.strip() for part in env_text(name, default).split(",") if part.strip()]
