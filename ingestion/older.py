"""Dates of files that were read before documents had dates, from what is kept of them: once, and little by little."""

from __future__ import annotations

import time
from datetime import date

from django.db.models.functions import Left

from brain import originals
from brain.models import DatedBy, Source, SourceText
from ingestion import media, reader
from ingestion.dating import HEAD, said_or_named

# Of a round of the reconciler, which has other work: a PDF that is opened takes half a second.
_SECONDS = 5.0
_AT_ONCE = 1000


def date_older() -> None:
    """Go on until all are dated or the time of this round is over. A date that a person sets meanwhile stays."""
    ends = time.monotonic() + _SECONDS
    waiting = Source.objects.filter(dated_by=DatedBy.LATER)
    for source in waiting.only("title", "media_type", "sha256")[:_AT_ONCE]:
        day, by = _date_of(source)
        waiting.filter(pk=source.pk).update(document_date=day, dated_by=by)
        if time.monotonic() > ends:
            return


def _date_of(source: Source) -> tuple[date | None, str]:
    heads = SourceText.objects.filter(pk=source.pk).values_list(Left("text", HEAD), flat=True)
    day, by = said_or_named(heads.first() or "", source.title)
    original = originals.path_of(source.sha256)
    if day or source.media_type != media.PDF or not original.exists():
        return day, by
    made = reader.made_on(original)
    return made, DatedBy.FILE if made else ""
