"""The cage: a hostile file costs itself only, within its limits, and nothing gets out (BR-03, promises S-22, S-23)."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from brain.errors import (
    Cancelled,
    EmptySource,
    LockedSource,
    ServiceUnavailable,
    SourceLimit,
    UnreadableSource,
    UnsupportedSource,
)
from brain.values import Document, Span
from ingestion.reader import Limits, read
from tests.ingestion.files import run, sample

TEXT, PDF = "text/plain", "application/pdf"
ROOMY = Limits(seconds=60, memory_mb=1024)


def children() -> set[int]:
    """Process ids of the cages that this process keeps."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                status = (folder / "status").read_text()
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if f"PPid:\t{os.getpid()}\n" in status and b"ingestion.cage" in command:
                found.add(int(folder.name))
    return found


def pdf(*objects: bytes) -> bytes:
    """A PDF of the given objects, numbered from 1; the first is the catalogue."""
    body = b"%PDF-1.7\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    table += b"".join(b"%010d 00000 n \n" % place for place in places)
    return body + table + b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(body))


def stream(content: bytes, entries: bytes = b"") -> bytes:
    packed = zlib.compress(content, 9)
    return b"<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (entries, len(packed), packed)


def one_page(content: bytes, resources: bytes = b"<<>>", *more: bytes) -> bytes:
    return pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources %s>>" % resources,
        content,
        *more,
    )


def laughing() -> bytes:
    """Nine forms, each drawing the next twelve times: 5 billion words in 3 kB."""
    forms = []
    for level in range(9):
        inside = b"/F Do " * 12 if level < 8 else b"BT /T 12 Tf (ha) Tj ET"
        names = b"/F %d 0 R" % (7 + level) if level < 8 else b""
        font = b"/Font<</T 5 0 R>>"
        head = b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</XObject<<%s>>%s>>" % (names, font)
        forms.append(stream(inside, head))
    return one_page(
        stream(b"/F Do"),
        b"<</XObject<</F 6 0 R>>>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        *forms,
    )


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text("words")
    return path


def signalling(number: signal.Signals, verdict: Callable[[], bool] = lambda: False) -> Callable[[], bool]:
    """For ``cancelled``: sends a signal to the cages, then answers with ``verdict``."""

    def send() -> bool:
        for child in children():
            os.kill(child, number)
        return verdict()

    return send


