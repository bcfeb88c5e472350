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
    r"|\b(?:between|both|versus|vs|than|each other|one another)\b|\b(?:what|who|that)['’]s\b"
    r"|\b(?:dis)?agree(?:s|d|ing|ments?)?\b|\bcontradict(?:s|ed|ing|ions?|ory)?\b|\bconflict(?:s|ed|ing)?\b"
    r"|\b(?:in)?consisten(?:t|tly|cy|cies)\b|\bmatch(?:es|ed|ing)?\b|\bchang(?:e|es|ed|ing)\b|\bdifferent(?:ly)?\b"
    r"|\b(?:new|newer|newly|added|dropped|removed|unique|same|identical|alike|similar|overlap(?:s|ping)?)\b"
    r"|(?:모순|상충|충돌|불일치|일치|어긋나|어긋난)[가-힣]*|(?<![가-힣])(?:서로|사이에?|사이의)(?![가-힣])"
    r"|(?<![가-힣])(?:다른(?:가요|가|지|데|점)?|다릅니까|다르(?:나요|게|고|다)|달라(?:진|졌[가-힣]*|지[가-힣]*)|바뀐|바뀌[가-힣]*"
    r"|바뀌었[가-힣]*|변경된|추가된|삭제된|빠진|새로|새로운|생긴|같은(?:가요|지|점)?|동일[가-힣]*)(?![가-힣])(?:\s?(?:점|사항)[가-힣]*)?"
    r"|변경\s?사항[가-힣]*|(?:차이점?|공통점|다른\s?점|비교(?:해서|하면|하여|해|하고)?)(?:은|는|이|가|을|를|의)?",
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
# What may be in any file, where it is asked of a file that is named: "Which facts are only in b.txt?"
_ANYTHING = _FORM | frozenset(
    f"w:{stem}"
    for stem in listed(
        """fact thing anyth someth there but not onli detail inform statement claus section provis part articl item
        passag exist appear hold also s 것 점 사실 사항 정보 조항 조문 규정 항목 부분
        만 오직 둘 양쪽 각각 모두 무엇 대한"""
    )
)


def asks_for_overview(question: str) -> bool:
    """True if a whole document is asked about, or at least its gist."""
    return bool(_OVERVIEW.search(question))


def names_no_matter(question: str) -> bool:
    """True if it says at most in which form a document is to be told, and nothing that is in it."""
    return content(question) <= _FORM


def asks_for_anything(question: str) -> bool:
    """True if of files that are named it asks for nothing but what is in them."""
    return content(question) <= _ANYTHING


def without_comparing(question: str) -> str:
    """What is left to look up where named files are compared: "the rents" of "the differences between the rents"."""
    return " ".join(_COMPARING.sub(" ", question).split())
