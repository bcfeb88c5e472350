"""A model server on the premises that speaks OpenAI's chat interface: llama-server, vLLM, Ollama, llama_cpp.server.

Setting: ``http://host:8080/v1?model=NAME&key_file=/run/secrets/llm&context=8192&slots=3``; all of the query may be left
out.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit, urlunsplit

import httpx
from django.utils.translation import gettext_noop as _

from brain.backends.llm import shares
from brain.backends.llm.openai_stream import Chat, Refused, Wire
from brain.backends.llm.openai_tokens import TokenCounter
from brain.backends.llm.turnstile import Turnstile
from brain.errors import ServiceRejected, ServiceUnavailable
from brain.values import Completion, CompletionRequest, Priority

_TIMEOUT = httpx.Timeout(30.0, connect=5.0, read=300.0)
# Where a server does not tell, vLLM and Ollama for example.
_USUAL_SLOTS = 3
_LOOK_SECONDS = 0.2
_PING = httpx.Timeout(5.0)
_DEFAULT_CONTEXT = 8192
_NO_MODEL = _("The model server offers no model.")
# OpenAI's and vLLM's limit; yes and no are among the first few.
_LIKELY = 20


def _dialects(schema: Any) -> list[dict[str, Any]]:
    """Ways in which servers take a JSON schema, the usual one first; the last asks for nothing."""
    named = {"name": "reply", "schema": schema, "strict": True}
    return [
        {"response_format": {"type": "json_schema", "json_schema": named}},
        {"response_format": {"type": "json_object", "schema": schema}},  # llama_cpp.server
        {"guided_json": schema},  # vLLM before 0.12
        {"format": schema},  # Ollama
        {},
    ]


class OpenAICompatibleLLM:
    """One server and one of its models. Its queue decides who goes first among several callers."""

    def __init__(
        self,
        url: str,
        *,
        model: str = "",
        key: str = "",
        context_tokens: int = 0,
        slots: int = 0,
        timeout: httpx.Timeout = _TIMEOUT,
        request_seconds: float = 1800.0,
    ) -> None:
        self.url = url.rstrip("/")
        self._wire = Wire(self.url, key=key, timeout=timeout, request_seconds=request_seconds)
        self._model = model
        self._context_tokens = context_tokens
        self._slots = slots
        self._lock = threading.Lock()
        self._turnstile: Turnstile | None = None
        self._gate: threading.BoundedSemaphore | None = None
        self._counter = TokenCounter(self._wire)
        self._dialect = 0
        self._tells_likely = True
        self._prompt_time = [0, 0.0]
        self._reply_time = [0, 0.0]

    @classmethod
    def from_setting(cls, value: str) -> Self:
        parts = urlsplit(value)
        options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        key_file = options.get("key_file", "")
        return cls(
            urlunsplit((parts.scheme, parts.netloc, parts.path or "/v1", "", "")),
            model=options.get("model", ""),
            key=Path(key_file).read_text(encoding="utf-8").strip() if key_file else "",
            context_tokens=int(options.get("context", 0)),
            slots=int(options.get("slots", 0)),
        )

    @property
    def model_id(self) -> str:
        """The model's name on the server; the server's address until the server was asked."""
        return self._model or urlsplit(self.url).netloc

    @property
    def context_tokens(self) -> int:
        """What the server says a conversation may hold; a usual value while it is away or does not say."""
        if not self._context_tokens:
            try:
                self._context_tokens = self._wire.context_tokens(self._name())
            except (ServiceUnavailable, ServiceRejected):
                return _DEFAULT_CONTEXT
        return self._context_tokens or _DEFAULT_CONTEXT

    @property
    def side_by_side(self) -> int:
        """How many passages may be extracted at once: one of the server's slots is left for a question."""
        if not self._slots:
            self._slots = self._wire.slots() or _USUAL_SLOTS
        return max(1, self._slots - 1)

    @property
    def tokens_per_second(self) -> float | None:
        return self._reply_time[0] / self._reply_time[1] if self._reply_time[1] else None

    @property
    def prompt_tokens_per_second(self) -> float | None:
        """The wait in the server's queue counts: it is part of what a reader waits for."""
        return self._prompt_time[0] / self._prompt_time[1] if self._prompt_time[1] else None

    def count_tokens(self, text: str) -> int:
        return self._counter.count(text, self._model)

    def complete(
        self,
        request: CompletionRequest,
        *,
        on_text: Callable[[str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Completion:
        started = time.monotonic()
        if cancelled is not None and cancelled():
            return Completion("", "cancelled", 0, 0, 0.0)
        with self._slot(request, cancelled) as free:
            if not free:
                return Completion("", "cancelled", 0, 0, time.monotonic() - started)
            chat = self._chat(request, on_text, cancelled)
        ended = time.monotonic()
        first = chat.first_text_at or ended
        tokens = chat.completion_tokens if chat.completion_tokens is not None else self.count_tokens(chat.text)
        prompt = chat.prompt_tokens
        if prompt is None:
            prompt = sum(self.count_tokens(turn.text) for turn in request.turns)
        self._prompt_time[0] += prompt
        self._prompt_time[1] += first - started
        self._reply_time[0] += tokens
        self._reply_time[1] += ended - first
        completion = Completion(chat.text, chat.finish, prompt, tokens, ended - started, first - started)
        if not request.options or chat.finish == "cancelled":
            return completion
        found = shares.of_tokens(request.options, chat.first_tokens) or shares.of_text(request.options, chat.text)
        return replace(completion, text=shares.likeliest(request.options, found), finish="stop", shares=found)

    def turn(
        self, *, asked: float = math.inf, cancelled: Callable[[], bool] | None = None
    ) -> AbstractContextManager[None]:
        """As many answers at once as passages: with more than the server has slots, the passages of one are forgotten
        for those of another between its first question and its second."""
        with self._lock:
            turnstile = self._turnstile = self._turnstile or Turnstile(self.side_by_side)
        return turnstile.chat(cancelled, asked)

    def ping(self) -> None:
        """Return if the server answers and offers a model of the configured name, if there is one."""
        offered = self._wire.models(_PING)
        # Ollama leaves out the tag of its models where it is the usual one.
        if not [name for name in offered if not self._model or self._model in {name, name.partition(":")[0]}]:
            raise ServiceRejected(_NO_MODEL)

    def close(self) -> None:
        self._wire.close()

    @contextmanager
    def _slot(self, request: CompletionRequest, cancelled: Callable[[], bool] | None) -> Iterator[bool]:
        """Extraction waits here and not in the server's queue, which knows no order; False if it was cancelled."""
        if request.priority is not Priority.INGEST:
            yield True
            return
        with self._lock:
            gate = self._gate = self._gate or threading.BoundedSemaphore(self.side_by_side)
        while not gate.acquire(timeout=_LOOK_SECONDS):
            if cancelled is not None and cancelled():
                yield False
                return
        try:
            yield True
        finally:
            gate.release()

    def _chat(
        self, request: CompletionRequest, on_text: Callable[[str], None] | None, cancelled: Callable[[], bool] | None
    ) -> Chat:
        body = {
            "model": self._name(),
            "messages": [{"role": turn.role, "content": turn.text} for turn in request.turns],
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.stop:
            body["stop"] = list(request.stop)
        if request.options:
            return self._options(body, cancelled)
        if request.schema is None:
            return self._wire.chat(body, on_text, cancelled)
        dialects = _dialects(request.schema)
        while True:
            try:
                return self._wire.chat({**body, **dialects[self._dialect]}, on_text, cancelled)
            except Refused as refused:
                # Not this way of asking for a schema? What the server takes is remembered.
                if refused.too_long or refused.status not in {400, 422} or self._dialect + 1 >= len(dialects):
                    self._dialect = 0
                    raise
                self._dialect += 1

    def _options(self, body: dict[str, Any], cancelled: Callable[[], bool] | None) -> Chat:
        """Probabilities where the server tells them. llama_cpp.server fails without ``logits_all``: asked once."""
        if self._tells_likely:
            try:
                return self._wire.chat({**body, "logprobs": True, "top_logprobs": _LIKELY}, None, cancelled)
            except (Refused, ServiceUnavailable) as error:
                if isinstance(error, Refused) and error.too_long:
                    raise
                chat = self._wire.chat(body, None, cancelled)
                self._tells_likely = False
                return chat
        return self._wire.chat(body, None, cancelled)

    def _name(self) -> str:
        if not self._model:
            names = self._wire.models()
            if not names:
                raise ServiceRejected(_NO_MODEL)
            self._model = names[0]
        return self._model
