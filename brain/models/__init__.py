"""The ledger: rows are the truth, graph and vectors are projections of them."""

from __future__ import annotations

from brain.models.accounts import Brain, Membership, Role, User
from brain.models.conversations import Citation, Conversation, Feedback, Message, MessageStatus
from brain.models.graph import Alias, Entity, Mention, Relation, RelationMention
from brain.models.operations import Audit, Deletion, DeletionKind, Projection, ProjectionTarget, VectorIndex
from brain.models.sources import (
    Chunk,
    ChunkLink,
    ChunkState,
    ChunkTerm,
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
    "Brain",
    "Chunk",
    "ChunkLink",
    "ChunkState",
    "ChunkTerm",
    "Citation",
    "Conversation",
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
