"""Response headers that hold for every page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponseBase

# blob: is needed by the graph's web workers and by audio players; nothing is ever loaded from elsewhere.
POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)


class PageHeadersMiddleware:
    """Only this server's own files run or load in a page, and nothing that it shows is kept: after a log-out the
    browser's Back must not bring it again. Static files are answered before this."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if iscoroutinefunction(self.get_response):
            return self._later(request)
        response = self.get_response(request)
        assert isinstance(response, HttpResponseBase)
        return _marked(response)

    async def _later(self, request: HttpRequest) -> HttpResponseBase:
        pending = self.get_response(request)
        assert not isinstance(pending, HttpResponseBase)
        response = await pending
        return _marked(response)


def _marked(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers.setdefault("Cache-Control", "private, no-store")
    return response
