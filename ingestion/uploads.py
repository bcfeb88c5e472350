"""Taking files in. When ``accept`` returns, the original is on disk under its hash and its row is committed."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import BinaryIO

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from brain import bell, originals
from brain.errors import DuplicateSource
from brain.models import Audit, Brain, Chunk, ChunkState, Source, SourceStage, SourceState, User
from brain.models.sources import NO_ERROR
from brain.text import clean_line
from ingestion import media


def shown_name(name: str) -> str:
    """The name a person sees: the last part of any path, one line, NFC, no marks that turn or hide letters."""
    last = PurePosixPath(name.replace("\\", "/")).name
    return clean_line(last, limit=255).strip(". ") or "file"


def accept(brain: Brain, user: User | None, name: str, stream: BinaryIO) -> Source:
    """Store a file and queue it.

    Raises ``EmptySource``, ``UnsupportedSource`` or ``SourceLimit`` for what cannot be taken, ``DuplicateSource``
    where the brain holds the same bytes, ``ServiceUnavailable`` when the disk is nearly full. Nothing is left then.
    """
    original = originals.receive(stream)
    title = shown_name(name)
    try:
        media_type = media.detect(original.head, title)
        return _keep(brain, user, title, media_type, original)
    finally:
        original.temporary.unlink(missing_ok=True)


def _keep(brain: Brain, user: User | None, title: str, media_type: str, original: originals.Original) -> Source:
    _refuse_duplicate(brain, original)
    try:
        with transaction.atomic():
            originals.hold(original.sha256)
            source = Source.objects.create(
                brain=brain,
                title=title,
                media_type=media_type,
                sha256=original.sha256,
                size=original.size,
                uploaded_by=user,
            )
            Audit.objects.create(action="upload", brain=brain.pk, subject=str(source.pk), user=user)
            # Inside the transaction: a deletion of another source with these bytes looks for rows and removes the
            # file within one too, so it either sees this row or is over before the file is put in its place.
            originals.keep(original)
    except IntegrityError:
        _refuse_duplicate(brain, original)
        raise
    transaction.on_commit(bell.ring_ingest)
    return source


def _refuse_duplicate(brain: Brain, original: originals.Original) -> None:
    same = Source.objects.filter(brain=brain, sha256=original.sha256, purge_requested_at=None).first()
    if same is None:
        return
    if not originals.path_of(original.sha256).exists():
        originals.keep(original)
        raise DuplicateSource(
            _("This file is in the brain already, as “%(title)s”. Its original was lost and is back."),
            source_id=str(same.pk),
            title=same.title,
        )
    where = _("This file is in the brain already, as “%(title)s”.")
    if same.trashed_at:
        where = _("This file is in the trash of this brain, as “%(title)s”. Restore it there.")
    raise DuplicateSource(where, source_id=str(same.pk), title=same.title)


def retry(source: Source, user: User | None) -> bool:
    """Try again what failed: the whole file, or only the passages whose extraction failed. False if nothing to do."""
    with transaction.atomic():
        failed = Chunk.objects.filter(source=source, state__in=[ChunkState.FAILED, ChunkState.TRUNCATED])
        changes: dict[str, object] = {
            "state": SourceState.QUEUED,
            "tries": 0,
            "retry_at": None,
            **NO_ERROR,
            "finished_at": None,
        }
        resting = Source.objects.filter(
            pk=source.pk, state__in=[SourceState.FAILED, SourceState.PARTIAL, SourceState.WAITING, SourceState.DONE]
        )
        if failed.exists():
            failed.update(state=ChunkState.PENDING, reason="")
            changes["stage"] = SourceStage.EXTRACT
        elif source.state in (SourceState.DONE, SourceState.PARTIAL):
            return False
        taken = resting.update(**changes)
        if taken:
            Audit.objects.create(action="retry", brain=source.brain_id, subject=str(source.pk), user=user)
    transaction.on_commit(bell.ring_ingest)
    transaction.on_commit(bell.ring_extract)
    return bool(taken)


def reread(source: Source, user: User | None) -> bool:
    """Process a finished file again from its original; what it said before is replaced when it is read."""
    with transaction.atomic():
        taken = Source.objects.filter(
            pk=source.pk, state__in=[SourceState.FAILED, SourceState.PARTIAL, SourceState.DONE], trashed_at=None
        ).update(
            state=SourceState.QUEUED,
            stage=SourceStage.READ,
            tries=0,
            retry_at=timezone.now(),
            progress=0.0,
            stage_seconds={},
            finished_at=None,
            lease_token=F("lease_token") + 1,
            **NO_ERROR,
        )
        if taken:
            Audit.objects.create(action="reread", brain=source.brain_id, subject=str(source.pk), user=user)
    transaction.on_commit(bell.ring_ingest)
    return bool(taken)
