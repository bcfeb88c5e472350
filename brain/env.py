"""Typed reading of environment variables. A wrong value stops the start with a sentence."""

from __future__ import annotations

import os
import zoneinfo
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ImproperlyConfigured

_WITH_HOST = frozenset({"http", "https", "bolt", "neo4j", "neo4j+s"})


def env_text(name: str, default: str = "") -> str:
    """The variable, or the content of the file that ``NAME_FILE`` points at (for mounted secrets)."""
    if path := os.environ.get(f"{name}_FILE"):
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE={path} cannot be read: {error.strerror}.") from error
        except UnicodeDecodeError as error:
            raise ImproperlyConfigured(f"{name}_FILE={path} cannot be read: it is not text in UTF-8.") from error
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


def unusable(path: Path, error: OSError) -> ImproperlyConfigured:
    """A file of BRAIN_HOME that is somebody else's, often root's."""
    return ImproperlyConfigured(
        f"{path} cannot be used: {error.strerror}. Point BRAIN_HOME at a folder whose files you may read and write."
    )


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


def env_choice(name: str, default: str, choices: Collection[str]) -> str:
    value = env_text(name, default)
    if value not in choices:
        raise ImproperlyConfigured(f"{name}={value!r}: expected one of {', '.join(choices)}.")
    return value


def env_server(name: str, default: str, *, example: str) -> str:
    """A name, or the URL of a server. Whether it is a known one is asked later (see ``brain.bootstrap``)."""
    value = env_text(name, default)
    parts = url_parts(value)
    if parts is None or (parts.scheme in _WITH_HOST and not parts.hostname):
        raise wrong_url(name, value, example)
    return value


def url_parts(value: str) -> SplitResult | None:
    """None where what stands in the place of host or port is none."""
    try:
        parts = urlsplit(value)
        has_port = parts.port != 0
    except ValueError:
        return None
    return parts if has_port else None


def wrong_url(name: str, value: str, expected: str) -> ImproperlyConfigured:
    hint = ". Signs like # / ? @ in a password are written as %23 %2F %3F %40." if "@" in value else "."
    return ImproperlyConfigured(f"{name}={without_password(value)!r}: expected {expected}{hint}")


def without_password(value: str) -> str:
    """A URL without the password or key in it."""
    scheme, mark, rest = value.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}".partition("?")[0]


def env_zone(name: str) -> str:
    """The time zone, by default the machine's own."""
    value = env_text(name) or machine_zone()
    if not _is_zone(value):
        raise ImproperlyConfigured(
            f"{name}={value!r}: expected the name of a time zone, for example Asia/Seoul or UTC."
        )
    return value


def machine_zone(*, variable: str | None = None, etc: Path = Path("/etc")) -> str:
    """What TZ, /etc/timezone or the link /etc/localtime names, in this order; UTC where none names a known zone."""
    named = [(os.environ.get("TZ", "") if variable is None else variable).removeprefix(":")]
    with suppress(OSError, UnicodeDecodeError):
        named.append((etc / "timezone").read_text(encoding="utf-8").strip())
    with suppress(OSError):  # it may be a file of its own
        named.append(str((etc / "localtime").readlink()).partition("zoneinfo/")[2])
    return next((name for name in named if _is_zone(name)), "UTC")


def _is_zone(name: str) -> bool:
    try:
        return bool(zoneinfo.ZoneInfo(name))
    except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError):  # a folder, a path, or nothing of the kind
        return False


def env_list(name: str, default: str = "") -> list[str]:
    """Comma separated, blanks dropped."""
    return [part.strip() for part in env_text(name, default).split(",") if part.strip()]
