"""How numbers and states are shown to a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from brain import kinds
from brain.models import MessageStatus, SourceState

register = template.Library()

_KINDS = {
    "application/pdf": "PDF",
    "text/plain": "TXT",
    "text/markdown": "MD",
    "text/html": "HTML",
    "text/csv": "CSV",
}
_TONES: dict[str, str] = {
    SourceState.QUEUED: "",
    SourceState.RUNNING: "busy",
    SourceState.WAITING: "warn",
    SourceState.DONE: "ok",
    SourceState.PARTIAL: "warn",
    SourceState.FAILED: "bad",
    MessageStatus.ANSWERED: "ok",
    MessageStatus.PARTIALLY_SUPPORTED: "warn",
    MessageStatus.INSUFFICIENT_CONTEXT: "warn",
    MessageStatus.CONTRADICTORY: "warn",
    MessageStatus.CANCELLED: "",
}


@register.filter
def duration(seconds: float | None) -> str:
    """A length of time as a person says it: 40 s, 3 min, 2 h 10 min."""
    if seconds is None:
        return ""
    whole = max(0, round(seconds))
    if whole < 60:
        return _("%(n)s s") % {"n": whole}
    minutes = round(whole / 60)
    if minutes < 60:
        return _("%(n)s min") % {"n": minutes}
    return _("%(hours)s h %(minutes)s min") % {"hours": minutes // 60, "minutes": minutes % 60}


@register.filter
def clock(seconds: float | None) -> str:
    """A place in a recording: 0:07, 12:30, 1:02:03."""
    if seconds is None:
        return ""
    whole = int(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"


@register.filter
def kind(media_type: str) -> str:
    """A short name of a media type."""
    if media_type.startswith(("audio/", "video/")):
        return _("Recording")
    return _KINDS.get(media_type, _("File"))


@register.filter
def thing(kind: str) -> str:
    """What kind of thing an entity is, in the language of the page."""
    return kinds.label(kind)


@register.filter
def tone(state: str) -> str:
    """The class that colours a state. The word says it too: colour is never alone."""
    return _TONES.get(state, "busy" if state in {"queued", "running"} else "bad")


@register.filter
def units(count: int, unit_name: str) -> str:
    """How long a source is, in its own unit; empty where that says nothing."""
    if not count:
        return ""
    if unit_name == "page":
        return ngettext("%(n)s page", "%(n)s pages", count) % {"n": count}
    if unit_name == "second":
        return clock(count)
    if unit_name == "row":
        return ngettext("%(n)s row", "%(n)s rows", count) % {"n": count}
    return ""


@register.filter
def in_words(confidence: float | None) -> str:
    """How sure retrieval is, as a word."""
    if confidence is None:
        return ""
    if confidence >= 0.75:
        return _("high")
    return _("medium") if confidence >= 0.4 else _("low")


@register.filter
def at(mapping: Mapping[Any, Any], key: Any) -> Any:
    """The value under a key that a template only knows as a variable."""
    return mapping.get(key)
