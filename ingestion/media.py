"""What kind of file it is, decided on its first bytes. Names lie; they only tell Markdown from plain text."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath

from django.utils.translation import gettext_noop as _

from brain.errors import EmptySource, UnsupportedSource

HEAD_BYTES = 8192

PDF = "application/pdf"
TEXT = "text/plain"
MARKDOWN = "text/markdown"
RECORDINGS = frozenset(
    {"audio/mpeg", "audio/aac", "audio/mp4", "audio/wav", "audio/ogg", "audio/flac", "video/mp4", "video/webm"}
)
READABLE = frozenset({PDF, TEXT, MARKDOWN}) | RECORDINGS

IMAGE = _(
    "This is a %(kind)s image. Images are not read: upload the document it was made from, or a PDF that holds text."
)
OFFICE = _("%(kind)s is not supported. Save the document as PDF and upload that.")
ARCHIVE = _("This is a %(kind)s archive. Unpack it and upload the files inside.")
PROGRAM = _("This is a program (%(kind)s), not a document.")
DATABASE = _("%(kind)s is not supported. Export what you need as text or PDF and upload that.")
WEB_PAGE = _("This is a web page (HTML). Save it as PDF or text and upload that.")
RECORDING = _("Recordings of the kind %(kind)s are not supported. Convert it to MP3, M4A or WAV and upload that.")
NO_SUCH_FILE = _(
    "The name ends in %(kind)s, but the content is not that of such a file: it may be damaged or encrypted. Open it in "
    "the program it was made with, save it again and upload that."
)
NO_TEXT = _("The name ends in %(kind)s, but the content is no text. Save it as text (UTF-8) and upload that.")
UNKNOWN = _("The content of this file is of no known kind. PDF, text, Markdown and recordings are read.")

_PDF_MARK = re.compile(rb"%PDF-\d")
_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"fLaC", "audio/flac"),
    (0, b"OggS", "audio/ogg"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\x1a\x45\xdf\xa3", "video/webm"),
)
_REFUSED: tuple[tuple[int, bytes, str, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", IMAGE, "PNG"),
    (0, b"\xff\xd8\xff", IMAGE, "JPEG"),
    (0, b"GIF8", IMAGE, "GIF"),
    (0, b"BM", IMAGE, "BMP"),
    (0, b"II*\0", IMAGE, "TIFF"),
    (0, b"MM\0*", IMAGE, "TIFF"),
    (0, b"8BPS", IMAGE, "Photoshop"),
    (0, b"\0\0\x01\0", IMAGE, "icon"),
    (0, b"MZ", PROGRAM, "Windows"),
    (0, b"\x7fELF", PROGRAM, "Linux"),
    (0, b"\xfe\xed\xfa", PROGRAM, "macOS"),
    (0, b"\xcf\xfa\xed\xfe", PROGRAM, "macOS"),
    (0, b"\xca\xfe\xba\xbe", PROGRAM, "macOS, Java"),
    (0, b"\0asm", PROGRAM, "WebAssembly"),
    (0, b"HWP Document File", OFFICE, "HWP"),
    (0, b"{\\rtf", OFFICE, "RTF"),
    (0, b"%!PS", OFFICE, "PostScript"),
    (0, b"SQLite format 3\0", DATABASE, "SQLite"),
    (0, b"\x1f\x8b", ARCHIVE, "GZIP"),
    (0, b"7z\xbc\xaf\x27\x1c", ARCHIVE, "7z"),
    (0, b"Rar!", ARCHIVE, "RAR"),
    (0, b"BZh", ARCHIVE, "BZIP2"),
    (0, b"\xfd7zXZ", ARCHIVE, "XZ"),
    (0, b"\x28\xb5\x2f\xfd", ARCHIVE, "Zstandard"),
    (257, b"ustar", ARCHIVE, "TAR"),
    (0, b"#!AMR", RECORDING, "AMR"),
    (0, b"caff", RECORDING, "CAF"),
    (0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", RECORDING, "WMA"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# What stands in the first bytes of containers, most telling first.
_OLE_KINDS = (
    ("BodyText".encode("utf-16-le"), "HWP"),
    (b"HWP Document File", "HWP"),
    ("WordDocument".encode("utf-16-le"), "DOC"),
    ("Workbook".encode("utf-16-le"), "XLS"),
    ("PowerPoint".encode("utf-16-le"), "PPT"),
)
_ZIP_KINDS = (
    (b"application/hwp+zip", "HWPX"),
    (b"application/vnd.oasis.opendocument", "OpenDocument"),
    (b"application/epub+zip", "EPUB"),
    (b"word/", "DOCX"),
    (b"xl/", "XLSX"),
    (b"ppt/", "PPTX"),
    (b"[Content_Types].xml", "Office"),
)
_IMAGE_BRANDS = {b"heic": "HEIC", b"heix": "HEIC", b"mif1": "HEIC", b"avif": "AVIF"}
_TEXT_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_TEXT_ENDINGS = frozenset({".txt", ".md", ".markdown"})
_ENDINGS = frozenset({".pdf", ".mp3", ".m4a", ".wav", ".ogg", ".flac", ".webm", ".mp4", ".aac"})
# A few NULs in a short note; of random bytes so few are hardly ever UTF-8.
_STRAY = 3
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html[\s>])", re.IGNORECASE | re.DOTALL)


def detect(head: bytes, name: str) -> str:
    """The media type of a file by its first ``HEAD_BYTES``; one of ``READABLE``.

    Raises ``EmptySource`` for no bytes at all, ``UnsupportedSource`` naming the kind that it is instead.
    """
    head = head[:HEAD_BYTES]
    if not head:
        raise EmptySource(_("The file is empty (0 bytes)."))
    suffix = PurePath(name).suffix.lower()
    if head.startswith(_TEXT_MARKS) and not _is_adts(head):
        return _text_type(suffix)
    if found := _by_magic(head):
        return found
    text = _is_text(head)
    # Readers accept junk before the mark within the first kilobyte; prose about PDF files is not one.
    mark = _PDF_MARK.search(head, 0, 1024)
    if mark and (mark.start() == 0 or not text or suffix not in _TEXT_ENDINGS):
        return PDF
    if not text:
        raise UnsupportedSource(_not_what_it_says(suffix), kind=suffix)
    if _HTML.match(head) and suffix not in _TEXT_ENDINGS:
        raise UnsupportedSource(WEB_PAGE)
    return _text_type(suffix)


def _not_what_it_says(suffix: str) -> str:
    if suffix in _TEXT_ENDINGS:
        return NO_TEXT
    return NO_SUCH_FILE if suffix in _ENDINGS else UNKNOWN


def _text_type(suffix: str) -> str:
    return MARKDOWN if suffix in {".md", ".markdown"} else TEXT


def _by_magic(head: bytes) -> str:
    for place, mark, media_type in _MAGIC:
        if head.startswith(mark, place):
            return media_type
    if head[:4] in {b"RIFF", b"RF64"}:
        return _riff(head)
    if head[4:8] == b"ftyp":
        return _iso_media(head)
    if head.startswith(b"FORM") and head[8:12] in {b"AIFF", b"AIFC"}:
        raise UnsupportedSource(RECORDING, kind="AIFF")
    if _is_adts(head):
        return "audio/aac"
    if _is_mpeg(head):
        return "audio/mpeg"
    _refuse_known(head)
    return ""


def _refuse_known(head: bytes) -> None:
    if head.startswith(_OLE):
        raise UnsupportedSource(OFFICE, kind=_kind_inside(head, _OLE_KINDS, "DOC, XLS, PPT"))
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        if kind := _kind_inside(head, _ZIP_KINDS, ""):
            raise UnsupportedSource(OFFICE, kind=kind)
        raise UnsupportedSource(ARCHIVE, kind="ZIP")
    for place, mark, sentence, kind in _REFUSED:
        # Two letters also start words: a text file may well begin with "BM" or "MZ".
        if head.startswith(mark, place) and (len(mark) > 3 or not _is_text(head)):
            raise UnsupportedSource(sentence, kind=kind)


def _kind_inside(head: bytes, kinds: tuple[tuple[bytes, str], ...], otherwise: str) -> str:
    return next((kind for mark, kind in kinds if mark in head), otherwise)


def _riff(head: bytes) -> str:
    form = head[8:12]
    if form == b"WEBP":
        raise UnsupportedSource(IMAGE, kind="WebP")
    if form != b"WAVE":
        raise UnsupportedSource(RECORDING, kind="AVI")
    return "audio/wav"


def _iso_media(head: bytes) -> str:
    brand = head[8:12]
    if brand in _IMAGE_BRANDS:
        raise UnsupportedSource(IMAGE, kind=_IMAGE_BRANDS[brand])
    return "audio/mp4" if brand in {b"M4A ", b"M4B ", b"M4P "} else "video/mp4"


def _is_adts(head: bytes) -> bool:
    """An AAC frame: 12 sync bits, layer 0, and a sample rate index that exists."""
    return len(head) > 6 and head[0] == 0xFF and head[1] & 0xF6 == 0xF0 and (head[2] >> 2) & 0xF < 13


def _is_mpeg(head: bytes) -> bool:
    """An MPEG audio frame whose version, layer, bit rate and sample rate are all possible ones."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return False
    version, layer = (head[1] >> 3) & 3, (head[1] >> 1) & 3
    rate, frequency = head[2] >> 4, (head[2] >> 2) & 3
    return version != 1 and layer != 0 and rate not in {0, 15} and frequency != 3


