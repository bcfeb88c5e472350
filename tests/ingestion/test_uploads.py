"""Taking files in: stored under their hash, judged by content, shown under a clean name, once per brain."""

from __future__ import annotations

import hashlib
import io
import unicodedata
from collections.abc import Callable

import pytest
from django.conf import settings as configured

from brain import originals
from brain.errors import DuplicateSource, EmptySource, SourceLimit, UnsupportedSource
from brain.ledger import deletion
from brain.models import Brain, Source, User
from ingestion import uploads

pytestmark = pytest.mark.django_db(transaction=True)


def everything_on_disk() -> set[str]:
    return {str(path.relative_to(configured.BRAIN_HOME)) for path in configured.BRAIN_HOME.rglob("*") if path.is_file()}


def test_an_accepted_file_is_on_disk_under_its_hash(upload: Callable[..., Source]) -> None:
    source = upload("Some words.", "words.txt")
    assert originals.path_of(source.sha256).read_bytes() == b"Some words."
    assert source.sha256 == hashlib.sha256(b"Some words.").hexdigest()


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../x.txt", "x.txt"),
        ("/etc/x.txt", "x.txt"),
        ("..\\..\\x.txt", "x.txt"),
        ("x.txt%00.exe", "x.txt%00.exe"),
        ("CON.txt", "CON.txt"),
        ("가" * 300 + ".txt", "가" * 255),
        ("😀.txt", "😀.txt"),
        ("a\u202etxt.exe", "atxt.exe"),
        ('quote"\nline.txt', 'quote" line.txt'),
        ("-rf.txt", "-rf.txt"),
        ("..", "file"),
        (unicodedata.normalize("NFD", "보고서.txt"), "보고서.txt"),
    ],
)
def test_a_name_is_only_shown_and_never_a_path(given: str, shown: str, upload: Callable[..., Source]) -> None:
    before = everything_on_disk()
    source = upload(f"Words for {given!r}.", given)
    assert source.title == shown
    new = everything_on_disk() - before
    assert {path for path in new if not path.startswith("brain.sqlite3")} == {
        f"originals/{source.sha256[:2]}/{source.sha256}"
    }


def test_the_same_bytes_again_are_a_notice_with_the_first_source(upload: Callable[..., Source], brain: Brain) -> None:
    first = upload("Some words.", "words.txt")
    with pytest.raises(DuplicateSource) as refused:
        upload("Some words.", "other name.txt")
    assert refused.value.source_id == str(first.pk)
    assert "words.txt" in refused.value.sentence
    assert Source.objects.filter(brain=brain).count() == 1


def test_the_same_name_with_other_bytes_is_another_source(upload: Callable[..., Source], brain: Brain) -> None:
    upload("Some words.", "words.txt")
    upload("Other words.", "words.txt")
    assert Source.objects.filter(brain=brain, title="words.txt").count() == 2


def test_other_brains_are_no_business_of_an_upload(upload: Callable[..., Source]) -> None:
    upload("Some words.")
    upload("Some words.", into=Brain.objects.create(name="other"))
    assert Source.objects.count() == 2


def test_a_duplicate_of_a_trashed_file_says_where_to_find_it(upload: Callable[..., Source], owner: User) -> None:
    deletion.trash(upload("Some words."), owner)
    with pytest.raises(DuplicateSource) as refused:
        upload("Some words.")
    assert "trash" in refused.value.sentence


@pytest.mark.parametrize(
    ("content", "name", "error"),
    [
        (b"", "empty.pdf", EmptySource),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "picture.pdf", UnsupportedSource),
    ],
)
def test_what_cannot_be_taken_leaves_nothing(
    content: bytes,
    name: str,
    error: type[Exception],
    upload: Callable[..., Source],
    stored_files: Callable[[], set[str]],
) -> None:
    with pytest.raises(error):
        upload(content, name)
    assert (Source.objects.count(), stored_files()) == (0, set())
    assert list(configured.FILE_UPLOAD_TEMP_DIR.iterdir()) == []


class Endless(io.RawIOBase):
    """A stream of zeros that counts what was taken from it."""

    taken = 0

    def read(self, size: int = -1) -> bytes:
        self.taken += size
        return b"a" * size


def test_a_file_over_the_limit_is_refused_while_it_comes(brain: Brain, settings: object) -> None:
    settings.UPLOAD_LIMIT_MB = 3  # type: ignore[attr-defined]
    stream = Endless()
    with pytest.raises(SourceLimit, match="3 MB"):
        uploads.accept(brain, None, "endless.txt", stream)  # type: ignore[arg-type]
    assert stream.taken <= 5 * 1024 * 1024
    assert list(configured.FILE_UPLOAD_TEMP_DIR.iterdir()) == []


def test_what_interrupted_uploads_left_is_swept(
    upload: Callable[..., Source], stored_files: Callable[[], set[str]]
) -> None:
    kept = upload("Some words.")
    for name in ("upload-half", "tmpabc.upload.pdf"):
        (configured.FILE_UPLOAD_TEMP_DIR / name).write_bytes(b"half a file")
    assert originals.sweep_temporary(older_than_seconds=0) == 2
    assert list(configured.FILE_UPLOAD_TEMP_DIR.iterdir()) == []
    assert stored_files() == {kept.sha256}
