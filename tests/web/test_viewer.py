from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from brain.models import Brain, Role, Segment, Source, SourceText, User
from ingestion.passages import PART_CHARACTERS, Piece, Run, Stretch, part_at, parts_of, pieces_of, runs_of
from tests.web.world import TEXT, make_world

NOWHERE = Stretch(0, 0)


def test_the_quote_is_marked_inside_its_passage() -> None:
    piece = Piece(0, 10, None, True)
    assert runs_of("0123456789", piece, Stretch(3, 5), Stretch(2, 8)) == [
        Run("01", ""),
        Run("2", "passage"),
        Run("34", "quote", first=True),
        Run("567", "passage"),
        Run("89", ""),
    ]


def test_a_passage_without_a_quote_is_where_the_page_scrolls_to() -> None:
    assert runs_of("0123", Piece(0, 4, None, True), NOWHERE, Stretch(1, 3)) == [
        Run("0", ""),
        Run("12", "passage", first=True),
        Run("3", ""),
    ]


def test_no_letter_of_a_long_text_is_lost_or_doubled() -> None:
    text = "한 줄의 글자\n" * 9000
    parts = parts_of(pieces_of(text, []))
    assert "".join(text[piece.start : piece.end] for part in parts for piece in part) == text
    assert max(sum(piece.end - piece.start for piece in part) for part in parts) <= PART_CHARACTERS * 1.25
    assert all(part_at(parts, piece.start) == number for number, part in enumerate(parts) for piece in part)


def test_a_text_without_line_ends_is_cut_too() -> None:
    assert [piece.end - piece.start for piece in pieces_of("x" * (PART_CHARACTERS * 2 + 5), [])] == [
        PART_CHARACTERS,
        PART_CHARACTERS,
        5,
    ]


def test_the_viewer_opens_on_the_cited_words(as_reader: Client, brain: Brain, owner: User) -> None:
    world = make_world(brain, owner)
    start = TEXT.index("Han signed")
    page = as_reader.get(f"/sources/{world.source.pk}/?chunk=0&start={start}&end={start + 10}").content.decode()
    assert '<mark id="cited">Han signed</mark>' in page
    assert "Page 2" in page


def test_nonsense_in_the_address_still_opens_the_source(as_reader: Client, brain: Brain, owner: User) -> None:
    world = make_world(brain, owner)
    for query in (
        "start=x&end=-5",
        "start=99999&end=999999",
        "chunk=77",
        "page=abc",
        "part=0",
        "part=999",
        "start=5&end=2",
    ):
        assert as_reader.get(f"/sources/{world.source.pk}/?{query}").status_code == 200, query


def test_a_long_source_opens_at_the_page_asked_for(as_reader: Client, brain: Brain, owner: User) -> None:
    source = Source.objects.create(brain=brain, title="long", media_type="application/pdf", sha256="s", size=1)
    pages = [f"Page {n} begins. " + "x" * 5000 for n in range(1, 21)]
    SourceText.objects.create(source=source, text="\n".join(pages))
    start = 0
    for n, page in enumerate(pages):
        Segment.objects.create(source=source, ordinal=n, start=start, end=start + len(page), page=n + 1)
        start += len(page) + 1
    page = as_reader.get(f"/sources/{source.pk}/?page=17").content.decode()
    assert "Page 17 begins." in page
    assert "Page 1 begins." not in page
    assert "Part 9 of 10" in page


def test_a_recording_starts_at_the_cited_second(as_reader: Client, brain: Brain, owner: User) -> None:
    world = make_world(brain, owner, media_type="audio/mpeg")
    for n, segment in enumerate(world.source.segments.all()):
        Segment.objects.filter(pk=segment.pk).update(page=None, second_from=n * 12.5, second_to=n * 12.5 + 12)
    start = TEXT.index("Han signed")
    page = as_reader.get(f"/sources/{world.source.pk}/?chunk=0&start={start}&end={start + 10}").content.decode()
    assert f'src="/sources/{world.source.pk}/audio/#t=12.5"' in page
    assert 'data-seek="12.50"' in page


@pytest.mark.parametrize("role", Role)
def test_a_source_in_the_trash_opens_for_those_who_may_restore_it(
    as_reader: Client, brain: Brain, owner: User, role: Role
) -> None:
    world = make_world(brain, owner, media_type="audio/mpeg")
    brain.memberships.exclude(user=owner).update(role=role)
    pages = [f"/sources/{world.source.pk}/{page}" for page in ("", "original/", "audio/")]
    assert [status(as_reader, page) for page in pages] == [200, 200, 200]
    Source.objects.update(trashed_at=timezone.now())
    allowed = role != Role.READER
    assert [status(as_reader, page) for page in pages] == ([200, 200, 200] if allowed else [404, 404, 404])
    listed = as_reader.get(f"/brains/{brain.pk}/trash/").content.decode()
    assert (world.source.title in listed, pages[0] in listed) == (True, allowed)
    Source.objects.update(trashed_at=None)
    assert [status(as_reader, page) for page in pages] == [200, 200, 200]


def status(client: Client, path: str) -> int:
    response = client.get(path)
    response.close()
    return response.status_code


def test_a_source_that_failed_says_why_and_what_can_be_done(as_owner: Client, brain: Brain, owner: User) -> None:
    world = make_world(brain, owner)
    Source.objects.filter(pk=world.source.pk).update(
        state="failed", error="The file is larger than the limit of %(limit)s MB.", error_params={"limit": 5}
    )
    page = as_owner.get(f"/sources/{world.source.pk}/").content.decode()
    assert "The file is larger than the limit of 5 MB." in page
    assert f"/sources/{world.source.pk}/retry/" in page
