"""What still has to be done to the stores, and who did what."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ProjectionTarget(models.TextChoices):
    GRAPH = "graph"
    VECTORS = "vectors"


class Projection(models.Model):
    """Outbox: this item may differ between the rows and a store.

    Written in the same transaction as the rows. It names the item only; carrying it out reads the rows of that
    moment and writes their whole state, or removes the item if there are none, so doing it twice or late is
    harmless. ``kind``: entity, relation, chunk or source. ``source`` narrows an entity or relation to the
    points that one source owns.
    """

    id = models.BigAutoField(primary_key=True)
    brain = models.UUIDField()
    target = models.CharField(max_length=7, choices=ProjectionTarget.choices)
    kind = models.CharField(max_length=8)
    key = models.CharField(max_length=80)
    source = models.CharField(max_length=36, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["brain", "target", "id"])]


class DeletionKind(models.TextChoices):
    SOURCE = "source", _("source")
    BRAIN = "brain", _("brain")
    USER = "user", _("user")


class Deletion(models.Model):
    """The journal of one deletion, and its receipt when it is done. Names nothing but ids and counts."""

    kind = models.CharField(max_length=6, choices=DeletionKind.choices)
    subject = models.CharField(max_length=36)
    brain = models.UUIDField(null=True, blank=True)
    sha256 = models.CharField(max_length=64, blank=True, default="")
    step = models.CharField(max_length=20, default="cancel")
    tries = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True, default="")
    receipt = models.JSONField(default=dict, blank=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    requested_at = models.DateTimeField(auto_now_add=True)
    retry_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    lease_owner = models.CharField(max_length=100, blank=True, default="")
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-requested_at", "id"]
        constraints = [models.UniqueConstraint(fields=["kind", "subject"], name="deleted_once")]


class VectorIndex(models.Model):
    """One set of vectors, made by one embedding model. Exactly one is active; another may be building.

    ``setting`` is the value of ``BRAIN_EMBEDDER`` that made it, so that it can go on answering after a change.
    """

    name = models.CharField(max_length=80, unique=True)
    setting = models.CharField(max_length=400, default="")
    model_id = models.CharField(max_length=200)
    dimension = models.PositiveIntegerField()
    active = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "vector indexes"


class Audit(models.Model):
    """Who did what. Never document text, a question or an answer."""

    at = models.DateTimeField(auto_now_add=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    action = models.CharField(max_length=40)
    brain = models.UUIDField(null=True, blank=True)
    subject = models.CharField(max_length=80, blank=True, default="")
    counts = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["brain", "at"])]
