"""A question in the language that the documents are in."""

from __future__ import annotations

from collections.abc import Callable

from brain.errors import Cancelled
from brain.language import detect_language
from brain.ports import LLM
from brain.values import CompletionRequest
from graphqa import prompts
from graphqa.language.figures import figures
from graphqa.question.plan import Plan

_MOST_TOKENS = 128


def translated(plan: Plan, language: str, llm: LLM, *, cancelled: Callable[[], bool] | None = None) -> Plan | None:
    """None if the model brings nothing of use: other numbers, the wrong script, or more than a translation.
    ``Cancelled`` if asked to stop meanwhile."""
    request = CompletionRequest(prompts.translate(plan.wanted, language), _MOST_TOKENS, stop=("\n",))
    reply = llm.complete(request, cancelled=cancelled)
    if reply.finish == "cancelled":
        raise Cancelled
    text = " ".join(reply.text.split()).strip("\"'“” ")
    if not 4 <= len(text) <= 3 * len(plan.wanted) + 40 or figures(text) != figures(plan.wanted):
        return None
    return plan.translated(text, language) if detect_language(text) == language else None
