"""Plants a graph and an answer behind the program under test: ``python -m tests.browser.plant BRAIN``."""

from __future__ import annotations

import os
import sys

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "brain.settings"
django.setup()

from brain.models import Brain, User  # noqa: E402
from tests.web.world import make_world  # noqa: E402

if __name__ == "__main__":
    owner = User.objects.get(username="alice")
    world = make_world(Brain.objects.get(id=sys.argv[1]), owner, name="<img src=x onerror=alert(1)> Verein")
    print(world.message.id, world.conversation.id, world.entity.key, world.source.id)
