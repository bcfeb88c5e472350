"""PDF: damaged, locked, formless, rotated, hyphenated (BR-01 and BR-03 to BR-11)."""

from __future__ import annotations

import io
import random
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from brain.errors import EmptySource, LockedSource, UnreadableSource
from brain.text import clean_text
from brain.values import Document, Notice, Span
from ingestion.loaders import pdf
from tests.ingestion.files import KOREAN_FONT, sample

PHRASES = ("삼성전자의 보고서는 세 장이다", "데이터베이스는 작년에 도입되었다", "계약 기간은 이 년이며 연장할 수 있다")


def load(path: Path, title: str = "file name") -> Document:
    return pdf.load(path, title=title, on_progress=lambda _share: None)


def draw(path: Path, *pages: Callable[[Canvas], Any]) -> Path:
    pdfmetrics.registerFont(UnicodeCIDFont(KOREAN_FONT))
    canvas = Canvas(str(path))
    for page in pages:
        canvas.setFont("Helvetica", 12)
        page(canvas)
        canvas.showPage()
    canvas.save()
    return path


def lines(*texts: str, font: str = "Helvetica") -> Callable[[Canvas], None]:
    def write(canvas: Canvas) -> None:
        canvas.setFont(font, 12)
        for number, text in enumerate(texts):
            canvas.drawString(72, 780 - 16 * number, text)

    return write


@pytest.mark.parametrize(
    ("name", "text", "units"),
    [
        ("pdf-encrypted-empty-password.pdf", "pdf encryption test\npassword: asdfzxcv", 1),
        ("pdf-bad-object-types.pdf", "Salad", 1),
        ("pdf-damaged-but-readable.pdf", "Hello, world!", 1),
        ("pdf-cjk-eucjp-no-tounicode.pdf", "あいうえお", 1),
        ("pdf-korean-identity-h.pdf", "침하게 흐린 품이 눈이 올 듯하더니 눈은 아니 오고 얼다가 만 비가 추", 1),
        ("pdf-nul-interleaved.pdf", "ISSUE 9915", 1),
        (
            "pdf-rotated-page.pdf",
            "This is my first page with normal layout.\nThis is the second line on the page.\n\n"
            "This is my second page. It will have a landscape layout.\nSecond line here.",
            2,
        ),
    ],
)
def test_an_odd_file_gives_exactly_its_text(name: str, text: str, units: int) -> None:
    document = load(sample(f"bug_files/{name}"))
    assert (document.text, document.units, document.warnings) == (text, units, ())


def test_a_looped_cross_reference_gives_all_thirty_pages() -> None:
    document = load(sample("bug_files/pdf-xref-loop-30-pages.pdf"))
    assert document.text.split("\n\n") == ["Potato 0 new", *(f"Potato {number}" for number in range(1, 30))]
    assert [span.page for span in document.spans] == list(range(1, 31))


def test_damaged_pages_do_not_cost_the_others_and_numbers_stay_right() -> None:
    document = load(sample("bug_files/pdf-3-bad-pages-of-19.pdf"))
    assert [span.page for span in document.spans] == list(range(1, 20))
    assert [document.text[span.start : span.start + 2] for span in document.spans[:4]] == ["79", "80", "81", "82"]


