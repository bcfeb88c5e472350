"""People, brains, and who may do what in which brain."""

from __future__ import annotations

import uuid
from typing import Self

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person. ``language`` is the interface language; empty follows the browser."""

    language = models.CharField(max_length=8, blank=True, default="")


class Role(models.TextChoices):
    READER = "reader", _("may read and ask")
    EDITOR = "editor", _("may add and delete sources")
    OWNER = "owner", _("may do everything")


class BrainQuerySet(models.QuerySet["Brain"]):
    def readable_by(self, user: User) -> Self:
        return self.filter(memberships__user=user, deleted_at=None)

    def writable_by(self, user: User) -> Self:
        return self.filter(memberships__user=user, memberships__role__in=[Role.EDITOR, Role.OWNER], deleted_at=None)

    def owned_by(self, user: User) -> Self:
        return self.filter(memberships__user=user, memberships__role=Role.OWNER, deleted_at=None)


class Brain(models.Model):
    """A knowledge base.

    ``entity_types`` and ``relation_names`` are hints for extraction. ``revision`` grows with every change
    that retrieval may see; ``fence`` with every change of the graph's writer (see ``GraphStore.write``).
    ``graph_to_make`` and ``vectors_to_make``: its rows came from an export, and what they say is not in the store yet.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    entity_types = models.JSONField(default=list, blank=True)
    relation_names = models.JSONField(default=list, blank=True)
    revision = models.PositiveBigIntegerField(default=0, editable=False)
    fence = models.PositiveBigIntegerField(default=0, editable=False)
    graph_to_make = models.BooleanField(default=False, editable=False)
    vectors_to_make = models.BooleanField(default=False, editable=False)
    projector = models.CharField(max_length=100, blank=True, default="", editable=False)
    projector_until = models.DateTimeField(null=True, blank=True, editable=False)
    members: models.ManyToManyField[User, Membership] = models.ManyToManyField(
        User, through="Membership", related_name="brains"
    )

    objects = BrainQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    brain = models.ForeignKey(Brain, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role.choices, default=Role.READER)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["brain", "user"], name="one_membership_each")]

    def __str__(self) -> str:
        return f"{self.user} {self.role} {self.brain}"
