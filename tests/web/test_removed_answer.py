"""What the chat says of an answer whose sources were deleted."""

from __future__ import annotations

import pytest
from django.test import Client

from brain.ledger import deletion, journal
from brain.ledger.quotes import REMOVED
from brain.models import Brain, Message, User
from tests.web.world import make_world


@pytest.mark.parametrize(
    ("answer", "removed"),
    [
        (REMOVED, True),
        (f"{REMOVED}\n\n- {REMOVED}", True),
        (f"{REMOVED} Kim signed it [2].", False),
        ("Kim signed it [2].", False),
    ],
)
def test_an_answer_of_which_nothing_is_left_claims_no_confidence(
    as_owner: Client, brain: Brain, owner: User, answer: str, removed: bool
) -> None:
    world = make_world(brain, owner)
    Message.objects.filter(pk=world.message.pk).update(answer=answer)
    page = as_owner.get(f"/conversations/{world.conversation.id}/").content.decode()
    assert ('<span class="badge">removed</span>' in page) == removed
    assert ("Confidence:" in page, '<span class="badge ok">answered</span>' in page) == (not removed, not removed)


@pytest.mark.django_db(transaction=True)
def test_a_purge_leaves_an_answer_that_says_it_is_removed(as_owner: Client, brain: Brain, owner: User) -> None:
    world = make_world(brain, owner)
    deletion.purge(world.source, owner)
    while [journal.advance(each) for each in journal.due()]:
        pass
    page = as_owner.get(f"/conversations/{world.conversation.id}/").content.decode()
    assert ('<span class="badge">removed</span>' in page, "Confidence:" in page) == (True, False)
