"""BR-36, BR-37, S-21: whatever a file is called and whatever it is."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.fixtures import Settings

from brain.models import Brain, Source, User
from tests.web.world import make_world

PDF = b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n"
NAMES = [
    "../../x.pdf",
    "/x/x.pdf",
    "..\\x.pdf",
    "x.pdf%00.exe",
    "CON.pdf",
    "가" * 255,
    "🧪📄.pdf",
    "\u202efdp.exe",
    'a"b\nc.pdf',
    "-rf.pdf",
    "n" * 250 + ".pdf",
    "보고서.pdf",  # NFD
    "..",
    "<img src=x onerror=alert(1)>.pdf",
]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    (tmp_path / "home" / "originals").mkdir(parents=True)
    (tmp_path / "home" / "incoming").mkdir()
    settings.BRAIN_HOME = tmp_path / "home"
    settings.ORIGINALS_DIR = tmp_path / "home" / "originals"
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path / "home" / "incoming"
    yield tmp_path
    assert [path.name for path in tmp_path.iterdir()] == ["home"], "something was written outside the store"


def send(client: Client, brain: Brain, *files: SimpleUploadedFile) -> tuple[int, list[dict[str, str]]]:
    response = client.post(
        f"/brains/{brain.id}/upload/", {"files": list(files)}, headers={"accept": "application/json"}
    )
    return response.status_code, response.json()["files"]


def raw(client: Client, brain: Brain, name: str, content: bytes) -> tuple[int, list[dict[str, str]]]:
    """A form as a hostile client would write it: nothing cleans the name on the way."""
    head = b'--x\r\nContent-Disposition: form-data; name="files"; filename="' + name.encode() + b'"\r\n'
    body = head + b"Content-Type: application/pdf\r\n\r\n" + content + b"\r\n--x--\r\n"
    response = client.generic(
        "POST",
        f"/brains/{brain.id}/upload/",
        body,
        content_type="multipart/form-data; boundary=x",
        headers={"accept": "application/json"},
    )
    return response.status_code, response.json()["files"]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_stored_under_a_hash_and_shown_clean(as_owner: Client, brain: Brain, home: Path, name: str) -> None:
    raw(as_owner, brain, name, PDF)
    for source in Source.objects.all():
        assert source.title == source.title.strip()
        assert not set(source.title) & set("\n\r\u202e/\\\0")
        page = as_owner.get(f"/brains/{brain.id}/sources/")
        assert page.status_code == 200
        download = as_owner.get(f"/sources/{source.pk}/original/")
        disposition = download.headers["Content-Disposition"]
        assert disposition.startswith("attachment")
        assert not set(disposition) & set("\n\r")
        assert download.headers["X-Content-Type-Options"] == "nosniff"
        assert download.headers["Content-Type"] == "application/octet-stream"
        assert b"".join(download.streaming_content) == PDF
    files = [path for path in (home / "home").rglob("*") if path.is_file()]
    assert all(path.parent.parent == home / "home" / "originals" for path in files)
    assert len(files) == Source.objects.count()


def test_every_ordinary_name_is_accepted(as_owner: Client, brain: Brain) -> None:
    for number, name in enumerate(["보고서.pdf", "no extension", "🧪.pdf", "CON.pdf", "-rf.pdf"]):
        status, files = send(as_owner, brain, SimpleUploadedFile(name, PDF + bytes([65 + number])))
        assert (status, files[0]["state"], files[0]["name"]) == (200, "accepted", name)


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("the %22final%22 plan.pdf", 'the "final" plan.pdf'),
        ("회의록 %22초안%22.pdf", '회의록 "초안".pdf'),
        ("two%0D%0Alines.pdf", "two lines.pdf"),
        ("line%0Afeed.pdf", "line feed.pdf"),
        ("%0A%22.pdf", '".pdf'),
        ("100%.pdf", "100%.pdf"),
        ("a%20b%2Fc.pdf", "a%20b%2Fc.pdf"),
        ("a%00b%25.pdf", "a%00b%25.pdf"),
        ("low%0d%0a.pdf", "low%0d%0a.pdf"),
        ("%2522.pdf", "%2522.pdf"),
    ],
)
def test_signs_that_browsers_rewrite_in_a_name_are_back(as_owner: Client, brain: Brain, sent: str, shown: str) -> None:
    status, files = raw(as_owner, brain, sent, PDF)
    assert (status, files[0]["name"], Source.objects.get().title) == (200, shown, shown)
    _status, again = raw(as_owner, brain, sent, PDF)
    assert (again[0]["state"], again[0]["name"]) == ("duplicate", shown)


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("empty.pdf", b"", "empty"),
        ("photo.pdf", b"\x89PNG\r\n\x1a\n" + bytes(64), ""),
        ("contract.hwp", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), ""),
        ("contract.pdf", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), ""),
        ("program.txt", b"\x7fELF" + bytes(range(256)) * 4, ""),
    ],
)
def test_what_is_not_read_is_refused_with_a_sentence(
    as_owner: Client, brain: Brain, home: Path, name: str, content: bytes, word: str
) -> None:
    status, files = send(as_owner, brain, SimpleUploadedFile(name, content))
    assert (status, files[0]["state"]) == (400, "refused")
    assert word in files[0]["said"]
    assert len(files[0]["said"]) > 20
    assert not Source.objects.exists()
    assert not [path for path in (home / "home").rglob("*") if path.is_file()]


def test_one_byte_over_the_limit_is_refused(as_owner: Client, brain: Brain, settings: Settings) -> None:
    settings.UPLOAD_LIMIT_MB = 1
    exact = b"a" * (1024 * 1024)
    assert send(as_owner, brain, SimpleUploadedFile("a.txt", exact))[1][0]["state"] == "accepted"
    status, files = send(as_owner, brain, SimpleUploadedFile("b.txt", exact + b"b"))
    assert (status, files[0]["state"]) == (400, "refused")
    assert "limit of 1 MB" in files[0]["said"]


def test_the_same_bytes_are_one_source_and_a_notice_with_a_link(as_owner: Client, brain: Brain) -> None:
    send(as_owner, brain, SimpleUploadedFile("a.txt", b"the same words"))
    source = Source.objects.get()
    status, files = send(as_owner, brain, SimpleUploadedFile("b.txt", b"the same words"))
    assert (status, files[0]["state"], files[0]["url"]) == (200, "duplicate", f"/sources/{source.pk}/")
    assert "a.txt" in files[0]["said"]
    assert Source.objects.count() == 1


def test_a_bad_file_costs_itself_only(as_owner: Client, brain: Brain) -> None:
    _status, files = send(
        as_owner,
        brain,
        SimpleUploadedFile("a.txt", b"first words"),
        SimpleUploadedFile("b.pdf", b""),
        SimpleUploadedFile("c.txt", b"third words"),
    )
    assert [file["state"] for file in files] == ["accepted", "refused", "accepted"]


def test_a_plain_form_comes_back_with_notices(as_owner: Client, brain: Brain) -> None:
    files = [SimpleUploadedFile("a.txt", b"some words"), SimpleUploadedFile("b.txt", b"some words")]
    page = as_owner.post(f"/brains/{brain.id}/upload/", {"files": files}, headers={"accept": "text/html"}, follow=True)
    text = page.content.decode()
    assert "a.txt: Accepted." in text
    assert "Open it" in text


def test_a_form_without_a_file_says_so(as_owner: Client, brain: Brain) -> None:
    assert send(as_owner, brain) == (400, [{"name": "", "state": "refused", "said": "Choose a file first."}])


@pytest.mark.parametrize(
    ("asked", "status", "body", "content_range"),
    [
        ("", 200, b"0123456789", None),
        ("bytes=0-3", 206, b"0123", "bytes 0-3/10"),
        ("bytes=4-", 206, b"456789", "bytes 4-9/10"),
        ("bytes=-3", 206, b"789", "bytes 7-9/10"),
        ("bytes=8-99", 206, b"89", "bytes 8-9/10"),
        ("bytes=10-", 416, b"", "bytes */10"),
        ("bytes=5-2", 416, b"", "bytes */10"),
        ("bytes=-", 200, b"0123456789", None),
        ("bytes=0-1,3-4", 200, b"0123456789", None),
        ("nonsense", 200, b"0123456789", None),
    ],
)
def test_a_recording_is_played_in_ranges(
    as_owner: Client, brain: Brain, owner: User, asked: str, status: int, body: bytes, content_range: str | None
) -> None:
    world = make_world(brain, owner, media_type="audio/mpeg")
    response = as_owner.get(f"/sources/{world.source.pk}/audio/", headers={"range": asked})
    assert (response.status_code, response.headers.get("Content-Range")) == (status, content_range)
    assert BytesIO(b"".join(response.streaming_content) if response.streaming else b"").getvalue() == body


def test_only_recordings_are_played(as_owner: Client, brain: Brain, owner: User) -> None:
    world = make_world(brain, owner)
    assert as_owner.get(f"/sources/{world.source.pk}/audio/").status_code == 404
