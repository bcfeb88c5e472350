"""Places that a text names: articles of a law (제12조), sections, figures and tables.

An article is known by the law it stands in: ``자본시장법|제12조``. A bare number means the law in hand; 「…」 before
it names another; in a decree (시행령) 법 means the law it belongs to, in rules (시행규칙) 영 the decree; 같은 법 is the
law named last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from brain.identity import fold_name

_ARTICLE = r"제\s?(?P<number>\d+)\s?조(?:의\s?(?P<branch>\d+))?"
_RANGE = r"(?:\s?(?:부터|내지|~|-)\s?제\s?(?P<last>\d+)\s?조(?:의\s?(?P<last_branch>\d+))?)?"
_QUOTED = re.compile(r"「([^」]{2,60})」")
_SHORT = r"(?<![가-힣])(?P<short>(?P<same>(?:같은|동)\s?(?:법률?(?:\s?시행령)?|영))|법|영|시행령)"
_ARTICLES = re.compile(rf"(?:(?:「(?P<law>[^」]{{2,60}})」(?P<decree>\s?시행령)?|{_SHORT})\s?)?{_ARTICLE}{_RANGE}")
_MORE = re.compile(r"(?:제\d+항|제\d+호|\([^()]*\)|[\s,ㆍ·및또는와과각본문단서부터까지의]|[가-하]목)*$")
# An article's own head: at the start of a line, its title in parentheses or a blank behind it.
ARTICLE_HEAD = re.compile(
    r"(?m)^[ \t]*제\s?(\d+)\s?조(?:의\s?(\d+))?\s*(?=[(（]|[ \t]+[①가-힣]|\s*$)(?:[(（]([^()（）]{1,60})[)）])?"
)
_SECTION_WORD = r"(?:[Ss]ections?|[Cc]hapters?|[Aa]ppendix|§)\s?"
_SECTIONS = re.compile(
    _SECTION_WORD + r"(\d+(?:\.\d+)*|[A-Z](?:\.\d+)+)|(?<![\d.])(\d+(?:\.\d+)+)\s?(?:절|장)|제\s?(\d+)\s?(장|절)"
)
_FIGURES = re.compile(r"(?:(Figure|Fig\.|Table|그림|표|〈그림|〈표|<그림|<표)\s?(\d+(?:[.\-]\d+)*))", re.IGNORECASE)
SECTION_HEAD = re.compile(
    r"^\s*(?:(?:Section|Chapter|Appendix)\s+)?(\d+(?:\.\d+)*|[A-Z](?:\.\d+)+)[.)]?\s+\S|^\s*제\s?(\d+)\s?(장|절)"
)
FIGURE_HEAD = re.compile(
    r"(?m)^\s*[〈<\[]?(Figure|Fig\.|Table|그림|표)\s?(\d+(?:[.\-]\d+)*)\s*[.:>〉\])]", re.IGNORECASE
)
_FIGURE_KIND = {"figure": "figure", "fig.": "figure", "그림": "figure", "table": "table", "표": "table"}
_LONGEST_RANGE = 10


@dataclass(frozen=True, slots=True)
class Reference:
    """``label`` as a person reads it, ``key`` what it is compared by; ``start`` is where it stands."""

    label: str
    key: str
    start: int


def article_key(law: str, number: str) -> str:
    return f"{fold_name(law)}|{number}"


def article_number(number: str, branch: str | None) -> str:
    return f"제{int(number)}조" + (f"의{int(branch)}" if branch else "")


def article_references(text: str, law: str) -> Iterator[Reference]:
    """Articles that ``text``, which stands in ``law``, names; its own article heads are left out."""
    heads = {found.start(1) for found in ARTICLE_HEAD.finditer(text)}
    scope, scope_end, said, said_end = law, 0, law, 0
    for found in _ARTICLES.finditer(text):
        start = found.start("number")
        if start in heads:
            continue
        if found.group("same"):
            said = _named_last(text[said_end : found.start()]) or said
        if found.group("law") or found.group("short"):
            scope = said = _scope(found, said if found.group("same") else law)
            said_end = found.end()
        elif not (scope_end and _MORE.fullmatch(text[scope_end : found.start()])):
            # "「상법」 제3조, 제5조": the name holds for the list that follows it, and for nothing after.
            scope = law
        scope_end = found.end()
        for number in _numbers(found):
            yield Reference(number, article_key(scope, number), start)


def _numbers(found: re.Match[str]) -> Iterator[str]:
    first, branch, last, last_branch = found.group("number", "branch", "last", "last_branch")
    yield article_number(first, branch)
    if last and not last_branch and int(first) < int(last) <= int(first) + _LONGEST_RANGE:
        for number in range(int(first) + 1, int(last)):
            yield article_number(str(number), None)
    if last:
        yield article_number(last, last_branch)


def _named_last(text: str) -> str:
    names: list[str] = _QUOTED.findall(text)
    return names[-1] if names else ""


def _scope(found: re.Match[str], law: str) -> str:
    """The law that is named; short names are those of ``law`` and its decree."""
    act = found.group("law") or re.sub(r"\s?(시행령|시행규칙)$", "", law)
    is_decree = found.group("decree") or (found.group("short") or "").endswith(("영", "시행령"))
    return f"{act} 시행령" if is_decree else act


def place_references(text: str) -> Iterator[Reference]:
    """Sections, figures and tables that ``text`` names."""
    for found in _SECTIONS.finditer(text):
        number = found.group(1) or found.group(2) or found.group(3) + found.group(4)
        yield Reference(found.group(0).strip(), f"section {number}", found.start())
    heads = {found.start(1) for found in FIGURE_HEAD.finditer(text)}
    for found in _FIGURES.finditer(text):
        if found.start(1) not in heads:
            kind = _FIGURE_KIND[found.group(1).lower().strip("〈<")]
            yield Reference(found.group(0), f"{kind} {found.group(2)}", found.start())


def section_of_heading(heading: str) -> str | None:
    """``section 4.2`` for a heading that is numbered so."""
    found = SECTION_HEAD.match(heading)
    return f"section {found.group(1) or found.group(2) + found.group(3)}" if found else None


def figures_shown(text: str) -> Iterator[str]:
    """Figures and tables whose caption stands in ``text``."""
    for found in FIGURE_HEAD.finditer(text):
        yield f"{_FIGURE_KIND[found.group(1).lower()]} {found.group(2)}"
