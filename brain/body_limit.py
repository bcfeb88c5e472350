"""A request larger than the limit is answered before it is read.

Django puts a whole body on disk before a view sees it: without this, somebody who sends two gigabytes waits for
all of them to learn that the limit is smaller, and fills the disk meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from django.conf import settings
from django.utils.translation import gettext, override
from django.utils.translation import gettext_noop as _

TOO_LARGE = _("The file is larger than the limit of %(limit)s MB. Split it and upload the parts.")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[Any, Receive, Send], Awaitable[None]]

# The parts of a form around its file.
_MARGIN = 64 * 1024


class BodyLimit:
    """Refuses by the announced length, and cuts off a body that announced none and grows too long."""

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope["headers"]}
        limit = settings.UPLOAD_LIMIT_MB * 1024 * 1024 + _MARGIN
        announced = headers.get(b"content-length", b"")
        if announced.isdigit() and int(announced) > limit:
            await _refuse(send, headers)
            return
        counted = receive if announced.isdigit() else _Counted(receive, limit)
        await self.app(scope, counted, send)


class _Counted:
    """Passes a body on up to the limit; then says that the client is gone, which makes Django let go of it."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self.receive, self.left = receive, limit

    async def __call__(self) -> Mapping[str, Any]:
        message = await self.receive()
        if message["type"] == "http.request":
            self.left -= len(message.get("body", b""))
            if self.left < 0:
                return {"type": "http.disconnect"}
        return message


async def _refuse(send: Send, headers: dict[bytes, bytes]) -> None:
    language = "ko" if headers.get(b"accept-language", b"").lower().startswith(b"ko") else "en"
    with override(language):
        said = gettext(TOO_LARGE) % {"limit": settings.UPLOAD_LIMIT_MB}
    body = json.dumps({"files": [{"name": "", "state": "refused", "said": said}]}, ensure_ascii=False).encode()
    await send(
        {
            "type": "http.response.start",
            "status": 413,
            "headers": [
                (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
                (b"connection", b"close"),
                (b"x-content-type-options", b"nosniff"),
            ],
        }
    )
    await send({"type": "http.response.body", "body": body, "more_body": False})
