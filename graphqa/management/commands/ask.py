"""Ask a brain from the terminal."""

from __future__ import annotations

import argparse
import json
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from brain.commands import LedgerCommand
from brain.errors import BrainError
from brain.models import Brain, MessageStatus
from graphqa import tasks
from graphqa.answer.citations import Cited
from graphqa.answer.refusals import refusal
from graphqa.answering import Answer, Listener, answer
from graphqa.question.plan import normalise
from graphqa.retrieval.tuning import MODES


class Command(LedgerCommand):
    help = "Asks a brain and prints the answer with its sources. Run it while the web server is stopped."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("brain", help="name or id of the brain")
        parser.add_argument("question")
        parser.add_argument("--mode", choices=sorted(MODES), default="mix")
        parser.add_argument("--explain", action="store_true", help="print every intermediate as JSON before the answer")

    def handle(self, *, brain: str, question: str, mode: str, explain: bool, **_options: Any) -> str:
        try:
            text = normalise(question, limit=_limit())
            listener = Listener(text=lambda piece: self.stderr.write(piece, ending=""))
            found = answer(text, _brain(brain).pk, ports=tasks.ports(), mode=mode, listener=listener)
        except BrainError as error:
            raise CommandError(error.sentence) from error
        self.stderr.write("")
        if explain:
            self.stdout.write(json.dumps(explained(found), ensure_ascii=False, indent=2))
        return "\n".join([_said(found), *(_place(cited) for cited in found.citations)])


def explained(found: Answer) -> dict[str, Any]:
    return {
        "standalone": found.standalone,
        "status": found.status,
        "confidence": found.confidence,
        **found.details,
        "evidence": [{"title": each.title, **each.as_json()} for each in found.evidence],
    }


def _limit() -> int:
    from django.conf import settings

    return int(settings.QUESTION_LIMIT)


def _brain(name: str) -> Brain:
    brains = Brain.objects.filter(deleted_at=None)
    try:
        found = brains.filter(pk=UUID(name)).first()
    except ValueError:
        found = brains.filter(name=name).order_by("created_at").first()
    if found is None:
        if not brains.exists():
            raise CommandError(_("There is no brain yet. Make one on the page, or with: manage.py ingest NAME FILE"))
        known = ", ".join(brains.values_list("name", flat=True)[:20])
        raise CommandError(_("There is no brain “%(name)s”. There are: %(known)s") % {"name": name, "known": known})
    return found


def _said(found: Answer) -> str:
    if found.status == MessageStatus.INSUFFICIENT_CONTEXT:
        return refusal(found.details)
    return found.text or str(MessageStatus(found.status).label)


def _place(cited: Cited) -> str:
    place = f", p. {cited.page}" if cited.page else f", {cited.second:.0f} s" if cited.second is not None else ""
    return f"[{cited.number}] {cited.title}{place}: “{' '.join(cited.quote.split())}”"
