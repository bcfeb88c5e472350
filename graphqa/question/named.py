"""Files that a question names: "Summarise helion.txt", "계약서 2024.pdf에서 해지 조항은?".

A name counts as it is on the page or nearly so: another ending, letter case, blanks for underscores, a Korean particle
behind it. Without its ending it counts only where nothing else can be meant: beside the word "file" where that does not
go on ("Apple file format"), written with an underscore, or as the one thing to be summarised. A file "bridge.txt" is
not named by a question about a bridge, nor by a sentence that ends with one, nor by an address on the web.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphqa.language.values import HANGUL
from graphqa.language.wording import listed
from graphqa.question import left_out
from graphqa.question.overview import asks_for_overview, names_no_matter

_USUAL = listed(
    """pdf txt md markdown doc docx hwp hwpx odt rtf htm html csv xls xlsx ppt pptx json xml log epub eml mp3 mp4 m4a
    wav ogg opus flac webm mov mkv avi png jpg jpeg"""
)
_HAS_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}$")
_KIND = r"(?:file|document|파일|문서)"
_PARTICLE = (
    r"(?P<particle>에서는|에서도|에서만|에서|에는|에도|에만|에게|으로|이라는|라는|에|은|는|이나|이|가|을|를|의|로|와|과|도|만"
    r"|나|보다|하고)?"
)
_OPEN = r"[\"'“‘「『《<]"
_BEFORE = rf"(?:(?:the\s+)?(?P<kind>{_KIND})\s+(?P<called>called\s+|named\s+)?)?(?P<open>{_OPEN})?(?<![^\W_])"
_AFTER = rf"[\"'”’」』》>]?(?:\s(?P<kinds>{_KIND}))?{_PARTICLE}{left_out.BEHIND}(?![^\W_])"
# "the helion file says", not "the helion file format".
_NO_MORE = re.compile(
    r"\s*(?:$|[^\w\s]|(?:says?|tells?|states?|mentions?|contains?|describes?|covers?|lists?|is|are|was|has|have)\b"
    r"|요약|정리|간추려|설명|알려|보여|비교)",
    re.IGNORECASE,
)
_TELLING = re.compile(rf"_|\.[A-Za-z][A-Za-z0-9]{{1,4}}(?![A-Za-z0-9])|\b{_KIND}", re.IGNORECASE)
_ADDRESS = re.compile(r"\b(?:https?|ftp)://\S+|\bwww\.\S+", re.IGNORECASE)
# "except a.txt and b.txt", "a.txt와 b.txt 말고".
_AND = re.compile(r"\s*(?:and|or)\s*", re.IGNORECASE)
_WITH = re.compile(r"(?:와|과|\s및)\s*$")
_SHORTEST = 2
_Span = tuple[int, int]


def _endings(endings: Iterable[str]) -> str:
    """Of one case: "bridge.Md" is a sentence that ends and another that begins."""
    each = [form for ending in endings for form in (ending.lower(), ending.upper())]
    return rf"\.(?:{'|'.join(map(re.escape, each))})(?![A-Za-z0-9])"


#: A typed ending of a file. What a file is called is no word of what is asked about it.
FILE_ENDING = re.compile(_endings(_USUAL))
_TYPED = re.compile(
    rf"(?:{_OPEN}(?P<quoted>[^\"'”’」』》>]+?{FILE_ENDING.pattern})[\"'”’」』》>]|(?<![^\s(])(?P<bare>[\w.()-]+{FILE_ENDING.pattern}))"
    rf"(?:\s{_KIND})?{_PARTICLE}(?![^\W_])"
)


@dataclass(frozen=True, slots=True)
class Named:
    """``sources``: ids of the files; ``without``: of those that are not to be asked ("not from bridge.txt");
    ``rest``: the question without their names."""

    sources: tuple[str, ...]
    rest: str
    without: tuple[str, ...] = ()


def named_files(question: str, titles: Mapping[str, str]) -> Named:
    """``titles`` by id of the source."""
    text = unicodedata.normalize("NFKC", question)
    found: dict[_Span, list[tuple[str, bool]]] = {}
    put_aside: set[_Span] = set()
    maybe: dict[_Span, _Span] = {}
    looked = _ADDRESS.sub(lambda match: "/" * len(match.group()), text)
    for source, title in titles.items():
        if place := _place(title, looked):
            match, exact = place
            found.setdefault(match.span(), []).append((source, exact))
            if _says_so(match):
                put_aside.add(match.span())
            elif match["not"] or match["says_not"]:
                maybe[match.span()] = match.span("named")
    spans = sorted(span for span in found if not any(_inside(span, other) for other in found))
    put_aside = _with_others(put_aside, spans, text)
    if asked_beside := set(spans) - put_aside - _with_others(set(maybe), spans, text):
        put_aside = set(spans) - asked_beside
    sources = [source for span in spans if span not in put_aside for source in _best(found[span])]
    without = [source for span in spans if span in put_aside for source in _best(found[span])]
    # "missing from a.txt" is asked of a.txt, where it is the only one.
    told = [span if span in put_aside else maybe.get(span, span) for span in spans]
    return Named(tuple(sources), _without(text, told) if spans else question, tuple(without))


def _with_others(put_aside: set[_Span], spans: Sequence[_Span], text: str) -> set[_Span]:
    """Those too that are joined to one by "and", or listed with it."""
    found = set(put_aside)
    for place, span in enumerate(spans):
        if span in put_aside:
            found.update(_listed_behind(spans[place:], text))
            found.update(_listed_before(spans[: place + 1], text))
    return found


def _listed_behind(spans: Sequence[_Span], text: str) -> Iterator[_Span]:
    """ "a.txt, b.txt and c.txt": up to the last "and"."""
    commas: list[_Span] = []
    for one, two in pairwise(spans):
        between = text[one[1] : two[0]]
        if _AND.fullmatch(between) or (commas and _AND.fullmatch(between.lstrip(" ,"))):
            yield from (*commas, two)
            commas = []
        elif between.strip() == ",":
            commas.append(two)
        else:
            return


def _listed_before(spans: Sequence[_Span], text: str) -> Iterator[_Span]:
    """ "a.txt, b.txt와 c.txt는": what Korean says of them stands behind the last."""
    if not HANGUL.match(text[spans[-1][1] - 1]):
        return
    for two, one in pairwise(reversed(spans)):
        between = text[one[1] : two[0]]
        bare = between.strip() == "," and not HANGUL.match(text[one[1] - 1])
        if not (bare or _WITH.search(text[one[0] : two[0]])):
            return
        yield one


def unknown_files(question: str) -> tuple[str, ...]:
    """What is called like a file in a question that names none there is, if such files are all that is asked about."""
    text = unicodedata.normalize("NFKC", question)
    found = list(_TYPED.finditer(text))
    rest = _without(text, [match.span() for match in found])
    is_all = names_no_matter(rest) and (asks_for_overview(rest) or not re.search(r"\w", rest))
    return tuple(match["quoted"] or match["bare"] for match in found) if is_all else ()


def may_name_files(question: str) -> bool:
    """Whether it is worth looking: most questions name none."""
    return bool(_TELLING.search(question)) or asks_for_overview(question)


def _place(title: str, text: str) -> tuple[re.Match[str], bool] | None:
    """Where the file is named, best where that leaves it out, and whether with its own ending."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    ending = _HAS_ENDING.search(folded)
    stem = folded[: ending.start()] if ending else folded
    words = re.findall(r"[^\W_]+", stem)
    # Compiling what follows takes 15 to 40 ms, and most files are not named.
    if not words or not all(word in text.casefold() for word in words):
        return None
    name = r"[\s_\-.()]*".join(map(re.escape, words))
    endings = _endings([*_USUAL, ending.group()[1:]]) if ending else FILE_ENDING.pattern
    whole = re.compile(
        rf"(?i:{left_out.BEFORE})(?P<named>(?i:{_BEFORE}(?P<stem>{name}[)\]]?))(?P<ending>{endings})?(?i:{_AFTER}))"
        rf"(?i:{left_out.OUT}{left_out.SAYS_NOT})"
    )
    long = len("".join(words)) >= _SHORTEST
    meant = [match for match in whole.finditer(text) if match["ending"] or (long and _is_meant(match, text))]
    if not meant:
        return None
    match = next(filter(_says_so, meant), meant[0])
    return match, bool(ending and (match["ending"] or "").casefold() == ending.group())


def _says_so(match: re.Match[str]) -> bool:
    return any(match[group] is not None for group in left_out.SAYS_SO)


def _is_meant(match: re.Match[str], text: str) -> bool:
    if "_" in match["stem"]:
        return True
    ended = match["particle"] or match["called"] or match["open"] or _NO_MORE.match(text, match.end())
    if ended and (match["kind"] or match["kinds"]):
        return True
    rest = _without(text, [match.span()])
    return asks_for_overview(rest) and names_no_matter(rest) and not names_no_matter(match["stem"])


def _inside(span: _Span, other: _Span) -> bool:
    return span != other and other[0] <= span[0] and span[1] <= other[1]


def _best(named: Iterable[tuple[str, bool]]) -> list[str]:
    """ "a.md" means a.md where there are a.md and a.txt, and a.txt where it is the only one."""
    every = list(named)
    return [source for source, exact in every if exact] or [source for source, _exact in every]


def _without(text: str, spans: Iterable[_Span]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return " ".join(text.split())
