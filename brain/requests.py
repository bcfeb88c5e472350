"""What a view gets: a request of a person who is logged in."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from brain.models import User


class PersonRequest(HttpRequest):
    """``LoginRequiredMiddleware`` and ``HtmxMiddleware`` make both attributes true."""

    user: User
    htmx: HtmxDetails


class OpenRequest(HttpRequest):
    """A request to a page that needs no login."""

    htmx: HtmxDetails
