"""What a person sees when a page could not be made."""

from __future__ import annotations

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import server_error

from brain.errors import BrainError, ServiceUnavailable
from brain.health import NO_DATABASE

_AGAIN_SECONDS = "10"


def broken(request: HttpRequest) -> HttpResponse:
    """503 with its sentence while a server is away, else 500. Neither page asks a store for anything."""
    error = sys.exc_info()[1]
    if isinstance(error, OperationalError | InterfaceError):
        error = ServiceUnavailable(NO_DATABASE)
    if not (isinstance(error, BrainError) and error.retryable):
        return server_error(request)
    response = render(request, "503.html", {"said": error.sentence}, status=503)
    response["Retry-After"] = _AGAIN_SECONDS
    return response
