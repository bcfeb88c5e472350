"""A brain with one of everything that a route can name, filled with words that nobody else may see."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from brain import originals
from brain.identity import entity_key, fold_name, relation_key
from brain.models import (
    Brain,
    Chunk,
    Citation,
    Conversation,
    Entity,
    Mention,
    Message,
    Relation,
    RelationMention,
    Segment,
    Source,
    SourceText,
    User,
)

CANARY = "zebrafish"
TEXT = f"Page one speaks of the {CANARY} contract.\nPage two says that Han signed it."


@dataclass(frozen=True)
class World:
    brain: Brain
    source: Source
    chunk: Chunk
    entity: Entity
    conversation: Conversation
    message: Message


def make_world(brain: Brain, owner: User, *, name: str = CANARY, media_type: str = "application/pdf") -> World:
    """``name`` goes everywhere a person reads one: title, entity, description, relation, question, answer, quote."""
    source = _source(brain, owner, name, media_type)
    chunk = Chunk.objects.create(
        source=source,
        brain=brain,
        ordinal=0,
        start=0,
        end=len(TEXT),
        text=TEXT,
        digest="d",
        page=1,
        page_to=2,
        state="done",
    )
    entity = _graph(brain, source, chunk, name)
    conversation = Conversation.objects.create(brain=brain, user=owner, title=name)
    message = Message.objects.create(
        conversation=conversation,
        ordinal=1,
        question=name,
        answer=f"{name} [1]",
        standalone=f"{name} standalone",
        status="answered",
        confidence=0.8,
        finished_at=timezone.now(),
        evidence=[{"ref": chunk.ref, "number": 1, "score": 0.5, "reason": name, "page": 1}],
        details={"attempts": ["weak"], "verdict": "sufficient", "note": name},
    )
    Citation.objects.create(
        message=message, number=1, chunk=chunk, source=source, title=name, page=1, quote=name, start=5, end=20
    )
    return World(brain, source, chunk, entity, conversation, message)


def _source(brain: Brain, owner: User, name: str, media_type: str) -> Source:
    sha256 = f"{abs(hash(name)):064x}"[-64:]
    path = originals.path_of(sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"0123456789")
    source = Source.objects.create(
        brain=brain,
        title=name[:255],
        media_type=media_type,
        sha256=sha256,
        size=10,
        uploaded_by=owner,
        state="done",
        stage="finished",
        units=2,
        unit_name="page",
        searchable_at=timezone.now(),
        warnings=[{"text": name.replace("%", "%%"), "params": {}}],
    )
    SourceText.objects.create(source=source, text=TEXT)
    second = TEXT.index("\n") + 1
    Segment.objects.create(source=source, ordinal=0, start=0, end=second, page=1, heading=[name])
    Segment.objects.create(source=source, ordinal=1, start=second, end=len(TEXT), page=2)
    return source


def _graph(brain: Brain, source: Source, chunk: Chunk, name: str) -> Entity:
    ends = []
    for each, kind in ((name, "thing"), ("Han", "person")):
        key = entity_key(each, kind)
        entity = Entity.objects.create(brain=brain, key=key, name=each[:400], folded=fold_name(each)[:400], type=kind)
        Mention.objects.create(
            entity=entity,
            chunk=chunk,
            source=source,
            own_key=key,
            name=each[:400],
            type=kind,
            description=name,
            start=5,
            end=9,
        )
        ends.append(entity)
    relation = Relation.objects.create(
        brain=brain,
        key=relation_key(ends[0].key, name, ends[1].key),
        subject=ends[0],
        predicate=name[:200],
        object=ends[1],
    )
    RelationMention.objects.create(
        relation=relation,
        chunk=chunk,
        source=source,
        subject_key=ends[0].key,
        object_key=ends[1].key,
        predicate=name[:200],
        description=name,
    )
    return ends[0]
