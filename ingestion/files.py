"""Files over HTTP: whole or a range, in pieces, on either kind of server."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header

_PIECE = 256 * 1024
_RANGE = re.compile(r"bytes=(\d*)-(\d*)$")


def send(request: HttpRequest, path: Path, *, media_type: str, name: str, attachment: bool) -> HttpResponseBase:
    """The file, or the part a ``Range`` header asks for. ``name`` may hold anything: the header is well formed."""
    size = path.stat().st_size
    asked = _range(request.headers.get("Range", ""), size)
    if asked == "none":
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    start, end = (0, size) if isinstance(asked, str) else asked
    response = StreamingHttpResponse(
        _later(path, start, end) if isinstance(request, ASGIRequest) else _pieces(path, start, end),
        status=200 if isinstance(asked, str) else 206,
        content_type=media_type,
    )
    response["Content-Length"] = str(end - start)
    response["Accept-Ranges"] = "bytes"
    response["Cache-Control"] = "private, no-store"
    response["X-Content-Type-Options"] = "nosniff"
    # Whatever the file is, it runs nothing, should a browser show it after all.
    response["Content-Security-Policy"] = "sandbox; default-src 'none'; media-src 'self'"
    if not isinstance(asked, str):
        response["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    if disposition := content_disposition_header(attachment, name):
        response["Content-Disposition"] = disposition
    return response


def _range(header: str, size: int) -> tuple[int, int] | str:
    """``(start, end)``, end exclusive; ``"all"`` without a range that is understood, ``"none"`` outside the file."""
    found = _RANGE.match(header.strip())
    if not found or found[1] == found[2] == "":
        return "all"
    if not found[1]:
        start, end = max(0, size - int(found[2])), size
    else:
        start, end = int(found[1]), min(size, int(found[2]) + 1) if found[2] else size
    return (start, end) if start < end else "none"


def _pieces(path: Path, start: int, end: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(start)
        while start < end and (piece := file.read(min(_PIECE, end - start))):
            start += len(piece)
            yield piece


async def _later(path: Path, start: int, end: int) -> AsyncIterator[bytes]:
    pieces = _pieces(path, start, end)
    following = sync_to_async(lambda: next(pieces, b""), thread_sensitive=False)
    try:
        while piece := await following():
            yield piece
    finally:
        pieces.close()  # type: ignore[attr-defined]