@pytest.mark.parametrize(
    ("name", "error", "sentence"),
    [
        ("pdf-zero-pages.pdf", EmptySource, "The PDF has no pages."),
        ("pdf-xfa-placeholder.pdf", UnreadableSource, "This PDF is a dynamic form (XFA): its content is not readable."),
    ],
)
def test_what_cannot_be_read_says_why(name: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as refusal:
        load(sample(f"bug_files/{name}"))
    assert str(refusal.value).startswith(sentence)


def test_a_file_that_is_no_pdf_inside_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.3\nThis is not a valid PDF file\n%%EOF\n")
    with pytest.raises(UnreadableSource) as refusal:
        load(path)
    assert str(refusal.value) == UnreadableSource.default


def test_a_password_is_asked_for_only_when_the_empty_one_fails(tmp_path: Path) -> None:
    plain = draw(tmp_path / "plain.pdf", lines("Secret words."))
    for user, owner in (("", "owner"), ("user", "owner")):
        writer = PdfWriter(clone_from=str(plain))
        writer.encrypt(user_password=user, owner_password=owner, algorithm="RC4-128")
        writer.write(tmp_path / f"locked{user}.pdf")
    assert load(tmp_path / "locked.pdf").text == "Secret words."
    with pytest.raises(LockedSource):
        load(tmp_path / "lockeduser.pdf")


def test_a_scan_without_text_fails_with_a_reason(tmp_path: Path) -> None:
    scan = draw(tmp_path / "scan.pdf", *[picture] * 3)
    with pytest.raises(EmptySource) as refusal:
        load(scan)
    assert str(refusal.value) == "No text was found in this PDF. Is it a scan? Upload a version with text."


def picture(canvas: Canvas) -> None:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    canvas.drawImage(ImageReader(Image.new("L", (80, 40), 128)), 72, 600)


def test_scanned_and_blank_pages_between_good_ones_are_told_apart(tmp_path: Path) -> None:
    document = load(
        draw(tmp_path / "a.pdf", lines("one"), picture, picture, lambda _canvas: None, picture, lines("six"))
    )
    assert replace(document, dated=None) == Document(
        text="one\n\nsix",
        spans=(Span(0, 3, page=1), Span(5, 8, page=6)),
        language="en",
        title="file name",
        units=6,
        unit_name="page",
        warnings=(Notice(pdf.PAGES_WITHOUT_TEXT, {"pages": "2-3, 5"}),),
    )


def test_korean_syllables_drawn_one_by_one_are_words(tmp_path: Path) -> None:
    def syllables(canvas: Canvas) -> None:
        canvas.setFont(KOREAN_FONT, 12)
        for row, phrase in enumerate(PHRASES):
            x = 72.0
            for letter in phrase:
                if letter != " ":
                    canvas.drawString(x + 0.3, 780 - 20 * row, letter)
                x += 5.0 if letter == " " else 12.2

    def tabs(canvas: Canvas) -> None:
        canvas.setFont(KOREAN_FONT, 12)
        for row, phrase in enumerate(PHRASES):
            x = 72.0
            for word in phrase.split():
                canvas.drawString(x, 780 - 20 * row, word + "\t")
                x += 12 * len(word) + 8

    def spaced(canvas: Canvas) -> None:
        text = canvas.beginText(72, 780)
        text.setFont(KOREAN_FONT, 14)
        text.setCharSpace(5)
        text.textLine("총칙과 정의")
        text.textLine("LETTER SPACED HEADING")
        canvas.drawText(text)

    pages = load(draw(tmp_path / "a.pdf", syllables, tabs, spaced)).text.split("\n\n")
    assert pages == ["\n".join(PHRASES), "\n".join(PHRASES), "총칙과 정의\nLETTER SPACED HEADING"]


def test_a_word_broken_at_a_line_end_is_whole_and_a_true_hyphen_stays(tmp_path: Path) -> None:
    broken = lines(
        "The long-", "term effect of Mon-", "tanide in an ex-", "periment, a well-", "known co-", "operative."
    )
    document = load(draw(tmp_path / "a.pdf", broken, lines("Every cooperative knows.")))
    assert document.text.startswith("The long-term effect of Montanide in an experiment, a well-known cooperative.")


def test_ligatures_and_columns_are_words() -> None:
    assert "ffi" in load(sample("bug_files/pdf-ligatures.pdf")).text
    text = load(sample("bug_files/pdf-two-columns-soft-hyphen.pdf")).text
    assert {"including", "follow", "document"} <= set(re.findall(r"\w+", text))
    assert not set("\u00ad\ufffe\ufb01\ufb00\ufb03") & set(text)
    assert clean_text(text) == text


def test_a_table_set_at_ninety_degrees_is_read_row_by_row(tmp_path: Path) -> None:
    rows = (("Name", "City", "Amount"), ("Alice Miller", "Oslo", "42"), ("Bob Stone", "Rome", "17"))

    def page(canvas: Canvas) -> None:
        canvas.drawString(72, 780, "An upright sentence above.")
        canvas.saveState()
        canvas.translate(300, 200)
        canvas.rotate(90)
        for number, row in enumerate(rows):
            for column, cell in enumerate(row):
                canvas.drawString(column * 120, -18 * number, cell)
        canvas.restoreState()

    assert load(draw(tmp_path / "a.pdf", page)).text == (
        "An upright sentence above.\nName City Amount\nAlice Miller Oslo 42\nBob Stone Rome 17"
    )


def test_form_values_stand_on_their_page() -> None:
    document = load(sample("bug_files/pdf-form-values.pdf"))
    assert document.text.endswith("First Name: Alice\nFirst Name_2: Bob")
    assert document.spans == (Span(0, len(document.text), page=1),)


def test_attached_files_are_counted() -> None:
    document = load(sample("bug_files/pdf-portfolio.pdf"))
    assert [warning.english for warning in document.warnings] == [
        "Files attached to this PDF that were not read: 2. Upload them on their own."
    ]


def test_the_outline_gives_headings_where_their_lines_stand(tmp_path: Path) -> None:
    def chapter(canvas: Canvas) -> None:
        lines("1. Parts", "All about parts.", "1.1 Wheels", "Wheels turn.", "Parts", "Done.")(canvas)
        for level, (key, title) in enumerate((("p", "Parts"), ("w", "Wheels"))):
            canvas.bookmarkPage(key)
            canvas.addOutlineEntry(title, key, level=level)

    document = load(draw(tmp_path / "a.pdf", lines("Cover"), chapter, lines("More wheels.")))
    assert [(span.page, span.heading, document.text[span.start : span.end]) for span in document.spans] == [
        (1, (), "Cover"),
        (2, ("Parts",), "1. Parts\nAll about parts."),
        (2, ("Parts", "Wheels"), "1.1 Wheels\nWheels turn.\nParts\nDone."),
        (3, ("Parts", "Wheels"), "More wheels."),
    ]


@pytest.mark.parametrize(
    ("own", "shown"),
    [("Annual report", "Annual report"), ("untitled", "file name"), ("Microsoft Word - x.doc", "file name")],
)
def test_the_title_is_the_documents_own_if_it_has_a_real_one(tmp_path: Path, own: str, shown: str) -> None:
    def page(canvas: Canvas) -> None:
        canvas.setTitle(own)
        canvas.drawString(72, 780, "words")

    assert load(draw(tmp_path / "a.pdf", page)).title == shown


@pytest.mark.parametrize(
    ("made", "dated"),
    [("D:20240515093000+09'00'", date(2024, 5, 15)), ("D:20241345", None), ("yesterday", None), ("", None)],
)
def test_the_day_in_the_files_properties_is_told(tmp_path: Path, made: str, dated: date | None) -> None:
    path = draw(tmp_path / "a.pdf", lines("First page."))
    writer = PdfWriter(clone_from=path)
    writer.add_metadata({"/CreationDate": made})
    writer.write(path)
    assert load(path).dated == dated


def test_text_of_fonts_that_name_no_letters_is_not_stored() -> None:
    garbled = sample("pdf_suite/files/OCRmyPDF__type3_font_nomapping.pdf")
    with pytest.raises(UnreadableSource) as refusal:
        load(garbled)
    assert str(refusal.value) == pdf.NOT_READABLE


def test_flipped_bytes_never_end_in_another_way(tmp_path: Path) -> None:
    path = draw(tmp_path / "a.pdf", lines("First page."), lines("Second page."))
    whole = path.read_bytes()
    assert len(PdfReader(io.BytesIO(whole)).pages) == 2
    for seed in range(60):
        draws = random.Random(seed)
        flipped = bytearray(whole)
        for _flip in range(12):
            flipped[draws.randrange(len(flipped))] = draws.randrange(256)
        path.write_bytes(flipped)
        with suppress(UnreadableSource):
            document = load(path)
            assert clean_text(document.text) == document.text
            assert all(span.page in {1, 2} for span in document.spans)


def hangul(text: str) -> Counter[str]:
    return Counter(re.findall("[가-힣]", text))


def single_share(text: str) -> float:
    """How many of the Korean words are one syllable: broken words are."""
    words = re.findall("[가-힣]+", text)
    return sum(len(word) == 1 for word in words) / len(words)


def test_the_korean_manual_is_read_whole() -> None:
    document = load(sample("pdf_ko_en_manual/install.ko.pdf"))
    assert (document.title, document.language, document.units) == ("데비안 GNU/리눅스 설치 안내서", "ko", 151)
    assert document.warnings == ()
    assert {span.page for span in document.spans} == set(range(1, 152))
    assert sum(1 for span in document.spans if span.heading) > 300
    truth = sample("pdf_ko_en_manual/install.ko.txt").read_text(encoding="utf-8")
    assert (hangul(truth) & hangul(document.text)).total() > 0.99 * hangul(truth).total()
    # A listing in this PDF is printed as b'..' letter by letter; the rest has no more broken words than the truth.
    running = "\n".join(line for line in document.text.split("\n") if "b’ ’" not in line)
    assert single_share(running) < single_share(truth) + 0.05
