"""Where sentences begin and end, in English and Korean, in prose as in lists."""

from __future__ import annotations

import re

# An end mark, closing quotes or citation marks behind it, then a blank; or a line end. "3.5", "Dr. Kim" and "제3조."
# are not ends: a digit follows, or the word before is a short title.
_END = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bSt)(?<!\bMrs)(?<!\bNo)(?<!\bvs)(?<!\b[A-Z])"
    r"[.!?。！？…]+[\"'”’)\]]*(?:\s*\[\d+(?:\s*,\s*\d+)*\])*(?=\s|$)|\n+"
)
# A line that breaks off below this is a heading, a field or a value; a longer one goes on in the next.
_WRAPPED = 40
_ENDED = tuple(".!?。！？…\"'”’)]")
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


def statements(text: str) -> list[tuple[int, int]]:
    """Sentences whose wrapped lines are joined; a field of a form or a cell of a table stands alone."""
    found: list[tuple[int, int]] = []
    for start, end in sentences(text):
        if found and _goes_on(text, found[-1], start):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def is_row(statement: str) -> bool:
    """A row of a table in Markdown."""
    return statement.startswith("|") and statement.count("|") > 1


def _goes_on(text: str, last: tuple[int, int], start: int) -> bool:
    # The line as it stands on the page: of "...stick. If" the end of it is a sentence's beginning.
    line = text[text.rfind("\n", 0, last[1]) + 1 : last[1]]
    if is_row(line) or text.startswith("|", start):
        return False
    return text[last[1] : start].count("\n") == 1 and len(line) >= _WRAPPED and not line.endswith(_ENDED)


def is_prose(statement: str) -> bool:
    """True for a whole sentence: what follows it may lean on it ("She ...")."""
    return not is_row(statement) and (len(statement) >= _WRAPPED or statement.endswith(_ENDED))
