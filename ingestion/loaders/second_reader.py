"""pypdf, for what PDFium cannot open or reads as garbage. On its own time, so that it never costs PDFium's text."""

from __future__ import annotations

import signal
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

SLICE_SECONDS = 20

# pypdf lets about every class of Python's own through (py-pdf/pypdf#2761).
_RAISED_ON_BROKEN_OBJECTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)


class _TimeUp(BaseException):
    """Not an ``Exception``: pypdf swallows those in many places."""


@contextmanager
def _slice(seconds: float) -> Iterator[None]:
    """Ends what runs in it after ``seconds``; a main thread is needed, which the cage has."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise _TimeUp

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def page_texts(
    path: Path, numbers: Sequence[int] | None = None, *, seconds: float = SLICE_SECONDS
) -> dict[int, str] | None:
    """Text by page number from 1, as far as it got; None if the file cannot be opened at all."""
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, DeprecationError, PyPdfError

    failures = (PyPdfError, DependencyError, DeprecationError, *_RAISED_ON_BROKEN_OBJECTS)
    texts: dict[int, str] | None = None
    try:
        with _slice(seconds):
            reader = PdfReader(path)
            count = len(reader.pages)
            texts = {}
            for number in numbers if numbers is not None else range(1, count + 1):
                if number > count:
                    break
                try:
                    texts[number] = reader.pages[number - 1].extract_text()
                except failures:
                    continue
    except (_TimeUp, *failures):
        return texts
    return texts
