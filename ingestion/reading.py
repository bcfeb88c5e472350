"""Rows of a source that was read: text, segments, passages, and the structure found in them without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F
from django.utils.translation import gettext_noop as _

from brain.errors import EmptySource
from brain.ledger import facts, projection
from brain.ledger.deletion import chunk_refs_of
from brain.models import (
    Brain,
    Chunk,
    ChunkLink,
    ChunkTerm,
    DatedBy,
    Extraction,
    Mention,
    RelationMention,
    Segment,
    Source,
    SourceText,
)
from brain.text import digest, is_blank
from brain.values import Document
from ingestion.dating import date_of
from ingestion.splitter import Passage, split
from ingestion.structure import PassageStructure, outline

_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Reading:
    """A document with all that is worked out from it before anything is written."""

    document: Document
    passages: tuple[Passage, ...]
    structures: tuple[PassageStructure, ...]


def prepare(document: Document) -> Reading:
    """Cut and outline: seconds of work that must not hold a transaction. ``EmptySource`` if there are no words."""
    if is_blank(document.text):
        raise EmptySource(_("No text was found in this file."))
    passages = split(document)
    return Reading(document, passages, outline(document, passages))


def replace_rows(source: Source, reading: Reading) -> None:
    """Make the ledger hold exactly this reading of the source; in the caller's transaction."""
    document, passages = reading.document, reading.passages
    forget_rows(source)
    SourceText.objects.create(source=source, text=document.text)
    Segment.objects.bulk_create(
        (
            Segment(
                source=source,
                ordinal=ordinal,
                start=span.start,
                end=span.end,
                page=span.page,
                second_from=span.seconds[0] if span.seconds else None,
                second_to=span.seconds[1] if span.seconds else None,
                sheet=span.sheet,
                heading=list(span.heading),
            )
            for ordinal, span in enumerate(document.spans)
        ),
        batch_size=_AT_ONCE,
    )
    chunks = Chunk.objects.bulk_create((_chunk(source, passage) for passage in passages), batch_size=_AT_ONCE)
    _write_structure(source, reading.structures, chunks)
    Source.objects.filter(pk=source.pk).update(
        language=document.language,
        units=document.units,
        unit_name=document.unit_name,
        warnings=[notice.as_json() for notice in document.warnings],
        searchable_at=None,
    )
    day, by = date_of(document, source.title)
    # What a person said of it is kept when the file is read again.
    Source.objects.filter(pk=source.pk).exclude(dated_by=DatedBy.PERSON).update(document_date=day, dated_by=by)
    source.warnings = [notice.as_json() for notice in document.warnings]
    source.language = document.language
    projection.note_graph(source.brain_id, chunks=chunk_refs_of(source.pk), sources=[str(source.pk)])
    Brain.objects.filter(pk=source.brain_id).update(revision=F("revision") + 1)


def forget_rows(source: Source) -> None:
    """Take away all that an earlier reading left; in the caller's transaction."""
    affected = facts.affected_by(source=source)
    refs = chunk_refs_of(source.pk)
    chunks = Chunk.objects.filter(source=source)
    RelationMention.objects.filter(source=source).delete()
    Mention.objects.filter(source=source).delete()
    Extraction.objects.filter(chunk__in=chunks).delete()
    ChunkTerm.objects.filter(chunk__in=chunks).delete()
    ChunkLink.objects.filter(chunk__in=chunks).delete()
    Segment.objects.filter(source=source).delete()
    chunks.delete()
    SourceText.objects.filter(source=source).delete()
    projection.note_graph(source.brain_id, chunks=refs)
    if affected.entities or affected.relations:
        facts.refresh(source.brain_id, affected, sources={str(source.pk)})


def _chunk(source: Source, passage: Passage) -> Chunk:
    return Chunk(
        source=source,
        brain_id=source.brain_id,
        ordinal=passage.ordinal,
        start=passage.start,
        end=passage.end,
        text=passage.text,
        digest=digest(passage.text),
        language=passage.language,
        heading=list(passage.heading),
        page=passage.page,
        page_to=passage.page_to,
        second_from=passage.second_from,
        second_to=passage.second_to,
    )


def _write_structure(source: Source, structures: Sequence[PassageStructure], chunks: list[Chunk]) -> None:
    terms: list[ChunkTerm] = []
    links: list[ChunkLink] = []
    for chunk, structure in zip(chunks, structures, strict=True):
        about = dict.fromkeys(structure.about)
        terms.extend(
            ChunkTerm(brain_id=source.brain_id, chunk=chunk, term=term, about=term in about)
            for term in dict.fromkeys([*structure.about, *structure.terms])
        )
        links.extend(
            ChunkLink(
                brain_id=source.brain_id,
                chunk=chunk,
                kind=link.kind,
                label=link.label,
                target=None if link.target_ordinal is None else chunks[link.target_ordinal],
            )
            for link in structure.links
        )
    ChunkTerm.objects.bulk_create(terms, batch_size=_AT_ONCE)
    ChunkLink.objects.bulk_create(links, batch_size=_AT_ONCE)
