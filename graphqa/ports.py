"""What answering needs from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from brain.ports import LLM, Embedder, Entailment, Reranker, VectorStore


@dataclass(frozen=True, slots=True)
class Ports:
    """``llm`` is asked for only when there is something to say: it may load for seconds, or be missing."""

    vectors: VectorStore
    embedder: Embedder
    llm: Callable[[], LLM]
    reranker: Reranker | None = None
    entailment: Entailment | None = None
