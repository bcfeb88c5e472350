"""Say how the installation is; ends with an error if a service is away."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.timesince import timesince

from brain import bootstrap, health
from brain.commands import LedgerCommand
from brain.errors import say


class Command(LedgerCommand):
    help = "Says which services answer, what waits, how much room is left, and when all was last verified and exported."

    def handle(self, **_: Any) -> str:
        try:
            found = health.report()
        finally:
            bootstrap.close_all()
        for service in found.services:
            state = "up" if service.up else "AWAY"
            line = f"{service.name:16}{state:6}{service.seconds:6.3f} s  {service.adapter}  {say(service.problem)}"
            self.stdout.write(line.rstrip())
        for queue in found.queues:
            waits = f", the oldest for {_age(queue.oldest)}" if queue.oldest else ""
            self.stdout.write(f"{queue.name:16}{queue.waiting} wait{waits}; {queue.running} in work")
        left = f", enough for {found.disk.days_left:.0f} days of uploads" if found.disk.soon_full else ""
        self.stdout.write(f"{'disk':16}{_gigabytes(found.disk.free)} free of {_gigabytes(found.disk.total)}{left}")
        for model in found.models:
            speed = f"{model.speed} tokens/s" if model.speed else ""
            self.stdout.write(f"{'model':16}{model.name}  {model.digest[:16]}  {speed}".rstrip())
        for notice in found.to_make:
            self.stdout.write(f"{'to make':16}{say(notice)}")
        self.stdout.write(f"{'last verify':16}{_age(found.verified_at)}")
        self.stdout.write(f"{'last export':16}{_age(found.exported_at)}")
        if not found.up:
            raise CommandError("Not everything answers.")
        return "Everything answers."


def _age(when: datetime | None) -> str:
    return timesince(when, timezone.now()) if when else "never"


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
