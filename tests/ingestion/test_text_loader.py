"""Text in any usual encoding, Markdown with its headings (BR-07, BR-12)."""

from __future__ import annotations

from pathlib import Path

import pytest

from brain.errors import EmptySource
from brain.values import Notice, Span
from ingestion.loaders import text as loader
from ingestion.loaders.text import LETTERS_LOST
from tests.ingestion.files import sample

FIRST = "데이터베이스는 2024년에 도입되었다. 삼성전자의 보고서는 세 장이다."
KOREAN = f"{FIRST}\n\n두 번째 문단은 짧다.\n"


def load(path: Path, data: bytes, media_type: str = "text/plain") -> loader.Document:
    path.write_bytes(data)
    return loader.load(path, media_type, title="file name")


@pytest.mark.parametrize(
    "data",
    [
        KOREAN.encode(),
        KOREAN.encode("utf-8-sig"),
        KOREAN.encode("cp949"),
        KOREAN.encode("euc-kr"),
        b"\xff\xfe" + KOREAN.encode("utf-16-le"),
        b"\xfe\xff" + KOREAN.encode("utf-16-be"),
        KOREAN.encode("utf-16-le"),
        KOREAN.encode("utf-16-be"),
        KOREAN.replace("\n", "\r\n").encode("cp949"),
    ],
    ids=["utf-8", "utf-8 bom", "cp949", "euc-kr", "utf-16-le", "utf-16-be", "le no bom", "be no bom", "crlf"],
)
def test_the_same_paragraph_is_the_same_text_in_every_encoding(tmp_path: Path, data: bytes) -> None:
    document = load(tmp_path / "a.txt", data)
    assert document == loader.Document(
        text=KOREAN.rstrip("\n"),
        spans=(Span(0, len(FIRST)), Span(len(FIRST) + 2, len(KOREAN) - 1)),
        language="ko",
        title="file name",
        units=2,
        unit_name="paragraph",
    )


def test_a_real_file_in_cp949_is_read() -> None:
    document = loader.load(sample("bug_files/text-korean-cp949.txt"), "text/plain", title="t")
    assert document.text.startswith("역사적 예수 연구자들은 복음서나")
    assert document.text.endswith("연구 성과들을 소개하고 있다.")
    assert document.warnings == ()


def test_a_nul_in_a_paragraph_costs_nothing_but_itself(tmp_path: Path) -> None:
    document = load(tmp_path / "a.txt", "\n\n".join(["one", "two", "th\0ree", "four", "five"]).encode())
    assert document.text == "one\n\ntwo\n\nthree\n\nfour\n\nfive"


def test_one_broken_letter_is_left_out_and_said(tmp_path: Path) -> None:
    data = KOREAN.encode() + b"\xec\xff" + " 끝".encode()
    document = load(tmp_path / "a.txt", data)
    assert document.text.endswith("짧다.\n 끝")
    assert document.warnings == (Notice(LETTERS_LOST, {"count": 2}),)


def test_accents_saved_by_windows_are_right(tmp_path: Path) -> None:
    words = "Café Zürich, naïve – déjà vu"
    assert load(tmp_path / "a.txt", words.encode("cp1252")).text == words


@pytest.mark.parametrize("data", [b"\n\n\n", b" \t \n", "\u3164\u200b".encode(), b"\xef\xbb\xbf"])
def test_a_file_without_words_says_so(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(EmptySource) as refusal:
        load(tmp_path / "a.txt", data)
    assert str(refusal.value) == "The file holds no words."


MARKDOWN = """---
title: ignored
---
Before any heading.

# Guide to *Everything*
Intro.
## Part `one`
Text of part one.

```
# no heading in code
```

Under
=====
snake_case stays.

### Deep [link](http://example.org)
End.
"""


def test_markdown_paragraphs_know_their_headings(tmp_path: Path) -> None:
    document = load(tmp_path / "a.md", MARKDOWN.encode(), "text/markdown")
    assert [(span.heading, document.text[span.start : span.end]) for span in document.spans] == [
        ((), "---\ntitle: ignored\n---\nBefore any heading."),
        (("Guide to Everything",), "# Guide to *Everything*\nIntro."),
        (("Guide to Everything", "Part one"), "## Part `one`\nText of part one."),
        (("Guide to Everything", "Part one"), "```\n# no heading in code\n```"),
        (("Under",), "Under\n=====\nsnake_case stays."),
        (("Under", "Deep link"), "### Deep [link](http://example.org)\nEnd."),
    ]
    assert document.title == "Guide to Everything"


def test_plain_text_has_no_headings(tmp_path: Path) -> None:
    document = load(tmp_path / "a.txt", b"# not a heading\nwords")
    assert document.spans == (Span(0, 21),)
    assert document.title == "file name"
