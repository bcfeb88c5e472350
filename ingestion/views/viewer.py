"""Looking at a source: its text by page or second with the cited words marked, its original, its sound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from brain import originals
from brain.access import source_access
from brain.models import Chunk, Segment, Source, SourceText
from brain.requests import PersonRequest
from ingestion.board import boards
from ingestion.files import send
from ingestion.forms import AboutForm
from ingestion.passages import Piece, Run, Stretch, part_at, parts_of, pieces_of, runs_of

_NOWHERE = Stretch(0, 0)


@dataclass(frozen=True, slots=True)
class ShownPiece:
    piece: Piece
    runs: list[Run]

    def has(self, look: str) -> bool:
        return any(run.look == look for run in self.runs)


@require_safe
def source(request: PersonRequest, source_id: UUID) -> HttpResponse:
    """``?chunk=`` an ordinal, ``?start=&end=`` offsets of the quote, ``?page=``, ``?second=``, or ``?part=``."""
    found, access = source_access(request.user, source_id)
    body = SourceText.objects.filter(source=found).first()
    text = body.text if body else ""
    parts = parts_of(pieces_of(text, list(found.segments.all())))
    quote = Stretch(_number(request.GET, "start"), min(_number(request.GET, "end"), len(text)))
    passage = _passage(found, request.GET)
    number = _part(request.GET, parts, found, quote or passage)
    shown = [ShownPiece(piece, runs_of(text, piece, quote, passage)) for piece in parts[number]] if parts else []
    second = _second(request.GET, shown)
    page = {
        "access": access,
        "brain": access.brain,
        "tab": "sources",
        "source": found,
        "board": boards([found], access)[0],
        "shown": shown,
        "part": number + 1,
        "part_count": len(parts),
        "last_page": max((segment.page or 0 for segment in found.segments.all()), default=0),
        "is_recording": is_recording(found),
        "second": second,
        "cited": bool(quote or passage),
        "about": AboutForm(instance=found) if access.may_write else None,
    }
    return render(request, "ingestion/viewer.html", page)


def _number(given: Mapping[str, str], name: str) -> int:
    value = given.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else 0


def _passage(found: Source, given: Mapping[str, str]) -> Stretch:
    if not given.get("chunk"):
        return _NOWHERE
    chunk = Chunk.objects.filter(source=found, ordinal=_number(given, "chunk")).first()
    return Stretch(chunk.start, chunk.end) if chunk else _NOWHERE


def _part(given: Mapping[str, str], parts: list[list[Piece]], found: Source, wanted: Stretch) -> int:
    if wanted:
        return part_at(parts, wanted.start)
    segment: Segment | None = None
    if page := _number(given, "page"):
        segment = found.segments.filter(page__gte=page).first()
    elif second := _number(given, "second"):
        segment = found.segments.filter(second_from__lte=second).last()
    if segment:
        return part_at(parts, segment.start)
    return min(max(_number(given, "part"), 1), max(len(parts), 1)) - 1


def _second(given: Mapping[str, str], shown: list[ShownPiece]) -> float | None:
    """Where the player starts: the second asked for, or that of the cited words."""
    if given.get("second"):
        return float(_number(given, "second"))
    for look in ("quote", "passage"):
        for each in shown:
            if each.has(look) and each.piece.segment:
                return each.piece.segment.second_from
    return None


def is_recording(found: Source) -> bool:
    return found.media_type.startswith(("audio/", "video/"))


@require_safe
def original(request: PersonRequest, source_id: UUID) -> HttpResponseBase:
    """The file as it was uploaded, to be saved: never shown as a page of this site."""
    found, _access = source_access(request.user, source_id)
    return _send(request, found, media_type="application/octet-stream", attachment=True)


@require_safe
def audio(request: PersonRequest, source_id: UUID) -> HttpResponseBase:
    """A recording for the player, whole or in ranges."""
    found, _access = source_access(request.user, source_id)
    if not is_recording(found):
        raise Http404
    return _send(request, found, media_type=found.media_type, attachment=False)


def _send(request: PersonRequest, found: Source, *, media_type: str, attachment: bool) -> HttpResponseBase:
    path = originals.path_of(found.sha256)
    if not path.exists():
        raise Http404
    return send(request, path, media_type=media_type, name=found.title, attachment=attachment)
