"""Files are told apart by content; the name settles only text against Markdown (BR-36, BR-37)."""

from __future__ import annotations

import os
import random
from contextlib import suppress

import pytest

from brain.errors import EmptySource, UnsupportedSource
from ingestion import media
from ingestion.media import detect

KOREAN = "데이터베이스는 2024년에 도입되었다. 보고서는 세 장이다.\n" * 30
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)
HWP = (
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + "FileHeader".encode("utf-16-le") + "BodyText".encode("utf-16-le")
)


@pytest.mark.parametrize(
    ("head", "name", "expected"),
    [
        (b"%PDF-1.7\n...", "report.pdf", "application/pdf"),
        (b"%PDF-1.7\n...", "no extension", "application/pdf"),
        (b"junk\0\1\2\3\4\5\6" * 40 + b"%PDF-1.4\n", "scan.bin", "application/pdf"),
        (b"The mark %PDF-1.4 begins such files.", "about.txt", "text/plain"),
        (b"plain words", "note.txt", "text/plain"),
        (b"plain words", "../../etc/passwd", "text/plain"),
        (b"plain words", "x.pdf%00.exe", "text/plain"),
        (b"# Title\n\nwords", "README.md", "text/markdown"),
        (b"# Title\n\nwords", "notes.MARKDOWN", "text/markdown"),
        (b"one\0NUL" + b" among many words" * 20, "note.txt", "text/plain"),
        (b"ID3\x04" + bytes(40), "a.mp3", "audio/mpeg"),
        (b"\xff\xfb\x90\x64" + bytes(40), "a", "audio/mpeg"),
        (b"\xff\xf1\x50\x80\x02\x1f\xfc" + bytes(40), "a.aac", "audio/aac"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "a.wav", "audio/wav"),
        (b"OggS" + bytes(40), "a.ogg", "audio/ogg"),
        (b"fLaC" + bytes(40), "a.flac", "audio/flac"),
        (b"\0\0\0\x20ftypM4A " + bytes(40), "a.m4a", "audio/mp4"),
        (b"\0\0\0\x20ftypisom" + bytes(40), "a.mp4", "video/mp4"),
        (b"\x1a\x45\xdf\xa3" + bytes(40), "a.webm", "video/webm"),
    ],
)
def test_the_content_decides(head: bytes, name: str, expected: str) -> None:
    assert detect(head, name) == expected
    assert expected in media.READABLE


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949", "euc-kr", "utf-16", "utf-16-le", "utf-16-be"])
def test_korean_text_is_text_in_every_usual_encoding(encoding: str) -> None:
    assert detect(KOREAN.encode(encoding)[: media.HEAD_BYTES], "a.txt") == "text/plain"


@pytest.mark.parametrize(
    ("head", "name", "sentence"),
    [
        (PNG, "scan.pdf", "This is a PNG image."),
        (b"\xff\xd8\xff\xe0" + bytes(40), "photo.pdf", "This is a JPEG image."),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "a.webp", "This is a WebP image."),
        (b"\0\0\0\x20ftypheic" + bytes(40), "a.heic", "This is a HEIC image."),
        (HWP, "report.hwp", "HWP is not supported."),
        (HWP, "report.pdf", "HWP is not supported."),
        (b"HWP Document File V3.00 " + bytes(40), "old.hwp", "HWP is not supported."),
        (b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/hwp+zip", "a.hwpx", "HWPX is not supported."),
        (b"PK\x03\x04" + bytes(26) + b"[Content_Types].xml..word/document.xml", "a.docx", "DOCX is not supported."),
        (b"PK\x03\x04" + bytes(26) + b"xl/workbook.xml", "a.xlsx", "XLSX is not supported."),
        (b"PK\x03\x04" + bytes(26) + b"photos/1.jpg", "a.zip", "This is a ZIP archive."),
        (b"{\\rtf1\\ansi words}", "a.rtf", "RTF is not supported."),
        (b"MZ\x90\0\3\0\0\0" + bytes(40), "setup.exe", "This is a program (Windows), not a document."),
        (b"\x7fELF\2\1\1" + bytes(40), "a.txt", "This is a program (Linux), not a document."),
        (b"SQLite format 3\0" + bytes(40), "a.db", "SQLite is not supported."),
        (b"<!DOCTYPE html><html><body>", "page.pdf", "This is a web page (HTML)."),
        (random.Random(1).randbytes(media.HEAD_BYTES), "a.txt", "The name ends in .txt, but the content is no text."),
        (
            random.Random(2).randbytes(3000),
            "a.pdf",
            "The name ends in .pdf, but the content is not",
        ),
        (
            random.Random(3).randbytes(3000),
            "a.m4a",
            "The name ends in .m4a, but the content is not",
        ),
        (random.Random(4).randbytes(3000), "a.bin", "The content of this file is of no known kind."),
    ],
)
def test_what_is_not_read_is_named(head: bytes, name: str, sentence: str) -> None:
    with pytest.raises(UnsupportedSource) as refusal:
        detect(head, name)
    assert str(refusal.value).startswith(sentence)


def test_a_file_of_no_bytes_is_empty_whatever_its_name() -> None:
    with pytest.raises(EmptySource) as refusal:
        detect(b"", "report.pdf")
    assert str(refusal.value) == "The file is empty (0 bytes)."


def test_words_that_begin_like_a_program_or_picture_are_words() -> None:
    assert detect(b"MZ is a label. BM too.", "a.txt") == "text/plain"
    assert detect(b"BM25 ranks passages.", "a.txt") == "text/plain"


def test_no_bytes_make_detection_fail_in_another_way() -> None:
    draw = random.Random(7)
    for _round in range(2000):
        head = draw.randbytes(draw.randrange(1, 64)) + os.fsencode(draw.choice(["", "words " * 9, "%PDF-1.4"]))
        with suppress(UnsupportedSource):
            assert detect(head, "x") in media.READABLE


def test_a_few_stray_controls_do_not_cost_a_short_note() -> None:
    assert media.detect(b"a\0b line one\n\nISSUE 77 second\0 para\n", "nul.txt") == media.TEXT
    assert media.detect("가나다\0라마바 사아자차\0카타파하".encode(), "nul.md") == media.MARKDOWN


@pytest.mark.parametrize("name", ["a.txt", "a.pdf", "a"])
def test_random_bytes_are_no_text_however_few(name: str) -> None:
    kinds = []
    for seed in range(400):
        head = random.Random(seed).randbytes(20 + 7 * seed)
        try:
            kinds.append(media.detect(head, name))
        except UnsupportedSource:
            continue
    assert kinds.count(media.TEXT) <= 2
