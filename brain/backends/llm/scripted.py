"""A language model that says what it was told to say: for tests, demonstrations and installs without weights.

Settings: ``scripted`` alone answers every request in a harmless way: the smallest value that its schema allows,
or the first sentence after the mark ``[1]`` in the prompt, cited. ``scripted:/path.json`` reads replies from a
file: a list is used in order; an object maps a piece of the last turn to the reply, ``""`` to all others.
"""

from __future__ import annotations

import json
import math
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Self

from django.utils.translation import gettext_noop as _

from brain.backends.llm import shares
from brain.backends.llm.turnstile import Turnstile
from brain.errors import BrainError, ServiceRejected
from brain.values import Completion, CompletionRequest

Reply = str | Completion | BrainError
Script = Callable[[CompletionRequest], Reply]
Weighs = Callable[[CompletionRequest], tuple[float, ...]]

_PIECE = re.compile(r"\s*\S+|\s+$")
# What stands after [1], up to a blank line or the next source; its first line is a title if there are more.
_FIRST_SOURCE = re.compile(r"\[1\][^\S\n]*(?P<title>[^\n]*)(?P<text>(?:\n(?!\[\d|\s*\n)[^\n]+)*)")
_SENTENCE = re.compile(r".+?(?:[.!?。](?=\s|$)|$)")


class ScriptedLLM:
    """Replies in order, or by a function of the request; ``history`` keeps what was asked.

    A text longer than ``max_tokens`` is cut as a model's would be, a ``Completion`` is returned as it is, an error
    is raised. A script that has run out is ``ServiceRejected``. A request with options takes no reply: ``weighs``
    gives their shares; by default the first option has it all.
    """

    def __init__(
        self,
        replies: Iterable[Reply] | Script,
        *,
        weighs: Weighs | None = None,
        model_id: str = "scripted",
        context_tokens: int = 8192,
        prompt_tokens_per_second: float | None = None,
    ) -> None:
        self.model_id = model_id
        self.prompt_tokens_per_second = prompt_tokens_per_second
        self.context_tokens = context_tokens
        self.history: list[CompletionRequest] = []
        self._lock = threading.Lock()
        self.turnstile = Turnstile()
        self._script = replies if callable(replies) else _in_order(replies)
        self._weighs = weighs or _the_first

    @classmethod
    def from_setting(cls, value: str) -> Self:
        path = value.partition(":")[2]
        if not path:
            return cls(harmless)
        script = json.loads(Path(path).read_text(encoding="utf-8"))
        return cls(_by_piece(script)) if isinstance(script, dict) else cls([str(reply) for reply in script])

    def count_tokens(self, text: str) -> int:
        """Four bytes a token: near enough for English and Korean, and the same everywhere."""
        return -(-len(text.encode()) // 4)

    def complete(
        self,
        request: CompletionRequest,
        *,
        on_text: Callable[[str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Completion:
        started = time.monotonic()
        prompt_tokens = sum(self.count_tokens(turn.text) for turn in request.turns)
        if prompt_tokens + request.max_tokens > self.context_tokens:
            raise ServiceRejected(_("The text is too long for the language model."))
        with self._lock:
            self.history.append(request)
            reply = self._weighed(request) if request.options else self._script(request)
        if isinstance(reply, BrainError):
            raise reply
        if isinstance(reply, Completion):
            if on_text is not None and reply.text:
                on_text(reply.text)
            return reply
        said: list[str] = []
        finish: Any = "stop"
        for piece in _PIECE.findall(reply):
            if cancelled is not None and cancelled():
                finish = "cancelled"
                break
            if self.count_tokens("".join(said) + piece) > request.max_tokens:
                finish = "length"
                break
            said.append(piece)
            if on_text is not None:
                on_text(piece)
        text = "".join(said)
        seconds = time.monotonic() - started
        weighed = self._weighs(request) if request.options and finish == "stop" else ()
        return Completion(text, finish, prompt_tokens, self.count_tokens(text), seconds, shares=weighed)

    def turn(
        self, *, asked: float = math.inf, cancelled: Callable[[], bool] | None = None
    ) -> AbstractContextManager[None]:
        return self.turnstile.chat(cancelled, asked)

    def _weighed(self, request: CompletionRequest) -> str:
        return shares.likeliest(request.options, self._weighs(request))


def _the_first(request: CompletionRequest) -> tuple[float, ...]:
    return (1.0, *(0.0 for _option in request.options[1:]))


def harmless(request: CompletionRequest) -> str:
    """What ``scripted`` alone says."""
    if request.schema is not None:
        return json.dumps(smallest(request.schema), ensure_ascii=False)
    source = _FIRST_SOURCE.search(request.turns[-1].text)
    sentence = _SENTENCE.match((source["text"] or source["title"]).strip()) if source else None
    if sentence is None:
        return "The documents say so [1]."
    return f"{sentence[0].rstrip('.!?。 ')} [1]."


def smallest(schema: Mapping[str, Any]) -> Any:
    """The smallest value that a schema of the kind this product writes allows."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {})
            return {name: smallest(properties.get(name, {})) for name in schema.get("required", ())}
        case "array":
            given = [smallest(item) for item in schema.get("prefixItems", ())]
            return given or [smallest(schema.get("items", {}))] * int(schema.get("minItems", 0))
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case "string":
            return "-" * int(schema.get("minLength", 0))
    return None


def _in_order(replies: Iterable[Reply]) -> Script:
    left = iter(tuple(replies))

    def script(_request: CompletionRequest) -> Reply:
        try:
            return next(left)
        except StopIteration:
            raise ServiceRejected(_("The script of the stand-in language model has no reply left.")) from None

    return script


def _by_piece(replies: Mapping[str, str]) -> Script:
    def script(request: CompletionRequest) -> Reply:
        asked = request.turns[-1].text
        for piece, reply in replies.items():
            if piece and piece in asked:
                return reply
        return replies[""] if "" in replies else harmless(request)

    return script
