"""Sources and what was read from them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from brain.errors import EmptySource, LockedSource, UnsupportedSource, say
from brain.models.accounts import Brain
from brain.values import Notice


class SourceState(models.TextChoices):
    """``waiting`` means that something outside the file is missing; it goes on by itself."""

    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    WAITING = "waiting", _("waiting")
    DONE = "done", _("done")
    PARTIAL = "partial", _("partly done")
    FAILED = "failed", _("failed")


class SourceStage(models.TextChoices):
    """In this order. From ``embed`` on a source is searchable."""

    READ = "read", _("reading")
    INDEX = "index", _("indexing")
    EMBED = "embed", _("embedding")
    EXTRACT = "extract", _("building the graph")
    FINISHED = "finished", _("finished")


class DatedBy(models.TextChoices):
    """Where the date of a document is from; a person's word stays when the file is read again. ``later``: its file was
    read before documents had dates, and it is still to be looked for (``ingestion.older``)."""

    TEXT = "text", _("from its text")
    NAME = "name", _("from its file name")
    FILE = "file", _("from the file's properties")
    PERSON = "person", _("set by a person")
    LATER = "later", _("still to be looked for")


class Authority(models.IntegerChoices):
    """Which document goes first where two disagree, before their dates are looked at."""

    DRAFT = -1, _("draft")
    USUAL = 0, _("usual")
    DECISIVE = 1, _("decisive")


#: ``error_code`` of a source some of whose passages gave no facts, or not all.
FAILED_CHUNKS = "chunks"

#: The fields of a source about which there is nothing to say.
NO_ERROR: Mapping[str, object] = {"error_code": "", "error": "", "error_params": {}}

# What the same bytes will always end in.
_FOR_GOOD = frozenset({EmptySource.code, LockedSource.code, UnsupportedSource.code})


class Source(models.Model):
    """One uploaded file in one brain.

    ``size`` in bytes; ``units`` are pages, seconds, paragraphs or rows as ``unit_name`` says. ``error_code``
    is a code of ``brain.errors``; ``error`` and ``error_params`` the sentence for the person, ``warnings`` a list of
    such sentences (``brain.values.Notice`` as JSON).
    ``lease_token`` grows with each claim, so that a writer that lost its lease can be told from its successor.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brain = models.ForeignKey(Brain, on_delete=models.CASCADE, related_name="sources")
    title = models.CharField(max_length=255)
    media_type = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    language = models.CharField(max_length=8, blank=True, default="")
    document_date = models.DateField(null=True, blank=True)
    dated_by = models.CharField(max_length=6, choices=DatedBy.choices, blank=True, default="")
    authority = models.SmallIntegerField(choices=Authority.choices, default=Authority.USUAL)
    units = models.PositiveIntegerField(default=0)
    unit_name = models.CharField(max_length=10, blank=True, default="")

    state = models.CharField(max_length=8, choices=SourceState.choices, default=SourceState.QUEUED)
    stage = models.CharField(max_length=8, choices=SourceStage.choices, default=SourceStage.READ)
    progress = models.FloatField(default=0.0)
    stage_seconds = models.JSONField(default=dict, blank=True)
    stage_started_at = models.DateTimeField(null=True, blank=True)
    searchable_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    error_code = models.CharField(max_length=40, blank=True, default="")
    error = models.TextField(blank=True, default="")
    error_params = models.JSONField(default=dict, blank=True)
    warnings = models.JSONField(default=list, blank=True)

    tries = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(null=True, blank=True)
    lease_owner = models.CharField(max_length=100, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)
    lease_token = models.PositiveIntegerField(default=0)

    trashed_at = models.DateTimeField(null=True, blank=True)
    purge_requested_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["brain", "sha256"],
                condition=models.Q(purge_requested_at=None),
                name="same_bytes_once_per_brain",
            )
        ]
        indexes = [
            models.Index(fields=["state", "stage", "lease_until"]),
            models.Index(fields=["brain", "trashed_at"]),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def error_sentence(self) -> str:
        """Why it is not done and what the person can do, in the active language."""
        return say(Notice(self.error, self.error_params))

    @property
    def may_be_retried(self) -> bool:
        """True where trying again may end otherwise. A file without words has none at the next look, either."""
        if self.state == SourceState.PARTIAL:
            return self.error_code == FAILED_CHUNKS
        return self.state in {SourceState.FAILED, SourceState.WAITING} and self.error_code not in _FOR_GOOD

    @property
    def warning_sentences(self) -> list[str]:
        return [say(Notice(**warning)) for warning in self.warnings]


class SourceText(models.Model):
    """The whole text after the door; every offset refers to it."""

    source = models.OneToOneField(Source, on_delete=models.CASCADE, primary_key=True, related_name="body")
    text = models.TextField()


class Segment(models.Model):
    """A stretch of the text and the place it came from."""

    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="segments")
    ordinal = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True, blank=True)
    second_from = models.FloatField(null=True, blank=True)
    second_to = models.FloatField(null=True, blank=True)
    sheet = models.CharField(max_length=255, blank=True, default="")
    heading = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["ordinal"]
        constraints = [models.UniqueConstraint(fields=["source", "ordinal"], name="segment_place")]


