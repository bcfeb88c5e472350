"""The seams. Each is small, speaks this product's words, and has adapters under ``brain/backends/``.

Adapters raise only errors of ``brain.errors``: ``ServiceUnavailable`` when trying later may help,
``ServiceRejected`` when not, ``ModelMissing`` when weights or engine are not installed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from brain.values import (
    Completion,
    CompletionRequest,
    Event,
    GraphBatch,
    PointFilter,
    SparseVector,
    Subgraph,
    Transcript,
    Vector,
    VectorHit,
    VectorPoint,
)


class GraphStore(Protocol):
    """Entities, relations, chunks and sources of many brains.

    ``reads_ledger``: the adapter answers from the ledger's own rows, so nothing has to be written to it.
    """

    reads_ledger: bool

    def write(self, brain: str, batch: GraphBatch, *, fence: int) -> None:
        """Make the store hold exactly the state in ``batch`` for the items it names, in one transaction.

        Repeating a write changes nothing. ``fence`` grows with every change of the writer: a write with a
        smaller fence than one already seen raises ``LeaseLost`` and changes nothing.
        """

    def neighbourhood(self, brain: str, keys: Sequence[str], *, hops: int = 1, limit: int = 200) -> Subgraph:
        """The entities ``keys`` and what is within ``hops`` relations of them, nearest first, at most
        ``limit`` entities, with all relations among them. Names and ends, without what is said of them: a hub is
        described a thousand times. Unknown keys are left out."""

    def find(self, brain: str, words: str, *, limit: int = 20) -> Subgraph:
        """Entities whose name or alias holds ``words`` (folded), exact names first. No relations."""

    def dump(self, brain: str) -> GraphBatch:
        """All that is kept of a brain, each tuple sorted by key; the ``gone_*`` fields are empty."""

    def remove_brain(self, brain: str) -> None:
        """Forget a brain. Unknown brains are forgotten already."""

    def ping(self) -> None:
        """Return if the store answers."""


class VectorStore(Protocol):
    """Dense and lexical points of many brains, for one embedding model.

    A write or removal is durable when the call returns.
    """

    def upsert(self, points: Sequence[VectorPoint]) -> None:
        """Write points whole; a point of the same id is replaced, which is of the same kind. A wrong dimension is
        ``ServiceRejected``."""

    def remove(self, ids: Sequence[str]) -> None:
        """Remove points by id; unknown ids are gone already."""

    def remove_matching(self, where: PointFilter) -> None:
        """Remove all points that match."""

    def search(self, query: Vector | SparseVector, where: PointFilter, *, limit: int) -> list[VectorHit]:
        """Best first, ties by point id. A dense query asks the dense vectors, a sparse one the lexical. ``where``
        names a kind: words are as rare as they are among the brain's points of it."""

    def scan(self, where: PointFilter) -> Iterator[VectorPoint]:
        """Every matching point with ``dense`` set if it has a dense vector, ``lexical`` None. Any order."""

    def count(self, where: PointFilter) -> int:
        """How many points match, exactly."""


class LLM(Protocol):
    """A language model. Calls may come from several threads; chat goes before ingestion."""

    model_id: str
    context_tokens: int

    @property
    def prompt_tokens_per_second(self) -> float | None:
        """How fast it has read prompts so far; None before the first, or where nobody measures."""

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text`` by the model's own tokenizer, without a chat template."""

    def complete(
        self,
        request: CompletionRequest,
        *,
        on_text: Callable[[str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Completion:
        """Run one request. ``on_text`` gets pieces as they come; ``cancelled`` is asked between tokens. With
        ``options`` the text is the likeliest of them, and a model that tells no probabilities gives it all.

        A prompt that does not fit beside ``max_tokens`` is ``ServiceRejected``.
        """

    def turn(
        self, *, asked: float = math.inf, cancelled: Callable[[], bool] | None = None
    ) -> AbstractContextManager[None]:
        """Around what this thread asks for one answer: of those who wait, who ``asked`` first (seconds) is first, and
        where the model does one thing at a time nothing of another answer comes between, so that passages in several
        prompts are read once. ``Cancelled`` if asked to stop in the queue."""


class Embedder(Protocol):
    """Texts to unit vectors of ``dimension``."""

    model_id: str
    dimension: int

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        """Shape (len(texts), dimension), rows in order, each of length one."""

    def embed_query(self, text: str) -> Vector:
        """Shape (dimension,)."""


class Transcriber(Protocol):
    model_id: str

    def ready(self) -> None:
        """Return if engine and weights are there; ``ModelMissing`` otherwise. Loads nothing."""

    def transcribe(
        self, audio: Path, *, language: str | None = None, on_progress: Callable[[float, float], None] | None = None
    ) -> Transcript:
        """Speech to text. ``on_progress(seconds_done, seconds_total)``. Silence gives no utterances."""


class Reranker(Protocol):
    model_id: str

    def score(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """How well each passage answers; higher is better; order of ``passages`` kept."""


class Entailment(Protocol):
    """Natural language inference."""

    model_id: str

    def entailed(self, premises: Sequence[str], hypothesis: str) -> Sequence[float]:
        """The probability, 0 to 1, that a premise says what ``hypothesis`` claims; order of ``premises`` kept."""


class EventLog(Protocol):
    """Short-lived ordered events per channel: tokens and progress that a page reload can replay."""

    def append(self, channel: str, data: dict[str, Any]) -> str:
        """Add an event; its id."""

    def read(self, channel: str, *, after: str = "", wait_seconds: float = 0.0) -> list[Event]:
        """Events after an id, oldest first; waits up to ``wait_seconds`` if there is none yet."""

    def drop(self, channel: str) -> None:
        """Forget a channel."""
