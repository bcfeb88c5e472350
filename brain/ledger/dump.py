"""A brain as text that does not depend on ids, times or order: two brains that know the same give the same lines.

This equality is the test of idempotence, deletion, recovery, export and rebuild. Conversations, the audit log
and receipts are not part of it: they tell what people did, not what the brain knows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import numpy as np

from brain import bootstrap, originals
from brain.ledger import indexes
from brain.models import (
    Alias,
    Chunk,
    ChunkLink,
    ChunkTerm,
    Entity,
    Extraction,
    Mention,
    Projection,
    Relation,
    RelationMention,
    Segment,
    Source,
    SourceText,
)
from brain.text import digest
from brain.values import GraphBatch, PointFilter


def canonical(brain_id: UUID, *, stores: bool = True) -> list[str]:
    """Sorted JSON lines. Sources are named by the hash of their bytes, chunks by source and ordinal."""
    names = {str(pk): sha for pk, sha in Source.objects.filter(brain=brain_id).values_list("pk", "sha256")}
    lines = [*_rows(brain_id)]
    if stores:
        lines += _graph(bootstrap.graph_store().dump(str(brain_id)), names)
        lines += _points(brain_id, names)
        lines += [["outbox", Projection.objects.filter(brain=brain_id).count()]]
    return sorted(json.dumps(line, ensure_ascii=False, sort_keys=True) for line in lines)


def _rows(brain_id: UUID) -> Iterator[list[Any]]:
    of_brain = {"source__brain": brain_id}
    for source in Source.objects.filter(brain=brain_id):
        yield [
            *("source", source.sha256, source.title, source.media_type, source.size, source.language, source.units),
            *(source.unit_name, source.state, source.stage, source.error, source.error_params, source.warnings),
            *(str(source.document_date), source.dated_by, source.authority),
            *(source.trashed_at is not None, originals.path_of(source.sha256).exists()),
        ]
    for sha, text in SourceText.objects.filter(**of_brain).values_list("source__sha256", "text"):
        yield ["text", sha, digest(text)]
    for row in Segment.objects.filter(**of_brain).values_list(
        *("source__sha256", "ordinal", "start", "end", "page", "second_from", "second_to", "sheet", "heading")
    ):
        yield ["segment", *row]
    place = ("chunk__source__sha256", "chunk__ordinal")
    for row in Chunk.objects.filter(**of_brain).values_list(
        *("source__sha256", "ordinal", "start", "end", "digest", "language", "heading", "page", "page_to"),
        *("second_from", "second_to", "state", "reason", "embedded"),
    ):
        yield ["chunk", *row]
    for sha, ordinal, model, version, reply, finish, counts in Extraction.objects.filter(
        chunk__source__brain=brain_id
    ).values_list(*place, "model_id", "prompt_version", "reply", "finish", "counts"):
        yield ["extraction", sha, ordinal, model, version, digest(reply), finish, counts]
    for row in ChunkTerm.objects.filter(brain=brain_id).values_list(*place, "term", "about"):
        yield ["term", *row]
    for row in ChunkLink.objects.filter(brain=brain_id).values_list(
        *place, "kind", "label", "target__source__sha256", "target__ordinal"
    ):
        yield ["link", *row]
    for row in Entity.objects.filter(brain=brain_id).values_list("key", "name", "folded", "type"):
        yield ["entity", *row]
    for row in Mention.objects.filter(**of_brain).values_list(
        *place, "entity__key", "own_key", "name", "type", "description", "start", "end"
    ):
        yield ["mention", *row]
    for row in Relation.objects.filter(brain=brain_id).values_list("key", "subject__key", "predicate", "object__key"):
        yield ["relation", *row]
    for row in RelationMention.objects.filter(**of_brain).values_list(
        *place, "relation__key", "subject_key", "predicate", "object_key", "description"
    ):
        yield ["stated", *row]
    for row in Alias.objects.filter(brain=brain_id).values_list("key", "leads_to", "name", "evidence"):
        yield ["alias", *row]


def _graph(batch: GraphBatch, names: dict[str, str]) -> Iterator[list[Any]]:
    for entity in batch.entities:
        said = sorted([names.get(each.source, each.source), each.text] for each in entity.descriptions)
        refs = sorted(_ref(ref, names) for ref in entity.chunks)
        yield ["graph entity", entity.key, entity.name, entity.type, list(entity.aliases), said, refs]
    for relation in batch.relations:
        said = sorted([names.get(each.source, each.source), each.text] for each in relation.descriptions)
        refs = sorted(_ref(ref, names) for ref in relation.chunks)
        yield [
            *("graph relation", relation.key, relation.subject, relation.predicate, relation.object),
            *(said, refs),
        ]
    for chunk in batch.chunks:
        links = sorted([kind, _ref(ref, names)] for kind, ref in chunk.links)
        yield ["graph chunk", _ref(chunk.ref, names), names.get(chunk.source, chunk.source), chunk.page, links]
    for source in batch.sources:
        yield ["graph source", names.get(source.id, source.id), source.title, source.media_type]


def _points(brain_id: UUID, names: dict[str, str]) -> Iterator[list[Any]]:
    """Dense vectors to three decimals: servers and the embedded engine round differently."""
    for index in indexes.every():
        for point in indexes.store_of(index).scan(PointFilter(brain=str(brain_id))):
            dense = None if point.dense is None else digest(str((np.round(point.dense, 3) + 0.0).tolist()))[:16]
            yield [
                *("point", index.name, point.kind, names.get(point.source, point.source)),
                *(_ref(point.ref, names), point.digest, dense),
            ]


def _ref(ref: str, names: dict[str, str]) -> str:
    source, colon, ordinal = ref.partition(":")
    return f"{names.get(source, source)}{colon}{ordinal}"
