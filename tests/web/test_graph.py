"""What the graph page says while there is nothing to draw."""

from __future__ import annotations

import pytest
from django.test import Client

from brain.models import Brain, Source


def said(client: Client, brain: Brain) -> str:
    return client.get(f"/brains/{brain.id}/graph/").content.decode()


def test_an_empty_brain_asks_for_a_document(as_owner: Client, brain: Brain) -> None:
    assert "Upload a document or a recording" in said(as_owner, brain)


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("running", "It grows passage by passage"),
        ("waiting", "It grows passage by passage"),
        ("done", "No names or facts were found"),
        ("failed", "No names or facts were found"),
    ],
)
def test_a_graph_without_entities_says_whether_it_still_grows(
    as_owner: Client, brain: Brain, state: str, sentence: str
) -> None:
    Source.objects.create(brain=brain, title="a.txt", media_type="text/plain", size=1, sha256="0" * 64, state=state)
    assert sentence in said(as_owner, brain)