def test_a_document_comes_out_of_the_cage_as_the_loader_made_it(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes("하나\n\n둘 two".encode())
    shares: list[float] = []
    assert read(path, TEXT, title="two", on_progress=shares.append) == Document(
        "하나\n\n둘 two", (Span(0, 2), Span(4, 9)), "ko", "two", 2, "paragraph"
    )
    document = read(sample("bug_files/pdf-xref-loop-30-pages.pdf"), PDF, title="t", on_progress=shares.append)
    assert document.units == len(shares) == 30
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert children() == set()


@pytest.mark.parametrize(
    ("content", "media_type", "error"),
    [
        (b" \n", TEXT, EmptySource),
        (b"%PDF-1.4 nothing", PDF, UnreadableSource),
        (b"words", "image/png", UnsupportedSource),
    ],
)
def test_the_loaders_verdict_comes_out_as_the_same_error(
    tmp_path: Path, content: bytes, media_type: str, error: type[Exception]
) -> None:
    path = tmp_path / "a"
    path.write_bytes(content)
    with pytest.raises(error) as verdict:
        read(path, media_type, title="a")
    assert type(verdict.value) is error


def test_a_locked_file_is_locked_outside_too() -> None:
    with pytest.raises(LockedSource):
        read(sample("pdf_suite/files/sample-files__libreoffice-writer-password.pdf"), PDF, title="a")


def test_a_reader_that_hangs_ends_at_the_limit(note: Path) -> None:
    started = time.monotonic()
    with pytest.raises(SourceLimit) as verdict:
        read(note, TEXT, title="a", cancelled=signalling(signal.SIGSTOP), limits=Limits(seconds=2, memory_mb=1024))
    assert str(verdict.value) == "Reading this file takes longer than 2 s. Split it and upload the parts."
    assert time.monotonic() - started < 4
    assert children() == set()


def test_three_kilobytes_that_draw_five_billion_words_end_at_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "laughing.pdf"
    path.write_bytes(laughing())
    assert path.stat().st_size < 4000
    with pytest.raises(SourceLimit):
        read(path, PDF, title="a", limits=Limits(seconds=10, memory_mb=512))
    assert children() == set()


def test_a_file_that_eats_memory_ends_at_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(700 * 2**20)
    with pytest.raises(SourceLimit) as verdict:
        read(path, TEXT, title="a", limits=Limits(seconds=60, memory_mb=512))
    assert str(verdict.value).startswith("Reading this file needs more than 512 MB of memory.")


def test_a_bomb_in_a_page_costs_that_file_only(tmp_path: Path) -> None:
    path = tmp_path / "bomb.pdf"
    path.write_bytes(one_page(stream(b"(" + b"A" * (600 * 2**20))))
    readable = sample("bug_files/pdf-damaged-but-readable.pdf")
    results: list[object] = []

    def other() -> None:
        results.append(read(readable, PDF, title="a").text)

    thread = threading.Thread(target=other)
    thread.start()
    with pytest.raises(UnreadableSource):
        read(path, PDF, title="a", limits=Limits(seconds=20, memory_mb=512))
    thread.join()
    assert results == ["Hello, world!"]


def test_a_stop_ends_reading_within_a_second(note: Path) -> None:
    stop_at = time.monotonic() + 1.0
    freeze = signalling(signal.SIGSTOP, lambda: time.monotonic() > stop_at)
    with pytest.raises(Cancelled):
        read(note, TEXT, title="a", cancelled=freeze, limits=ROOMY)
    assert time.monotonic() - stop_at < 1.0
    assert children() == set()


def test_a_cage_killed_from_outside_is_tried_again_later(note: Path) -> None:
    with pytest.raises(ServiceUnavailable) as verdict:
        read(note, TEXT, title="a", cancelled=signalling(signal.SIGKILL), limits=ROOMY)
    assert verdict.value.retryable


def test_a_crash_in_a_library_is_the_files_fault(note: Path) -> None:
    with pytest.raises(UnreadableSource) as verdict:
        read(note, TEXT, title="a", cancelled=signalling(signal.SIGSEGV), limits=ROOMY)
    assert str(verdict.value) == UnreadableSource.default


def test_a_file_that_crashes_the_first_reader_is_read_by_the_second() -> None:
    path = sample("bug_files/pdf-korean-identity-h.pdf")
    crashed: set[int] = set()

    def crash_once() -> bool:
        for child in children() - crashed if not crashed else ():
            os.kill(child, signal.SIGSEGV)
            crashed.add(child)
        return False

    document = read(path, PDF, title="a", cancelled=crash_once, limits=ROOMY)
    assert len(crashed) == 1
    assert document.text == "침하게 흐린 품이 눈이 올 듯하더니 눈은 아니 오고 얼다가 만 비가 추"


def test_the_cage_dies_with_its_keeper(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(laughing())
    code = (
        "import os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'tests.settings'\n"
        "import django; django.setup()\n"
        "from pathlib import Path; from ingestion.reader import read, Limits\n"
        "def tell():\n"
        "    kids = open(f'/proc/self/task/{os.getpid()}/children').read().split()\n"
        "    for kid in kids:\n"
        "        if '1073741824' in open(f'/proc/{kid}/limits').read():\n"
        "            os.kill(int(kid), 19)\n"
        "            print(kid, flush=True)\n"
        "    return False\n"
        "read(Path(sys.argv[1]), 'application/pdf', title='a', cancelled=tell, limits=Limits(60, 1024))\n"
    )
    with run(code, str(tmp_path / "a.pdf")) as keeper:
        assert keeper.stdout is not None
        cage = next(int(line) for line in keeper.stdout if line.strip())
        assert Path(f"/proc/{cage}").exists()
        keeper.kill()
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and not _gone(cage):
        time.sleep(0.05)
    assert _gone(cage)


def _gone(pid: int) -> bool:
    """No such process, or one that only waits to be collected by whoever inherited it."""
    try:
        return bool(re.search(r"State:\s+Z", Path(f"/proc/{pid}/status").read_text()))
    except OSError:
        return True


def test_every_bad_file_ends_in_time_and_the_next_is_read() -> None:
    for name in ("xref-loop-30-pages", "bad-object-types", "zero-pages", "damaged-but-readable"):
        started = time.monotonic()
        try:
            outcome = read(sample(f"bug_files/pdf-{name}.pdf"), PDF, title="a").text[:13]
        except UnreadableSource as refusal:
            outcome = str(refusal)
        assert time.monotonic() - started < 10
        assert outcome in {"Potato 0 new\n", "Salad", "The PDF has no pages.", "Hello, world!"}
