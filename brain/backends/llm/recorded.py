"""Replies of a real model, written down once and played again: the same work without the model.

A recording is JSON lines: ``{"request": hash, "completion": {...}}``. The hash covers everything in the request that
can change the reply, so a changed prompt is an unknown request, never a wrong reply.
"""

from __future__ import annotations

import dataclasses
import json
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

from django.utils.translation import gettext_noop as _

from brain.backends.llm.turnstile import Turnstile
from brain.errors import ServiceRejected
from brain.ports import LLM
from brain.text import digest
from brain.values import Completion, CompletionRequest


def request_hash(request: CompletionRequest) -> str:
    """What a reply depends on; the priority is not part of it."""
    return digest(
        json.dumps([[turn.role, turn.text] for turn in request.turns], ensure_ascii=False),
        json.dumps(request.schema, sort_keys=True, ensure_ascii=False, default=dict),
        json.dumps([request.max_tokens, request.temperature, list(request.stop)]),
        *request.options,
    )


def records(path: Path) -> Iterator[tuple[str, str, Completion]]:
    """(request hash, model id or an empty text, completion) of each line."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            record = json.loads(line)
            shares = tuple(record["completion"].pop("shares", ()))
            yield record["request"], str(record.get("model") or ""), Completion(**record["completion"], shares=shares)


class RecordedLLM:
    """Plays a recording. A request that is not in it is ``ServiceRejected``."""

    prompt_tokens_per_second: float | None = None

    def __init__(self, path: Path, *, model_id: str = "", context_tokens: int = 8192) -> None:
        self.path = path
        self.context_tokens = context_tokens
        self.model_id = model_id or "recorded"
        self._replies: dict[str, Completion] = {}
        self._turnstile = Turnstile()
        for request, model, completion in records(path):
            if not model_id and model:
                self.model_id = model
            self._replies[request] = completion

    @classmethod
    def from_setting(cls, value: str) -> Self:
        return cls(Path(value.partition(":")[2]))

    def count_tokens(self, text: str) -> int:
        return -(-len(text.encode()) // 4)

    def complete(
        self,
        request: CompletionRequest,
        *,
        on_text: Callable[[str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Completion:
        completion = self._replies.get(request_hash(request))
        if completion is None:
            raise ServiceRejected(
                _("The recording %(name)s holds no reply to this request. Record it again."), name=self.path.name
            )
        if cancelled is not None and cancelled():
            return dataclasses.replace(completion, text="", finish="cancelled", completion_tokens=0, shares=())
        if on_text is not None and completion.text:
            on_text(completion.text)
        return completion

    def turn(
        self, *, asked: float = math.inf, cancelled: Callable[[], bool] | None = None
    ) -> AbstractContextManager[None]:
        return self._turnstile.chat(cancelled, asked)


class RecordingLLM:
    """Passes every request on to ``llm`` and appends the reply to a file that ``RecordedLLM`` plays.

    Cancelled replies are not written: they are what the caller made of them. What is asked must not hang on the
    machine's speed, or the recording would not fit another run.
    """

    prompt_tokens_per_second: float | None = None

    def __init__(self, llm: LLM, path: Path) -> None:
        self._llm = llm
        self._path = path
        self._lock = threading.Lock()
        self.model_id = llm.model_id
        self.context_tokens = llm.context_tokens

    def count_tokens(self, text: str) -> int:
        return self._llm.count_tokens(text)

    def complete(
        self,
        request: CompletionRequest,
        *,
        on_text: Callable[[str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Completion:
        completion = self._llm.complete(request, on_text=on_text, cancelled=cancelled)
        if completion.finish != "cancelled":
            record = {
                "request": request_hash(request),
                "model": self.model_id,
                "completion": dataclasses.asdict(completion),
            }
            with self._lock, self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
        return completion

    def turn(
        self, *, asked: float = math.inf, cancelled: Callable[[], bool] | None = None
    ) -> AbstractContextManager[None]:
        return self._llm.turn(asked=asked, cancelled=cancelled)
