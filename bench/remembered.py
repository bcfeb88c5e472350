"""The language model of this installation, whose replies are kept on disk: what was asked once is not asked again."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brain.ports import LLM
    from brain.values import Completion, CompletionRequest


class OutOfTime(Exception):
    """The model has had its seconds; the next run goes on from what is kept."""


class RememberingLLM:
    """Replies come from the file where it holds them. ``fresh`` counts the others; after ``seconds`` there are none."""

    # What is asked must not hang on the machine's speed, or nothing kept would fit.
    prompt_tokens_per_second: float | None = None

    def __init__(self, inner: LLM, path: Path, *, seconds: float) -> None:
        from brain.backends.llm.recorded import RecordingLLM, records, request_hash

        self._inner, self._hash = RecordingLLM(inner, path), request_hash
        self._until = time.monotonic() + seconds
        self.model_id, self.context_tokens, self.fresh = inner.model_id, inner.context_tokens, 0
        self._known = {key: completion for key, _model, completion in records(path)} if path.exists() else {}

    def count_tokens(self, text: str) -> int:
        return self._inner.count_tokens(text)

    def complete(
        self,
        request: CompletionRequest,
        *,
        on_text: Callable[[str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Completion:
        key = self._hash(request)
        if key in self._known:
            if on_text is not None:
                on_text(self._known[key].text)
            return self._known[key]
        if time.monotonic() > self._until:
            raise OutOfTime
        self.fresh += 1
        completion = self._known[key] = self._inner.complete(request, on_text=on_text, cancelled=cancelled)
        return completion

    def turn(
        self, *, asked: float = math.inf, cancelled: Callable[[], bool] | None = None
    ) -> AbstractContextManager[None]:
        return self._inner.turn(asked=asked, cancelled=cancelled)


def remember(folder: Path, seconds: float) -> RememberingLLM:
    """Put it in the model's place in this process; its replies are kept in ``folder``."""
    from brain import bootstrap

    folder.mkdir(parents=True, exist_ok=True)
    llm = RememberingLLM(bootstrap.llm(), folder / "replies.jsonl", seconds=seconds)
    bootstrap.use("BRAIN_LLM", llm)
    return llm
