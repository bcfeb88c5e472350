"""Passages: exact offsets, nothing lost, pages and headings kept."""

from __future__ import annotations

import itertools
import random

import pytest

from brain.values import Document, Span
from ingestion.splitter import SIZE, WHOLE_UP_TO, Passage, split

SENTENCE = "계약은 3월 3일에 체결되었다. The price is forty two. "
PIECES = ("가나다라. ", "word ", "\n", "\n\n", "aaaa", "!? ", " ", '다."\n', "ab" * 700, "\t", "。")


def document(text: str, *spans: Span) -> Document:
    return Document(text, spans, "ko")


def assert_whole(made: Document) -> None:
    passages = split(made)
    covered = bytearray(len(made.text))
    for number, passage in enumerate(passages):
        assert passage.ordinal == number
        assert passage.text == made.text[passage.start : passage.end] == passage.text.strip()
        assert 0 < len(passage.text) <= WHOLE_UP_TO
        covered[passage.start : passage.end] = b"\1" * len(passage.text)
    lost = "".join(letter for letter, seen in zip(made.text, covered, strict=True) if not seen)
    assert not lost.strip()
    assert [p.start for p in passages] == sorted(p.start for p in passages)


@pytest.mark.parametrize("seed", range(40))
def test_no_character_is_lost_and_every_offset_is_exact(seed: int) -> None:
    draw = random.Random(seed)
    text = "".join(draw.choice(PIECES) for _ in range(draw.randrange(1, 2000))).strip() or "x"
    cuts = sorted(draw.sample(range(len(text)), min(len(text), draw.randrange(1, 12))))
    spans = [
        Span(start, end, page=number + 1, heading=(f"H{draw.randrange(3)}",) * draw.randrange(3))
        for number, (start, end) in enumerate(zip([0, *cuts], [*cuts, len(text)], strict=True))
        if start < end
    ]
    assert_whole(document(text, *spans))


def test_a_text_that_repeats_itself_keeps_exact_offsets() -> None:
    assert_whole(document("같은 말. " * 3000))
    assert_whole(document("a" * 9000))


def test_a_short_document_stays_whole() -> None:
    text = "Title\n\nShort text."
    assert split(document(text, Span(0, 5, page=1), Span(7, 18, page=2))) == (
        Passage(0, 0, 18, text, "en", (), 1, 2, None, None),
    )


def test_a_long_text_becomes_passages_that_overlap() -> None:
    text = SENTENCE * 100
    passages = split(document(text, Span(0, len(text), page=1)))
    assert all(len(passage.text) <= SIZE for passage in passages)
    for before, after in itertools.pairwise(passages):
        assert 0 < before.end - after.start <= 200
        assert after.text.startswith(("계약은", "The price"))


def test_a_passage_names_the_pages_it_lies_on() -> None:
    pages = [f"Page {number}. " + SENTENCE * 30 for number in range(1, 4)]
    text, spans = "", []
    for number, page in enumerate(pages, 1):
        spans.append(Span(len(text), len(text) + len(page), page=number))
        text += page + "\n\n"
    for passage in split(document(text, *spans)):
        assert passage.page is not None
        assert passage.page_to is not None
        first, last = spans[passage.page - 1], spans[passage.page_to - 1]
        assert first.start <= passage.start <= first.end + 2
        assert last.start < passage.end <= last.end + 2


def test_top_headings_are_not_crossed_and_small_sections_go_together() -> None:
    text, spans = "", []
    for top, size in (("One", 300), ("One", 300), ("Two", 1500), ("Three", 5000)):
        body = (SENTENCE * 200)[:size].strip()
        spans.append(Span(len(text), len(text) + len(body), heading=(top, f"part {len(spans)}")))
        text += body + "\n\n"
    passages = split(document(text, *spans))
    assert [passage.heading for passage in passages[:2]] == [("One",), ("Two", "part 2")]
    assert {passage.heading for passage in passages[2:]} == {("Three", "part 3")}
    assert passages[0].start == spans[0].start
    assert passages[0].end == spans[1].end
    assert (passages[1].start, passages[1].end) == (spans[2].start, spans[2].end)


def test_a_recording_passage_knows_its_seconds() -> None:
    text = "hello\nthere"
    made = Document(text, (Span(0, 5, seconds=(1.0, 2.0)), Span(6, 11, seconds=(2.5, 4.0))), "en")
    assert split(made) == (Passage(0, 0, 11, text, "en", (), None, None, 1.0, 4.0),)


def test_a_document_without_spans_is_split_too() -> None:
    assert len(split(document(SENTENCE * 100))) > 3
