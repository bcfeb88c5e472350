"""The embedded default: a GGUF file computed in this process by llama.cpp.

Weights are loaded at the first use. One engine serves all threads: an answer somebody waits for goes first, an
extraction stands aside between two tokens and then goes on with the same text.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Literal, Self

import numpy as np
from django.conf import settings
from django.utils.translation import gettext_noop as _

from brain import weights
from brain.backends.llm import shares
from brain.backends.llm.chat_template import ChatTemplate
from brain.backends.llm.llama_engine import BLOCK, Lane, LlamaEngine
from brain.backends.llm.reply_text import ReplyText
from brain.backends.llm.schema_guide import SchemaGuide
from brain.backends.llm.turnstile import Passes, Turnstile
from brain.errors import Cancelled, ServiceRejected
from brain.values import Completion, CompletionRequest, Priority

# Extraction asks about one passage at a time; half of the memory of a chat is plenty.
INGEST_CONTEXT_TOKENS = 4096


@dataclasses.dataclass(frozen=True, slots=True)
class Speed:
    """Measured on this machine, over all requests of this process; None before the first."""

    prompt_tokens_per_second: float | None = None
    tokens_per_second: float | None = None


class LlamaCppLLM:
    """``model`` is an id of the catalogue, or the path of a GGUF file."""

    def __init__(self, model: str, *, context_tokens: int = 8192, threads: int = 2) -> None:
        self.model_id = weights.model_name(model)
        self.context_tokens = context_tokens
        self._model = model
        self._threads = threads
        self._opening = threading.Lock()
        self._engine: LlamaEngine | None = None
        self._template: ChatTemplate | None = None
        self._lanes: dict[Priority, Lane] = {}
        self._turnstile = Turnstile()
        self._prompt_time = [0, 0.0]
        self._reply_time = [0, 0.0]

    @classmethod
    def from_setting(cls, value: str) -> Self:
        return cls(
            value.partition(":")[2] or weights.chosen_llm(settings.BRAIN_LLM_MODEL),
            context_tokens=settings.LLM_CONTEXT_TOKENS,
            threads=settings.LLM_THREADS,
        )

    @property
    def digest(self) -> str:
        """SHA-256 of the weights; empty while they are missing."""
        return weights.digest_of(self._model)

    @property
    def speed(self) -> Speed:
        prompt, reply = self._prompt_time, self._reply_time
        return Speed(prompt[0] / prompt[1] if prompt[1] else None, reply[0] / reply[1] if reply[1] else None)

    @property
    def prompt_tokens_per_second(self) -> float | None:
        return self.speed.prompt_tokens_per_second

    @property
    def loaded(self) -> bool:
        return bool(self._lanes)

    @property
    def waiting(self) -> int:
        """People whose answer waits or is being written."""
        return self._turnstile.chats_waiting

    def count_tokens(self, text: str) -> int:
        return len(self._open().tokenize(text, special=False))

    def complete(
        self,
        request: CompletionRequest,
        *,
        on_text: Callable[[str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Completion:
        started = time.monotonic()
        engine = self._open()
        assert self._template is not None
        prompt = self._template.blocks(request.turns)
        prompt_tokens = sum(len(block) for block in prompt)
        lane = self._lanes[request.priority]
        if prompt_tokens + request.max_tokens > lane.room:
            raise ServiceRejected(
                _("The text is too long for the language model: %(tokens)s tokens, where %(room)s fit."),
                tokens=prompt_tokens + request.max_tokens,
                room=lane.room,
            )
        passes = Passes(self._turnstile, request.priority, cancelled)
        run = _Generation(self, engine, lane, passes, request, prompt, on_text, cancelled)
        try:
            with passes.whole(lane.lock):
                finish = run.work()
        except Cancelled:
            finish = "cancelled"
        return Completion(
            run.reply.close(),
            finish,
            prompt_tokens,
            run.reply.tokens,
            time.monotonic() - started,
            (run.first_token_at or time.monotonic()) - started,
            run.shares,
        )

    def turn(
        self, *, asked: float = math.inf, cancelled: Callable[[], bool] | None = None
    ) -> AbstractContextManager[None]:
        return self._turnstile.chat(cancelled, asked)

    def close(self) -> None:
        """Free the weights once nobody computes."""
        with self._opening:
            lanes, self._lanes = self._lanes, {}
            for lane in lanes.values():
                with lane.lock:
                    lane.close()
            if self._engine is not None:
                self._engine.close()
            self._engine = self._template = None

    def measured(self, kind: Literal["prompt", "reply"], tokens: int, seconds: float) -> None:
        total = self._prompt_time if kind == "prompt" else self._reply_time
        total[0] += tokens
        total[1] += seconds

    def _open(self) -> LlamaEngine:
        with self._opening:
            if self._engine is None or not self._lanes:
                engine = LlamaEngine(weights.path_of(self._model), threads=self._threads)
                self.context_tokens = min(self.context_tokens, engine.trained_context)
                ingest = min(self.context_tokens, INGEST_CONTEXT_TOKENS)
                self._template = ChatTemplate(engine)
                self._lanes = {
                    Priority.CHAT: Lane(engine, context_tokens=self.context_tokens),
                    Priority.INGEST: Lane(engine, context_tokens=ingest),
                }
                self._engine = engine
            return self._engine


class _Generation:
    """One request at work in its lane."""

    def __init__(
        self,
        llm: LlamaCppLLM,
        engine: LlamaEngine,
        lane: Lane,
        passes: Passes,
        request: CompletionRequest,
        prompt: list[list[int]],
        on_text: Callable[[str], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self._llm = llm
        self._engine = engine
        self._lane = lane
        self._passes = passes
        self._request = request
        self._prompt = prompt
        self._cancelled = cancelled
        self._guide: SchemaGuide | None = None
        self._random = np.random.default_rng(int.from_bytes(hashlib.sha256(repr(prompt).encode()).digest()[:8]))
        self.reply = ReplyText(engine.piece, stop=request.stop, on_text=on_text)
        self.first_token_at: float | None = None
        self.shares: tuple[float, ...] = ()

    def work(self) -> Literal["stop", "length", "cancelled"]:
        if self._request.schema is not None:
            self._guide = SchemaGuide(self._engine.guide_tokenizer(), self._request.schema)
        self._read_prompt()
        self.first_token_at = time.monotonic()
        if self._request.options:
            return self._weigh()
        with self._passes.step():
            self._take_in(self._forced())
        while self.reply.tokens < self._request.max_tokens:
            if self._cancelled is not None and self._cancelled():
                return "cancelled"
            with self._passes.step():
                started = time.monotonic()
                token = self._choose()
                if self._engine.ends(token) or not self.reply.add(token):
                    return "stop"
                forced = self._forced()
                if self._guide is not None and self._guide.finished:
                    return "stop"
                self._take_in([token, *forced])
                self._llm.measured("reply", 1 + len(forced), time.monotonic() - started)
        return "length"

    def _weigh(self) -> Literal["stop"]:
        """No token is computed: the scores after the prompt say it all."""
        options, scores = self._request.options, self._lane.logits()
        first: Callable[[str], int] = lambda word: self._engine.tokenize(word, special=False)[0]  # noqa: E731
        self.shares = shares.of_scores(options, lambda token: float(scores[token]), first)
        self.reply.say(shares.likeliest(options, self.shares))
        return "stop"

    def _forced(self) -> list[int]:
        """What the schema leaves no choice about is said at once and computed together with the token before."""
        if self._guide is None:
            return []
        forced = self._guide.forced()[: self._request.max_tokens - self.reply.tokens]
        for token in forced:
            self.reply.add(token)
        return forced

    def _take_in(self, tokens: list[int]) -> None:
        for at in range(0, len(tokens), BLOCK):
            self._lane.compute(tokens[at : at + BLOCK])

    def _read_prompt(self) -> None:
        with self._passes.step():
            kept = self._lane.start(self._prompt)
        for block in self._prompt[kept:]:
            if self._cancelled is not None and self._cancelled():
                raise Cancelled
            with self._passes.step():
                started = time.monotonic()
                self._lane.compute(block, prompt=True)
                self._llm.measured("prompt", len(block), time.monotonic() - started)

    def _choose(self) -> int:
        logits = self._lane.logits()
        if self._request.temperature > 0:
            noise: Any = self._random.gumbel(size=logits.size)
            logits = (logits / self._request.temperature + noise).astype(np.float32)
        best = int(logits.argmax())
        return best if self._guide is None else self._guide.choose(logits, best)
