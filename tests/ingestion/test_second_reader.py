"""pypdf behind PDFium: bounded, and never a crash."""

from __future__ import annotations

from pathlib import Path

from ingestion.loaders import second_reader
from tests.ingestion.files import sample
from tests.ingestion.test_pdf_loader import draw, lines


def test_what_the_second_reader_cannot_decrypt_is_no_crash() -> None:
    assert second_reader.page_texts(sample("bug_files/pdf-encrypted-empty-password.pdf")) in (None, {})


def test_the_second_reader_never_takes_longer_than_its_slice(tmp_path: Path) -> None:
    path = draw(tmp_path / "a.pdf", *[lines("words " * 10)] * 40)
    assert second_reader.page_texts(path, [2, 3]) == {2: "words " * 9 + "words \n", 3: "words " * 9 + "words \n"}
    assert second_reader.page_texts(path, seconds=0.001) is None
