"""Frozen values that cross the ports. Rows have identity; these only have content.

Offsets are counted in code points of the source's text after the text door (``brain.text``); ``start`` is
inclusive, ``end`` exclusive. Pages count from 1, seconds from the start of the recording.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for a person: an English text with ``%(name)s`` places, and what stands in them.

    ``text`` is the key of its translation; see ``brain.errors.say``.
    """

    text: str
    params: Mapping[str, str | int | float] = field(default_factory=dict)

    @property
    def english(self) -> str:
        return self.text % dict(self.params) if self.params else self.text

    def as_json(self) -> dict[str, Any]:
        return {"text": self.text, "params": dict(self.params)}


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch ``[start, end)`` of a document's text and the place it came from."""

    start: int
    end: int
    page: int | None = None
    seconds: tuple[float, float] | None = None
    sheet: str = ""
    heading: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A file as text: spans are sorted, do not overlap and lie inside ``text``.

    ``about`` are the names the file gives itself (title of the document); ``warnings`` are about
    parts that could not be read (pages, attachments), for the person who uploaded it. ``dated``: the day that the
    file's own properties name.
    """

    text: str
    spans: tuple[Span, ...]
    language: str
    title: str = ""
    units: int = 0
    unit_name: Literal["page", "second", "paragraph", "row"] = "page"
    warnings: tuple[Notice, ...] = ()
    dated: date | None = None


@dataclass(frozen=True, slots=True)
class Utterance:
    """What was said between two seconds of a recording."""

    start: float
    end: float
    text: str


@dataclass(frozen=True, slots=True)
class Transcript:
    language: str
    duration: float
    utterances: tuple[Utterance, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    role: Literal["system", "user", "assistant"]
    text: str


class Priority(StrEnum):
    """Who goes first when both want the model: a person waiting for an answer, always."""

    CHAT = "chat"
    INGEST = "ingest"


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """``schema``: a JSON schema that the reply must satisfy, or None for free text. ``options``: the reply is one of
    these words, and ``Completion.shares`` says how sure the model is of each; they begin with different tokens."""

    turns: tuple[Turn, ...]
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    temperature: float = 0.0
    stop: tuple[str, ...] = ()
    priority: Priority = Priority.CHAT
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Completion:
    """``finish``: ``stop`` is a whole reply, ``length`` one cut at ``max_tokens``, ``cancelled`` one stopped
    by the caller. ``prompt_seconds`` is the time to the first token. ``shares``: of the request's ``options``, in
    their order, together one; empty without options and for a cancelled reply."""

    text: str
    finish: Literal["stop", "length", "cancelled"]
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    prompt_seconds: float = 0.0
    shares: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """A name as the passage writes it; ``description`` is what this passage says about it, in its own words.

    ``start``/``end`` are offsets into the passage.
    """

    name: str
    type: str
    description: str = ""
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class FoundRelation:
    """A relation as one passage states it; both ends are among the entities of the same passage."""

    subject: str
    subject_type: str
    predicate: str
    object: str
    object_type: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request: ``counts`` says what the reply held, what was kept and what was dropped, by reason."""

    model_id: str
    prompt_version: str
    reply: str
    finish: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    counts: Mapping[str, int] = field(default_factory=dict)


class PointKind(StrEnum):
    CHUNK = "chunk"
    ENTITY = "entity"
    RELATION = "relation"


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Term weights; ``indices`` are distinct 32-bit term ids."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class VectorPoint:
    """One searchable point, owned by exactly one source.

    ``ref`` is what the point stands for: a chunk ref, an entity key or a relation key. ``digest`` is the hash
    of the text behind it, so that a check can tell a stale point without embedding again. No text is kept.
    """

    id: str
    brain: str
    source: str
    kind: PointKind
    ref: str
    digest: str
    dense: Vector | None = None
    lexical: SparseVector | None = None


@dataclass(frozen=True, slots=True)
class PointFilter:
    """Which points: of one brain always; the rest narrows. ``sources`` empty means every source."""

    brain: str
    kind: PointKind | None = None
    sources: frozenset[str] = frozenset()
    without_sources: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class VectorHit:
    """``score``: cosine for dense queries, summed term weights (BM25 with IDF) for lexical ones."""

    ref: str
    source: str
    kind: PointKind
    score: float


@dataclass(frozen=True, slots=True)
class Described:
    """What one source says: the owner of a description."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class GraphEntity:
    """``descriptions`` sorted by source, one per source; ``chunks`` the refs of the chunks that name it."""

    key: str
    name: str
    type: str
    aliases: tuple[str, ...]
    descriptions: tuple[Described, ...]
    chunks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphRelation:
    key: str
    subject: str
    predicate: str
    object: str
    descriptions: tuple[Described, ...]
    chunks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphChunk:
    """A chunk as a node: ``links`` are structural edges to other chunks, as (kind, ref)."""

    ref: str
    source: str
    ordinal: int
    page: int | None
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GraphSource:
    id: str
    title: str
    media_type: str


@dataclass(frozen=True, slots=True)
class GraphBatch:
    """The whole state of the named items; what is listed in ``gone`` no longer exists."""

    entities: tuple[GraphEntity, ...] = ()
    relations: tuple[GraphRelation, ...] = ()
    chunks: tuple[GraphChunk, ...] = ()
    sources: tuple[GraphSource, ...] = ()
    gone_entities: tuple[str, ...] = ()
    gone_relations: tuple[str, ...] = ()
    gone_chunks: tuple[str, ...] = ()
    gone_sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Entities and the relations among them. Sorted by key."""

    entities: tuple[GraphEntity, ...]
    relations: tuple[GraphRelation, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """``id`` orders events of one channel; reading after an id replays what came later."""

    id: str
    data: Mapping[str, Any] = field(default_factory=dict)
