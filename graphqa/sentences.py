"""Where sentences begin and end, in English and Korean, in prose as in lists."""

from __future__ import annotations

import re

# An end mark, closing quotes or citation marks behind it, then a blank; or a line end. "3.5", "Dr. Kim" and "제3조."
# are not ends: a digit follows, or the word before is a short title.
_END = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bSt)(?<!\bMrs)(?<!\bNo)(?<!\bvs)(?<!\b[A-Z])"
    r"[.!?。！？…]+[\"'”’)\]]*(?:\s*\[\d+(?:\s*,\s*\d+)*\])*(?=\s|$)|\n+"
)
_LIST_MARK = re.compile(r"\s*\(?\d{1,2}[.)]")


def sentences(text: str) -> list[tuple[int, int]]:
    """(start, end) of each sentence, blanks around it left out; together they hold every visible character."""
    found: list[tuple[int, int]] = []
    start = 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        piece = text[start:end]
        if _LIST_MARK.fullmatch(piece):
            continue  # "1." begins an item, it does not end a sentence
        if stripped := piece.strip():
            begin = start + piece.index(stripped[0])
            found.append((begin, begin + len(stripped)))
        start = end
    return found
