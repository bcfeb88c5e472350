"""Redis from the system's packages."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

import redis
from django.utils.translation import gettext_noop as _

from brain.stack.programs import Command, ProgramMissing, Running, free_port, launch, secret

_MISSING = _("Redis is not installed here. Install it, on Debian with: apt-get install redis-server")


class Redis:
    name = "redis"

    def require(self) -> None:
        if not shutil.which("redis-server"):
            raise ProgramMissing(_MISSING)

    def start(self, home: Path, *, port: int = 0) -> Running:
        """``port``: the one to come back on, after a stop."""
        self.require()
        home.mkdir(parents=True, exist_ok=True)
        password, port = secret(home, lambda: secrets.token_urlsafe(24)), port or free_port()
        config = home / "redis.conf"
        config.touch(mode=0o600)
        # Appended to disk each second and never evicting: a broker must not forget (promise R-05).
        config.write_text(
            f'bind 127.0.0.1\nport {port}\nrequirepass {password}\ndir {home}\nsave ""\nappendonly yes\n'
            "appendfsync everysec\nmaxmemory-policy noeviction\ndaemonize no\n",
            encoding="utf-8",
        )
        url = f"redis://:{password}@127.0.0.1:{port}/0"
        command = Command(["redis-server", str(config)], home)
        return launch(self.name, command, home, url, lambda: _answers(url), seconds=30)


def _answers(url: str) -> bool:
    with redis.Redis.from_url(url, socket_timeout=2) as client:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False