class ChunkState(models.TextChoices):
    """State of extraction. ``empty``: nothing to extract; ``truncated``: facts kept up to where the reply broke."""

    PENDING = "pending", _("pending")
    DONE = "done", _("done")
    EMPTY = "empty", _("nothing found")
    FAILED = "failed", _("failed")
    TRUNCATED = "truncated", _("cut short")


class Chunk(models.Model):
    """A passage. ``digest`` hashes its text; page and seconds are those of its first and last segment."""

    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="chunks")
    brain = models.ForeignKey(Brain, on_delete=models.CASCADE, related_name="+")
    ordinal = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    text = models.TextField()
    digest = models.CharField(max_length=64)
    language = models.CharField(max_length=8, default="")
    heading = models.JSONField(default=list, blank=True)
    page = models.PositiveIntegerField(null=True, blank=True)
    page_to = models.PositiveIntegerField(null=True, blank=True)
    second_from = models.FloatField(null=True, blank=True)
    second_to = models.FloatField(null=True, blank=True)
    state = models.CharField(max_length=9, choices=ChunkState.choices, default=ChunkState.PENDING)
    reason = models.TextField(blank=True, default="")
    embedded = models.BooleanField(default=False)

    class Meta:
        ordering = ["ordinal"]
        constraints = [models.UniqueConstraint(fields=["source", "ordinal"], name="chunk_place")]
        indexes = [models.Index(fields=["source", "state"]), models.Index(fields=["brain", "source"])]

    @property
    def ref(self) -> str:
        """Stable name of the chunk in every store."""
        return f"{self.source_id}:{self.ordinal}"


class Extraction(models.Model):
    """One model call for one chunk. Kept: it is what cost the time. ``counts`` says what was dropped and why."""

    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="extractions")
    model_id = models.CharField(max_length=200)
    prompt_version = models.CharField(max_length=20)
    reply = models.TextField()
    finish = models.CharField(max_length=10)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0.0)
    counts = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]


class LinkKind(models.TextChoices):
    NEXT = "next", _("next passage")
    SECTION = "section", _("same section")
    CITES = "cites", _("cites")


class ChunkLink(models.Model):
    """A structural edge made without a model, from a chunk to another or to a place named in the text.

    ``label`` is what the text says ("제12조", "Section 4.2"). A link is owned by the chunk it starts from; one
    whose target goes away keeps its label and loses its target.
    """

    brain = models.ForeignKey(Brain, on_delete=models.CASCADE, related_name="+")
    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="links")
    kind = models.CharField(max_length=8, choices=LinkKind.choices)
    label = models.CharField(max_length=200, blank=True, default="")
    target = models.ForeignKey(Chunk, null=True, blank=True, on_delete=models.SET_NULL, related_name="linked_from")

    class Meta:
        indexes = [models.Index(fields=["brain", "kind"])]


class ChunkTerm(models.Model):
    """A term that a chunk names, found without a model. ``about``: the chunk is about it (title, heading,
    article number, subject of its first sentence). Weaker evidence than an extracted mention."""

    brain = models.ForeignKey(Brain, on_delete=models.CASCADE, related_name="+")
    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="terms")
    term = models.CharField(max_length=200)
    about = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["chunk", "term"], name="term_once_per_chunk")]
        indexes = [models.Index(fields=["brain", "term"])]
