"""The one door for text: everything that is stored has passed ``clean_text``.

Offsets everywhere refer to its result, which never changes afterwards: ``clean_text`` is idempotent.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"})
# Controls except tab and line feed; soft hyphen; byte order mark; noncharacters; lone surrogates.
_REFUSED = re.compile("[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\ufeff\ufffe\uffff\ufdd0-\ufdef\ud800-\udfff]")
_LINE_ENDS = re.compile("\r\n?|\u2028|\u2029|\x0b|\x0c|\x85")
# Renders as nothing, or only as blank; U+3164 and U+115F/1160 are Hangul fillers.
_BLANK = re.compile("[\\s\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3164\u115f\u1160\uffa0\u180e]+")


def clean_text(text: str) -> str:
    """NFC, line feeds only, ligatures as letters, nothing a database or a reader chokes on."""
    text = _LINE_ENDS.sub("\n", text)
    text = _REFUSED.sub("", text.translate(_LIGATURES))
    return unicodedata.normalize("NFC", text)


def clean_line(text: str, *, limit: int) -> str:
    """One line of clean text without format characters (direction marks and the like), cut at ``limit``."""
    text = "".join(c for c in clean_text(text) if unicodedata.category(c) != "Cf")
    return " ".join(text.split())[:limit].rstrip()


def is_blank(text: str) -> bool:
    """True if a person would see nothing."""
    return not _BLANK.sub("", text)


def digest(*parts: str) -> str:
    """SHA-256 over the parts, hex. Distinct sequences of parts give distinct inputs."""
    hashed = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        hashed.update(len(encoded).to_bytes(8, "big"))
        hashed.update(encoded)
    return hashed.hexdigest()
