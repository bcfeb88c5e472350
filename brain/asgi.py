"""ASGI entry point."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brain.settings")

# Django has to be set up before anything of ours is imported.
_django = get_asgi_application()

from brain.body_limit import BodyLimit  # noqa: E402

application = BodyLimit(_django)
