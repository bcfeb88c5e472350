"""Django's admin: every row can be read. Rows of the ledger cannot be changed here, because the graph, the vectors
and the journal of deletions follow from them; people and brains have pages of their own."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from brain import models


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic when it runs
    """No adding, changing or deleting."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False


#: Per model: columns of the list, filters, fields that are searched.
_SHOWN: dict[type[Model], tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    models.User: (("username", "is_active", "is_staff", "last_login"), ("is_active", "is_staff"), ("username",)),
    models.Brain: (("name", "created_at", "deleted_at", "revision"), (), ("name",)),
    models.Membership: (("brain", "user", "role"), ("role",), ()),
    models.Source: (("title", "brain", "state", "stage", "tries", "created_at"), ("state", "stage"), ("title",)),
    models.SourceText: (("source",), (), ()),
    models.Segment: (("source", "ordinal", "page", "second_from"), (), ()),
    models.Chunk: (("source", "ordinal", "page", "state", "embedded"), ("state", "embedded"), ()),
    models.Extraction: (("chunk", "model_id", "finish", "seconds", "created_at"), ("finish",), ()),
    models.ChunkLink: (("chunk", "kind", "label", "target"), ("kind",), ("label",)),
    models.ChunkTerm: (("chunk", "term", "about"), ("about",), ("term",)),
    models.Entity: (("name", "type", "brain", "key"), (), ("name", "key")),
    models.Mention: (("name", "type", "entity", "source"), (), ("name",)),
    models.Relation: (("subject", "predicate", "object", "brain"), (), ("predicate",)),
    models.RelationMention: (("relation", "predicate", "source"), (), ("predicate",)),
    models.Alias: (("name", "brain", "leads_to", "decided_by"), (), ("name",)),
    models.Conversation: (("id", "brain", "user", "created_at"), (), ()),
    models.Message: (("id", "status", "confidence", "created_at", "finished_at"), ("status",), ()),
    models.Citation: (("message", "number", "source", "page", "supported"), ("supported",), ()),
    models.Feedback: (("message", "helpful", "created_at"), ("helpful",), ()),
    models.Projection: (("id", "brain", "target", "kind", "key", "created_at"), ("target", "kind"), ("key",)),
    models.Deletion: (
        ("kind", "subject", "step", "tries", "requested_at", "finished_at"),
        ("kind", "step"),
        ("subject",),
    ),
    models.VectorIndex: (("name", "model_id", "dimension", "active"), ("active",), ()),
    models.Audit: (("at", "user", "action", "subject"), ("action",), ("subject",)),
}

for _model, (_columns, _filters, _searched) in _SHOWN.items():
    _shown = type(
        f"{_model.__name__}Admin",
        (ReadOnlyAdmin,),
        {
            "list_display": _columns,
            "list_filter": _filters,
            "search_fields": _searched,
            "list_select_related": tuple(
                field.name for field in _model._meta.get_fields() if field.many_to_one and field.name in _columns
            ),
        },
    )
    admin.site.register(_model, _shown)

admin.site.site_header = admin.site.site_title = "Brain"