def utf16_without_mark(head: bytes) -> str:
    """``utf-16-le`` or ``utf-16-be`` if the bytes are such text without a byte order mark, else ``""``.

    The high byte of blanks, digits and Latin letters is zero and the low one never is, so zeros stand on one side.
    """
    sides = {"utf-16-be": head[::2].count(0), "utf-16-le": head[1::2].count(0)}
    encoding = max(sides, key=lambda side: sides[side])
    if sides[encoding] < max(2, len(head) // 100) or min(sides.values()) > sides[encoding] // 20:
        return ""
    text = head[: len(head) // 2 * 2].decode(encoding, errors="replace")
    odd = sum(1 for letter in text if unicodedata.category(letter) in {"Cn", "Co", "Cs"} or letter == "\ufffd")
    return encoding if odd <= len(text) // 50 else ""


def _is_text(head: bytes) -> bool:
    """Hardly any controls; random bytes have 10 % of them. A stray NUL must not cost a document."""
    if utf16_without_mark(head):
        return True
    found, few = len(_CONTROLS.findall(head)), max(1, len(head) // 100)
    return found <= few or (found <= _STRAY and found <= len(head) // 16 and _is_utf8(head))


def _is_utf8(head: bytes) -> bool:
    """Up to a letter that the end of ``head`` cuts in two."""
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.start > len(head) - 4 and error.reason == "unexpected end of data"
    return True
