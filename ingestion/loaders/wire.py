"""What a loader hands over, as JSON and back: the child's replies to the process that started it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from brain.values import Document, Notice, Span


@dataclass(frozen=True, slots=True)
class Track:
    """One voice of a recording as 16 kHz mono WAV, next to the others. ``peak`` is the loudest sample, 0 to 1."""

    name: str
    file: str
    peak: float


@dataclass(frozen=True, slots=True)
class DecodedAudio:
    """``duration`` in seconds."""

    duration: float
    tracks: tuple[Track, ...]


def document_as_json(document: Document) -> dict[str, Any]:
    return {
        "text": document.text,
        "spans": [[s.start, s.end, s.page, s.seconds, s.sheet, s.heading] for s in document.spans],
        "language": document.language,
        "title": document.title,
        "units": document.units,
        "unit_name": document.unit_name,
        "warnings": [warning.as_json() for warning in document.warnings],
        "dated": document.dated and document.dated.isoformat(),
    }


def document_from_json(data: Mapping[str, Any]) -> Document:
    return Document(
        text=data["text"],
        spans=tuple(_span(*place) for place in data["spans"]),
        language=data["language"],
        title=data["title"],
        units=data["units"],
        unit_name=data["unit_name"],
        warnings=tuple(Notice(**warning) for warning in data["warnings"]),
        dated=date.fromisoformat(data["dated"]) if data["dated"] else None,
    )


def _span(start: int, end: int, page: int | None, seconds: list[float] | None, sheet: str, heading: list[str]) -> Span:
    return Span(start, end, page, (seconds[0], seconds[1]) if seconds else None, sheet, tuple(heading))


def audio_as_json(audio: DecodedAudio) -> dict[str, Any]:
    return asdict(audio)


def audio_from_json(data: Mapping[str, Any]) -> DecodedAudio:
    return DecodedAudio(duration=data["duration"], tracks=tuple(Track(**track) for track in data["tracks"]))
