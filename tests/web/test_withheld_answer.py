"""What the chat says of an answer while a file that it cites is in the trash, and afterwards."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone

from brain.models import Brain, Citation, Message, Source, User
from tests.web.world import World, make_world

FOR_EDITORS = "This answer rests on a file that is in the trash. Restore the file to read it, or ask again."
FOR_READERS = "This answer rests on a file that is in the trash. Ask again for an answer without it."
DELETING = "This answer rests on a file that is being deleted. Ask again for an answer without it."
WORDS = ("goldfinch", 'class="citations"', "<blockquote", "What was found", "Searched as", "Confidence")
_TOKEN = re.compile(r'<input type="hidden" name="csrfmiddlewaretoken"[^>]*>')


@pytest.fixture
def world(brain: Brain, owner: User) -> World:
    """A question whose words are not those of its answer, searched words, quote and title."""
    made = make_world(brain, owner, name="goldfinch")
    Message.objects.update(question="Who signed?")
    made.conversation.title = "Who signed?"
    made.conversation.save()
    return made


def fragment(client: Client, message: Message) -> str:
    page = client.get(f"/messages/{message.pk}/", headers={"hx-request": "true"}).content.decode()
    return _TOKEN.sub("", page)


def chat(client: Client, world: World) -> str:
    """The page's messages: its form offers the titles of all sources that are asked."""
    page = _TOKEN.sub("", client.get(f"/conversations/{world.conversation.pk}/").content.decode())
    return "".join(part.split("</article>")[0] for part in page.split("<article")[1:])


def follow_up(world: World, *, cites: Source | None = None, **changed: object) -> Message:
    row = {"question": "And when?", "answer": "In May [1].", "status": "answered"} | changed
    made = Message.objects.create(conversation=world.conversation, ordinal=2, **row)
    if cites:
        Citation.objects.create(message=made, number=1, source=cites, title=cites.title, quote="In May.")
    return made


def test_an_answer_is_hidden_while_its_file_is_in_the_trash_and_comes_back(as_owner: Client, world: World) -> None:
    before = chat(as_owner, world)
    assert all(word in before for word in WORDS)
    as_owner.post(f"/sources/{world.source.pk}/delete/")
    for said in (chat(as_owner, world), fragment(as_owner, world.message)):
        assert FOR_EDITORS in said
        assert [word for word in WORDS if word in said] == []
    as_owner.post(f"/sources/{world.source.pk}/restore/")
    assert chat(as_owner, world) == before


def test_a_reader_is_told_to_ask_again(as_reader: Client, reader: User, world: World) -> None:
    world.conversation.user = reader
    world.conversation.save()
    Source.objects.update(trashed_at=timezone.now())
    said = chat(as_reader, world)
    assert (FOR_READERS in said, FOR_EDITORS in said) == (True, False)


@pytest.mark.parametrize(("left", "hidden"), [({}, True), ({"title": "", "quote": ""}, False)])
def test_an_answer_is_hidden_until_a_deletion_took_its_words_out(
    as_owner: Client, world: World, left: dict[str, str], hidden: bool
) -> None:
    Source.objects.update(purge_requested_at=timezone.now())
    Citation.objects.update(**left)
    said = chat(as_owner, world)
    assert (DELETING in said, 'class="citations"' in said) == (hidden, not hidden)


def test_a_source_that_is_gone_hides_no_answer(as_owner: Client, world: World) -> None:
    Citation.objects.update(source=None, chunk=None)
    assert 'class="citations"' in chat(as_owner, world)


def test_other_answers_stay(as_owner: Client, brain: Brain, owner: User, world: World) -> None:
    other = Source.objects.create(brain=brain, title="calendar.txt", media_type="text/plain", sha256="c", size=1)
    message = follow_up(world, cites=other, standalone="And when?", details={"narrow": ["when"]})
    before = fragment(as_owner, message)
    Source.objects.filter(pk=world.source.pk).update(trashed_at=timezone.now())
    assert fragment(as_owner, message) == before
    assert ("In May" in before, "Words searched for" in before) == (True, True)


def test_a_later_question_does_not_repeat_words_of_a_hidden_answer(as_owner: Client, world: World) -> None:
    message = follow_up(
        world,
        answer="",
        standalone="And when did the goldfinch?",
        status="insufficient_context",
        details={"narrow": ["goldfinch"], "gap": ["goldfinch"], "entities": [world.entity.key]},
        evidence=[{"ref": world.chunk.ref, "reason": "words", "page": 1}],
    )
    assert fragment(as_owner, message).count("goldfinch") >= 3
    Source.objects.update(trashed_at=timezone.now())
    assert "goldfinch" not in fragment(as_owner, message)


def test_what_was_found_leaves_out_a_file_in_the_trash(as_owner: Client, brain: Brain, world: World) -> None:
    other = Source.objects.create(brain=brain, title="calendar.txt", media_type="text/plain", sha256="c", size=1)
    evidence = [{"ref": each, "reason": "words", "page": 1} for each in (world.chunk.ref, f"{other.pk}:0")]
    message = follow_up(world, cites=other, evidence=evidence, details={"entities": [world.entity.key]})
    assert "goldfinch" in fragment(as_owner, message)
    Source.objects.filter(pk=world.source.pk).update(trashed_at=timezone.now())
    said = fragment(as_owner, message)
    assert ("calendar.txt" in said, "goldfinch" in said) == (True, False)
