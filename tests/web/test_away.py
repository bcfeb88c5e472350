"""A page that needs a server which is away says so, and says that it is worth trying again."""

from __future__ import annotations

import pytest
from django.db import OperationalError
from django.test import Client

from brain.errors import ServiceRejected, ServiceUnavailable
from brain.models import Brain


@pytest.mark.parametrize(
    ("raised", "status", "sentence"),
    [
        (OperationalError("no connection to 10.0.0.5"), 503, "The database does not answer."),
        (ServiceUnavailable(), 503, "A service does not answer for now."),
        (ServiceRejected(), 500, "Something went wrong"),
    ],
)
def test_a_server_that_is_away_is_named_and_nothing_else(
    as_owner: Client,
    brain: Brain,
    monkeypatch: pytest.MonkeyPatch,
    raised: Exception,
    status: int,
    sentence: str,
) -> None:
    def away(*_args: object, **_kwargs: object) -> None:
        raise raised

    monkeypatch.setattr("ingestion.views.sources.boards", away)
    as_owner.raise_request_exception = False
    response = as_owner.get(f"/brains/{brain.id}/sources/")
    said = response.content.decode()
    assert (response.status_code, response.get("Retry-After")) == (status, "10" if status == 503 else None)
    assert sentence in said
    assert "10.0.0.5" not in said
