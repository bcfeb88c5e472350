"""Counting tokens by the server's own tokenizer where it has a way, by a careful estimate where not."""

from __future__ import annotations

import threading
from collections.abc import Callable

from brain.backends.llm.openai_stream import Wire
from brain.errors import ServiceRejected, ServiceUnavailable


class TokenCounter:
    """The way that worked is remembered; a server without any is asked once."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._ways: tuple[Callable[[str, str], int], ...] = (self._llama_server, self._vllm, self._llama_cpp_server)
        self._lock = threading.Lock()

    def count(self, text: str, model: str) -> int:
        while ways := self._ways:
            try:
                return ways[0](text, model)
            except ServiceUnavailable:
                return estimate(text)
            except (ServiceRejected, KeyError, TypeError):
                self._give_up(ways[0])
        return estimate(text)

    def _give_up(self, failed: Callable[[str, str], int]) -> None:
        """Exactly the way that failed: several threads find out at once, and the next one may be the one that works."""
        with self._lock:
            self._ways = tuple(way for way in self._ways if way != failed)

    def _llama_server(self, text: str, _model: str) -> int:
        return len(self._wire.post(f"{self._wire.root}/tokenize", {"content": text})["tokens"])

    def _vllm(self, text: str, model: str) -> int:
        body = {"model": model, "prompt": text, "add_special_tokens": False}
        return int(self._wire.post(f"{self._wire.root}/tokenize", body)["count"])

    def _llama_cpp_server(self, text: str, _model: str) -> int:
        return int(self._wire.post(f"{self._wire.root}/extras/tokenize/count", {"input": text})["count"])


def estimate(text: str) -> int:
    """Rather too many than too few: three ASCII letters a token, one and a half tokens for any other sign."""
    plain = sum(1 for character in text if ord(character) < 128)
    return -(-plain // 3) + -(-3 * (len(text) - plain) // 2)
