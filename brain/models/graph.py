"""What is known: entities and relations, and who says so.

``Entity`` and ``Relation`` are derived: they exist while a mention does, and every field except the key is a
pure function of their mentions. Only mentions hold what a source said, and each belongs to one chunk.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from brain.models.accounts import Brain
from brain.models.sources import Chunk, Source


class Entity(models.Model):
    """``key`` is ``brain.identity.entity_key``; ``name`` and ``type`` are the most frequent among its mentions."""

    brain = models.ForeignKey(Brain, on_delete=models.CASCADE, related_name="entities")
    key = models.CharField(max_length=32)
    name = models.CharField(max_length=400)
    folded = models.CharField(max_length=400, default="")
    type = models.CharField(max_length=60)

    class Meta:
        ordering = ["key"]
        verbose_name_plural = "entities"
        constraints = [models.UniqueConstraint(fields=["brain", "key"], name="one_entity_per_key")]
        indexes = [models.Index(fields=["brain", "folded"])]

    def __str__(self) -> str:
        return self.name


class Mention(models.Model):
    """What one chunk says about an entity: the per-source description.

    ``own_key`` is the identity of the name as written; it differs from the entity's key only where an alias
    (a merge) leads elsewhere, so that undoing the merge finds the way back. ``start``/``end`` are where the
    name stands in the source's text.
    """

    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="mentions")
    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="mentions")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="+")
    own_key = models.CharField(max_length=32)
    name = models.CharField(max_length=400)
    type = models.CharField(max_length=60)
    description = models.TextField(blank=True, default="")
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["chunk", "own_key"], name="entity_once_per_chunk")]
        indexes = [models.Index(fields=["source", "entity"])]


class Relation(models.Model):
    """``key`` is ``brain.identity.relation_key`` of its ends and the folded predicate."""

    brain = models.ForeignKey(Brain, on_delete=models.CASCADE, related_name="relations")
    key = models.CharField(max_length=32)
    subject = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="outgoing")
    predicate = models.CharField(max_length=200)
    object = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="incoming")

    class Meta:
        ordering = ["key"]
        constraints = [models.UniqueConstraint(fields=["brain", "key"], name="one_relation_per_key")]


class RelationMention(models.Model):
    """One chunk says that the relation holds. The own keys are the ends as written (see ``Mention``).

    ``relation`` is empty while a merge has made both ends one entity: kept for the undo, shown nowhere.
    """

    relation = models.ForeignKey(Relation, null=True, on_delete=models.CASCADE, related_name="mentions")
    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="relation_mentions")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="+")
    subject_key = models.CharField(max_length=32)
    object_key = models.CharField(max_length=32)
    predicate = models.CharField(max_length=200)
    description = models.TextField(blank=True, default="")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["chunk", "subject_key", "predicate", "object_key"], name="relation_once_per_chunk"
            )
        ]
        indexes = [models.Index(fields=["source", "relation"])]


class Alias(models.Model):
    """A person's decision that two identity keys are one entity. Survives re-extraction; undone by removing it."""

    brain = models.ForeignKey(Brain, on_delete=models.CASCADE, related_name="aliases")
    key = models.CharField(max_length=32)
    leads_to = models.CharField(max_length=32)
    name = models.CharField(max_length=400)
    evidence = models.TextField(blank=True, default="")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "aliases"
        constraints = [models.UniqueConstraint(fields=["brain", "key"], name="one_way_per_key")]
