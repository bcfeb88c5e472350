"""Old answers lose what rested on a deleted source, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from brain.ledger import deletion, journal
from brain.ledger.quotes import REMOVED, without
from brain.models import Brain, Citation, Conversation, Message, MessageStatus, Source, User

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("answer", "kept", "left"),
    [
        ("A is old [1]. B is new [2].", {2}, f"{REMOVED} B is new [2]."),
        ("A is old [1]. So it seems.", {1}, f"A is old [1].{REMOVED}"),
        ("Both agree [1][2].", {2}, REMOVED),
        ("B is new [2].", {2}, "B is new [2]."),
        ("낡았다 [1]. 새롭다 [2].", {2}, f"{REMOVED} 새롭다 [2]."),
        ("", {2}, ""),
    ],
)
def test_only_sentences_that_cite_what_is_left_stay(answer: str, kept: set[int], left: str) -> None:
    assert without(answer, kept) == left


def test_purging_a_source_takes_its_words_out_of_the_chat(
    upload: Callable[..., Source], drain: Callable[[], None], brain: Brain, owner: User
) -> None:
    gone, stays = upload("The canary is called aardvark.", "a.txt"), upload("The badger sleeps.", "b.txt")
    drain()
    conversation = Conversation.objects.create(brain=brain, user=owner)
    message = Message.objects.create(
        conversation=conversation,
        ordinal=0,
        question="Who is there?",
        standalone="Who is aardvark?",
        answer="An aardvark [1]. A badger [2].",
        status=MessageStatus.ANSWERED,
        evidence=[{"ref": f"{gone.pk}:0"}, {"ref": f"{stays.pk}:0"}],
    )
    for number, source in ((1, gone), (2, stays)):
        Citation.objects.create(
            message=message,
            number=number,
            source=source,
            chunk=source.chunks.get(),
            title=source.title,
            quote=source.chunks.get().text,
        )
    follow_up = Message.objects.create(
        conversation=conversation,
        ordinal=1,
        question="And then?",
        standalone="And then the aardvark?",
        details={"broad": ["aardvark"]},
        status=MessageStatus.INSUFFICIENT_CONTEXT,
    )
    deletion.purge(gone, owner)
    while [journal.advance(each) for each in journal.due()]:
        pass
    message.refresh_from_db()
    assert (message.answer, message.standalone) == (f"{REMOVED} A badger [2].", "")
    follow_up.refresh_from_db()
    assert (follow_up.standalone, follow_up.details) == ("", {})
    assert message.evidence == [{"ref": f"{stays.pk}:0"}]
    assert list(message.citations.values_list("number", "title", "quote")) == [
        (1, "", ""),
        (2, "b.txt", "The badger sleeps."),
    ]
