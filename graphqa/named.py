"""Files that a question names: "Summarise helion.txt", "계약서 2024.pdf에서 해지 조항은?".

A name counts as it is on the page or nearly so: another ending, letter case, blanks for underscores, a Korean particle
behind it. Without its ending it counts only where nothing else can be meant: beside the word "file", written with an
underscore, or as the one thing to be summarised. A file "bridge.txt" is not named by a question about a bridge.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from graphqa.overview import asks_for_overview, names_no_matter

_ENDING = r"\s?\.\s?[a-z][a-z0-9]{1,4}(?![a-z0-9])"
_HAS_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}$")
_KIND = r"(?:file|document|파일|문서)"
_PARTICLE = r"(?:에서는|에서도|에서|에는|에게|으로|이라는|라는|에|은|는|이|가|을|를|의|로|와|과|도|만)?(?![^\W_])"
_BEFORE = rf"(?:(?:the\s+)?{_KIND}\s+(?:called\s+|named\s+)?)?[\"'“‘「『《<]?(?<![^\W_])"
_AFTER = rf"[\"'”’」』》>]?(?:\s{_KIND})?{_PARTICLE}"
_TELLING = re.compile(rf"_|\.\s?[A-Za-z][A-Za-z0-9]{{1,4}}(?![A-Za-z0-9])|\b{_KIND}", re.IGNORECASE)
_SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Named:
    """``sources``: ids of the files; ``rest``: the question without their names."""

    sources: tuple[str, ...]
    rest: str


def named_files(question: str, titles: Mapping[str, str]) -> Named:
    """``titles`` by id of the source."""
    text = unicodedata.normalize("NFKC", question)
    found: dict[tuple[int, int], list[tuple[str, bool]]] = {}
    for source, title in titles.items():
        if place := _place(title, text):
            span, exact = place
            found.setdefault(span, []).append((source, exact))
    spans = [span for span in found if not any(_inside(span, other) for other in found)]
    sources = [source for span in sorted(spans) for source in _best(found[span])]
    return Named(tuple(sources), _without(text, spans) if spans else question)


def may_name_files(question: str) -> bool:
    """Whether it is worth looking: most questions name none."""
    return bool(_TELLING.search(question)) or asks_for_overview(question)


def _place(title: str, text: str) -> tuple[tuple[int, int], bool] | None:
    """Where the file is named, and whether with its own ending."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    ending = _HAS_ENDING.search(folded)
    stem = folded[: ending.start()] if ending else folded
    words = re.findall(r"[^\W_]+", stem)
    if not words or len("".join(words)) < _SHORTEST:
        return None
    name = r"[\s_\-.()]*".join(map(re.escape, words))
    whole = re.compile(rf"{_BEFORE}(?P<stem>{name}[)\]]?)(?P<ending>{_ENDING})?{_AFTER}", re.IGNORECASE)
    for match in whole.finditer(text):
        if match["ending"] or _is_meant(match, text):
            typed = "".join((match["ending"] or "").split()).casefold()
            return match.span(), bool(ending and typed == ending.group())
    return None


def _is_meant(match: re.Match[str], text: str) -> bool:
    if "_" in match["stem"] or re.search(_KIND, match.group().replace(match["stem"], ""), re.IGNORECASE):
        return True
    rest = _without(text, [match.span()])
    return asks_for_overview(rest) and names_no_matter(rest) and not names_no_matter(match["stem"])


def _inside(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return span != other and other[0] <= span[0] and span[1] <= other[1]


def _best(named: Iterable[tuple[str, bool]]) -> list[str]:
    """ "a.md" means a.md where there are a.md and a.txt, and a.txt where it is the only one."""
    every = list(named)
    return [source for source, exact in every if exact] or [source for source, _exact in every]


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return " ".join(text.split())
