"""The ledger: rows are the truth, graph and vectors are projections of them."""

from __future__ import annotations

from brain.models.accounts import Brain, Membership, Role, User
from brain.models.conversations import Citation, Conversation, Feedback, Message, MessageStatus
from brain.models.graph import Alias, Entity, Mention, Relation, RelationMention
from brain.models.operations import Audit, Deletion, DeletionKind, Projection, ProjectionTarget, VectorIndex
from brain.models.sources import (
    Authority,
    Chunk,
    ChunkLink,
    ChunkState,
    ChunkTerm,
    DatedBy,
    Extraction,
    LinkKind,
    Segment,
    Source,
    SourceStage,
    SourceState,
    SourceText,
)

__all__ = [
    "Alias",
    "Audit",
    "Authority",
    "Brain",
    "Chunk",
    "ChunkLink",
    "ChunkState",
    "ChunkTerm",
    "Citation",
    "Conversation",
    "DatedBy",
    "Deletion",
    "DeletionKind",
    "Entity",
    "Extraction",
    "Feedback",
    "LinkKind",
    "Membership",
    "Mention",
    "Message",
    "MessageStatus",
    "Projection",
    "ProjectionTarget",
    "Relation",
    "RelationMention",
    "Role",
    "Segment",
    "Source",
    "SourceStage",
    "SourceState",
    "SourceText",
    "User",
    "VectorIndex",
]
