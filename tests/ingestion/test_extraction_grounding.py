"""Names are looked up in the passage as a reader would: by letters, as whole words, whatever the particle."""

from __future__ import annotations

import pytest

from ingestion.extraction.grounding import SENTENCE_LIMIT, Grounds


@pytest.mark.parametrize(
    ("passage", "name", "found"),
    [
        ("The Acme pump", "acme PUMP", "Acme pump"),
        ("New\nYork is big", "New York", "New\nYork"),
        ("“Acme” sells", "Acme", "Acme"),
        ("pumps and pumping", "pump", "pump"),
        ("tests see things", "es", None),
        ("version 42 of 1425", "42", "42"),
        ("삼성전자는 반도체를 만든다", "삼성전자", "삼성전자"),
        ("삼성전자는 반도체를 만든다", "삼성전자가", "삼성전자"),
        ("대한 민국 헌법", "대한민국", "대한 민국"),
        ("ＡＢＣ는 회사다", "abc", "ＡＢＣ"),
        ("C++ and C", "C", "C"),
        ("nothing here", "", None),
    ],
)
def test_a_name_is_found_where_it_stands(passage: str, name: str, found: str | None) -> None:
    place = Grounds(passage).locate(name)
    assert (passage[place[0] : place[1]] if place else None) == found


@pytest.mark.parametrize(
    ("passage", "word", "sentence"),
    [
        ("One two. Three four! Five.", "Three", "Three four!"),
        ("Dr. J. Cho met Acme Inc. here. Then left.", "Cho", "Dr. J. Cho met Acme Inc. here."),
        ("첫 문장이다. 둘째 문장이다.", "둘째", "둘째 문장이다."),
        ("a title\n\nwrapped\nlines here", "lines", "wrapped lines here"),
        ("Parts:\n- a valve\n- a pump", "valve", "- a valve"),
    ],
)
def test_the_sentence_around_a_name(passage: str, word: str, sentence: str) -> None:
    start = passage.index(word)
    assert Grounds(passage).sentence(start, start + len(word)) == sentence


def test_a_sentence_without_end_is_cut_around_the_name() -> None:
    passage = "word " * 200 + "Acme " + "word " * 200
    said = Grounds(passage).sentence(1000, 1004)
    assert "Acme" in said
    assert len(said) <= SENTENCE_LIMIT


def test_two_names_share_a_sentence_or_not() -> None:
    grounds = Grounds("Acme is old. Acme likes Seoul. Busan is far.")
    assert grounds.shared_sentence("Acme", "Seoul") == "Acme likes Seoul."
    assert grounds.shared_sentence("Acme", "Busan") == ""
