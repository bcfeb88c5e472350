"""Questions about a whole document: no passage is near such words, and no passage states the answer."""

from __future__ import annotations

import re

from graphqa.language.wording import content, listed

_OVERVIEW = re.compile(
    r"\bsummar(?:y|i[sz]e)|\boverview\b|\bmain (?:points|ideas?|topics?)\b|\bkey (?:points|takeaways)\b"
    r"|\bwhat (?:is|are|'s) (?:this|these|the|it|my)\b.{0,40}\babout\b"
    r"|요약|간추려|정리해|(?:무슨|어떤) (?:내용|문서|자료|파일)|(?:무엇|뭐|뭘)에 (?:관한|대한)|핵심",
    re.IGNORECASE,
)
# What is asked of files that are named together, and is in none of them.
_COMPARING = re.compile(
    r"\b(?:differences?|differ|compar(?:e|es|ed|ing|isons?)|contrast|similarit(?:y|ies)|in common)\b"
    r"|\b(?:between|both|versus|vs)\b"
    r"|(?:차이점?|공통점|다른\s?점|비교(?:해서|하면|하여|해|하고)?)(?:은|는|이|가|을|를|의)?",
    re.IGNORECASE,
)
# What is to be made of the document, how long and in which language.
_FORM = frozenset(
    f"w:{stem}"
    for stem in listed(
        """summari summaris summar overview main point key idea topic takeaway document file text content
        pdf brief briefli short sentenc line word pleas give write make describ explain say state
        mention contain includ everyth whole entir all english korean sum up it me you show 1 2 3 4 5
        one two three four five 요약 문서 자료 파일 내용 핵심 정리 간추리
        전체 간단 간단히 간략 간략히 짧 짧게 문장 줄 줄이 부탁
        좀 보이 주요 한국어 영어 말 쓰 대하 관하 글 나오 언급 포함 하나 한 두 세"""
    )
)


def asks_for_overview(question: str) -> bool:
    """True if a whole document is asked about, or at least its gist."""
    return bool(_OVERVIEW.search(question))


def names_no_matter(question: str) -> bool:
    """True if it says at most in which form a document is to be told, and nothing that is in it."""
    return content(question) <= _FORM


def without_comparing(question: str) -> str:
    """What is left to look up where named files are compared: "the rents" of "the differences between the rents"."""
    return " ".join(_COMPARING.sub(" ", question).split())
