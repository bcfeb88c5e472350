"""The first start: a link that makes the first owner, and is gone once there is one. No default password."""

from __future__ import annotations

import os
import secrets
from hmac import compare_digest
from pathlib import Path

from django.conf import settings
from django.db import transaction

from brain.models import Brain, Membership, Role, User


def setup_token() -> str:
    """The secret of the set-up link; empty once a person exists. Made at the first call and kept in a file."""
    if User.objects.filter(is_active=True).exists():
        _path().unlink(missing_ok=True)
        return ""
    try:
        descriptor = os.open(_path(), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return _path().read_text(encoding="ascii").strip()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        token = secrets.token_urlsafe(24)
        file.write(token)
    return token


def is_setup_token(token: str) -> bool:
    expected = setup_token()
    return bool(expected) and compare_digest(expected.encode(), token.encode())


def create_first_owner(*, username: str, password: str, brain_name: str, language: str) -> tuple[User, Brain] | None:
    """The first person, who administers the installation, and a first brain. None if somebody was quicker.

    Removing the token file is the claim: of two who use the link at once, one removes it.
    """
    try:
        _path().unlink()
    except FileNotFoundError:
        return None
    with transaction.atomic():
        owner = User.objects.create_superuser(username=username, password=password, language=language)
        brain = Brain.objects.create(name=brain_name)
        Membership.objects.create(brain=brain, user=owner, role=Role.OWNER)
        adopt_brains(owner)
    return owner, brain


def adopt_brains(owner: User) -> int:
    """Make a person the owner of every brain that nobody owns (made by a command, or imported); how many."""
    owned = Membership.objects.filter(role=Role.OWNER, user__is_active=True).values("brain")
    nobodys = list(Brain.objects.filter(deleted_at=None).exclude(pk__in=owned))
    for brain in nobodys:
        Membership.objects.update_or_create(brain=brain, user=owner, defaults={"role": Role.OWNER})
    return len(nobodys)


def _path() -> Path:
    return Path(settings.BRAIN_HOME) / "setup.token"
