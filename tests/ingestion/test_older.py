"""Files that were read before documents had dates get theirs without being read again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from importlib import import_module
from io import BytesIO

import pytest
from django.apps import apps
from reportlab.pdfgen.canvas import Canvas

from brain import bootstrap, originals, reconcile
from brain.errors import ServiceUnavailable
from brain.models import DatedBy, Source
from ingestion import older, reader, reading

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("plain_facts")]

DATED = "Date: 1 March 2024\n\nAda Byron (person) advises Engine Works (organization)."
PLAIN = "Ada Byron (person) visits Difference Hall (place)."


def _pdf(words: str) -> bytes:
    """Says of itself when it was made: now."""
    file = BytesIO()
    canvas = Canvas(file)
    canvas.drawString(72, 700, words)
    canvas.save()
    return file.getvalue()


@pytest.fixture
def before_dates(upload: Callable[..., Source], drain: Callable[[], None]) -> Callable[..., Source]:
    """A file that was read by the version that knew no dates, and the update to this one."""

    def _before(content: bytes | str, name: str, **of_a_person: object) -> Source:
        source = upload(content, name)
        drain()
        Source.objects.filter(pk=source.pk).update(**{"document_date": None, "dated_by": "", **of_a_person})
        import_module("brain.migrations.0006_dates_of_files_read_before").look_later(apps, None)
        return source

    return _before


def _given(source: Source) -> tuple[date | None, str]:
    source.refresh_from_db()
    return source.document_date, source.dated_by


@pytest.mark.parametrize(
    ("content", "name", "day", "by"),
    [
        (DATED, "a-2021-03-01.txt", date(2024, 3, 1), DatedBy.TEXT),
        ("시행일: 2024. 5. 15.\n\n" + PLAIN, "규정.txt", date(2024, 5, 15), DatedBy.TEXT),
        (PLAIN, "b-2021-03-01.txt", date(2021, 3, 1), DatedBy.NAME),
        (PLAIN, "c.txt", None, ""),
        (_pdf(PLAIN), "d-2021-03-01.pdf", date(2021, 3, 1), DatedBy.NAME),
    ],
)
def test_the_date_is_what_reading_again_would_give(
    before_dates: Callable[..., Source], content: bytes | str, name: str, day: date | None, by: str
) -> None:
    source = before_dates(content, name)
    asked = len(bootstrap.llm().history)  # type: ignore[attr-defined]
    assert _given(source) == (None, DatedBy.LATER)
    reconcile.once()
    assert _given(source) == (day, by)
    assert len(bootstrap.llm().history) == asked  # type: ignore[attr-defined]


def test_a_pdf_says_itself_when_it_was_made(
    before_dates: Callable[..., Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = before_dates(_pdf(PLAIN), "a.pdf")
    made = reader.made_on(originals.path_of(source.sha256))
    assert made is not None
    older.date_older()
    assert _given(source) == (made, DatedBy.FILE)
    monkeypatch.setattr(reader, "made_on", lambda _path: pytest.fail("it was looked for twice"))
    older.date_older()


@pytest.mark.parametrize("day", [date(2019, 1, 1), None])
def test_what_a_person_said_stays(before_dates: Callable[..., Source], day: date | None) -> None:
    source = before_dates(DATED, "a.txt", document_date=day, dated_by=DatedBy.PERSON)
    older.date_older()
    assert _given(source) == (day, DatedBy.PERSON)


def test_what_a_person_says_meanwhile_stays(
    before_dates: Callable[..., Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = before_dates(_pdf(PLAIN), "a.pdf")

    def _set_meanwhile(_path: object) -> date:
        Source.objects.filter(pk=source.pk).update(document_date=date(2019, 1, 1), dated_by=DatedBy.PERSON)
        return date(2024, 1, 1)

    monkeypatch.setattr(reader, "made_on", _set_meanwhile)
    older.date_older()
    assert _given(source) == (date(2019, 1, 1), DatedBy.PERSON)


def test_a_file_whose_original_is_lost_is_dated_by_what_the_ledger_holds(before_dates: Callable[..., Source]) -> None:
    source = before_dates(_pdf(PLAIN), "a.pdf")
    originals.path_of(source.sha256).unlink()
    older.date_older()
    assert _given(source) == (None, "")


def test_while_no_reader_can_be_started_it_is_left_for_later(
    before_dates: Callable[..., Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = before_dates(_pdf(PLAIN), "a.pdf")

    def _away(_path: object) -> date:
        raise ServiceUnavailable

    with monkeypatch.context() as patched:
        patched.setattr(reader, "made_on", _away)
        reconcile.once()
    assert _given(source) == (None, DatedBy.LATER)
    older.date_older()
    assert _given(source)[1] == DatedBy.FILE


def test_a_file_that_is_not_read_yet_is_left_to_its_reading(upload: Callable[..., Source]) -> None:
    source = upload(DATED, "a.txt")
    import_module("brain.migrations.0006_dates_of_files_read_before").look_later(apps, None)
    assert _given(source) == (None, "")


def test_a_file_that_is_read_again_meanwhile_keeps_what_that_found(before_dates: Callable[..., Source]) -> None:
    source = before_dates(DATED, "a.txt")
    document = reader.read(originals.path_of(source.sha256), source.media_type, title=source.title)
    reading.replace_rows(source, reading.prepare(document))
    older.date_older()
    assert _given(source) == (date(2024, 3, 1), DatedBy.TEXT)
