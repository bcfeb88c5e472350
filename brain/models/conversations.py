"""Questions, answers, and what they cite."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from brain.errors import say
from brain.models.accounts import Brain
from brain.models.sources import Chunk, Source
from brain.values import Notice


class Conversation(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    brain = models.ForeignKey(Brain, on_delete=models.CASCADE, related_name="conversations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="conversations")
    title = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "id"]

    def __str__(self) -> str:
        return self.title


class MessageStatus(models.TextChoices):
    """The first two are on the way; the rest are final."""

    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("answering")
    ANSWERED = "answered", _("answered")
    PARTIALLY_SUPPORTED = "partially_supported", _("partly supported")
    INSUFFICIENT_CONTEXT = "insufficient_context", _("not in your documents")
    CONTRADICTORY = "contradictory", _("the documents disagree")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("stopped")


class Message(models.Model):
    """One question and its answer.

    ``standalone``: the question as it was searched, after history was folded in. ``evidence`` is the list of
    what was retrieved, with scores and reasons, by chunk ref and entity key: never text, so that deleting a
    source leaves nothing here. ``details`` holds attempts, rewrites, timings and counts. ``error`` and
    ``error_params`` are the sentence for the person.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="messages")
    ordinal = models.PositiveIntegerField()
    question = models.TextField()
    standalone = models.TextField(blank=True, default="")
    scope = models.JSONField(default=dict, blank=True)
    answer = models.TextField(blank=True, default="")
    status = models.CharField(max_length=20, choices=MessageStatus.choices, default=MessageStatus.QUEUED)
    confidence = models.FloatField(null=True, blank=True)
    evidence = models.JSONField(default=list, blank=True)
    details = models.JSONField(default=dict, blank=True)
    error_code = models.CharField(max_length=40, blank=True, default="")
    error = models.TextField(blank=True, default="")
    error_params = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    cancel_requested = models.BooleanField(default=False)
    tries = models.PositiveSmallIntegerField(default=0)
    lease_owner = models.CharField(max_length=100, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["ordinal"]
        constraints = [models.UniqueConstraint(fields=["conversation", "ordinal"], name="message_place")]
        indexes = [models.Index(fields=["status", "created_at"])]

    @property
    def error_sentence(self) -> str:
        """Why it waits or failed, in the active language."""
        return say(Notice(self.error, self.error_params))


class Citation(models.Model):
    """A quote behind ``number`` as shown in the answer; sentences that cite the same number may have different ones.
    The place is copied, so that it can be shown when the chunk is gone; purging the source blanks ``quote`` and
    ``title``."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="citations")
    number = models.PositiveSmallIntegerField()
    chunk = models.ForeignKey(Chunk, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    source = models.ForeignKey(Source, null=True, blank=True, on_delete=models.SET_NULL, related_name="citations")
    title = models.CharField(max_length=255, blank=True, default="")
    page = models.PositiveIntegerField(null=True, blank=True)
    second_from = models.FloatField(null=True, blank=True)
    quote = models.TextField(blank=True, default="")
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    supported = models.BooleanField(default=True)

    class Meta:
        ordering = ["number", "id"]
        constraints = [models.UniqueConstraint(fields=["message", "number", "start"], name="citation_place")]


class Feedback(models.Model):
    message = models.OneToOneField(Message, on_delete=models.CASCADE, related_name="feedback")
    helpful = models.BooleanField()
    note = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
