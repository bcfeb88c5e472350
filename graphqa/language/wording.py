"""The words of a question: what they say, and how the person wrote them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from brain.language import morphemes, terms
from graphqa.language.values import HANGUL

_ASKING_WORDS = """what which who whom whose when where whi how mani much did do doe is are was were the a an of in on
to for and or by with at from it that this be has have had can could as about tell me name 무엇 언제 어디 누구 어떤 어떻
왜 얼마 하 있 되 이 그 것 수 알리 설명 주 어느 몇"""
#: Terms that ask and say nothing of what is asked about.
ASKING = frozenset(f"w:{word}" for word in _ASKING_WORDS.split())

_WORD = re.compile(r"[^\W_]+(?:[.\-+#&'’][^\W_]+)*[+#]*")
_PARTICLE = re.compile("[가-힣]+$")


def listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: Korean words that name something and stand without their particle: nouns, foreign words, numbers.
_NAMING = ("NN", "NR", "SL", "SN", "SH", "W_SERIAL")
# Nouns that ask, or speak of the documents and not of what is in them.
IDLE_KOREAN = listed(
    """문서 자료 파일 내용 이유 까닭 설명 관련 질문 답 답변 대답 말 얼마 정도 경우 때문 방법 다음 이번 그동안 요약 정리
    핵심 무엇 어디 누구 언제 며칠 무시 제외 참고 참조 조항 조문 항목 부분 나머지"""
)
# What a question is built with: it says nothing of what the question is about. English verbs that are as often
# nouns (cost, design, support) are not among them.
_IDLE_ENGLISH = frozenset(
    terms(
        """about above across after again against ago all also although always am among an and another any anybody
        anyone anything are around as ask at away be became because become been before began begin being believe
        below best better between both bring brought but buy bought by call came can cannot carry caused choose chose
        come consider contain could decide describe did do does doing done down during each either else enough even
        ever every everyone everything exactly exist explain far feel few find first for from gave get give given go
        goes going gone got had happen has have having he hear heard held her here hers him his hold how however i if
        in include into is it its itself just keep kept kind know known knew last later learn least leave led left let
        like list long look made make many may me mean meant mention might mine more most much must my near need never
        next no nobody none nor not nothing now obtain occur of off often on once one only or other our ours out over
        own perhaps please possible provide put quite rather really receive refer remain require said same saw say see
        seem seen sell send sent shall she should show shown since so sold some somebody someone something soon
        speak spoke still such summarise summarize sort take taken taught teach tell than that the their them then
        there these they thing think this those though thought through till to together told too took toward try
        under understand until up upon us use used using usually very visit want was way we went were what
        whatever when where whether which while who whole whom whose why will with within without would write written
        wrote yes yet you your yours document file source text passage question answer main point overview
        according accordingly except excepting excluding besides apart disregard disregarding ignore ignoring omit
        omitting please skip skipping clause section provision article paragraph pdf txt doc docx hwp hwpx md csv xlsx
        pptx"""
    )
)
_AUXILIARY = listed("did do does can could will would shall should may might must has have had")


def told_by(word: str) -> str:
    """The stem of an English word that says something; nothing for one that a sentence is built with."""
    stems = terms(word).keys()
    return "" if stems <= _IDLE_ENGLISH else max(stems, key=len).removeprefix("w:")


def content(text: str) -> frozenset[str]:
    """Words that say something: stems, or Korean morphemes, as ``w:`` terms."""
    return frozenset(content_in_order(text))


def content_in_order(text: str) -> tuple[str, ...]:
    """The same as they first stand, those of each script by themselves."""
    return tuple(term for term in terms(text) if term.startswith("w:") and term not in ASKING)


#: Words for what a document consists of: they say where to look, and stand in few passages themselves.
_PARTS = frozenset(
    terms(
        """clause section provision article paragraph passage part item page file document text say mention contain
        according"""
    )
) | frozenset(f"w:{word}" for word in listed("관련 조항 조문 규정 항목 부분 대목 문구 내용 파일 문서 자료 나머지"))
_ARTICLE = re.compile(r"제\s?(\d+)\s?조(?:\s?의\s?(\d+))?")
# With its particle, which reads otherwise alone.
_CITED = re.compile(rf"{_ARTICLE.pattern}[가-힣]*")
_ARTICLE_HEAD = re.compile(r"(?im)^\W*(\d+)\s?(?:조\b|[.)]\s)|(?:\b(?:article|section|clause)|§)\s*(\d+)")


def matter(question: str, held: frozenset[str]) -> frozenset[str]:
    """What a passage must hold to be about the question: an article by its number, a clause by what it is about. An
    article that no passage at hand holds may be in another, and counts by its words."""
    if articles := _articles_named(question) & held:
        return (content(_CITED.sub(" ", question)) - _PARTS) | articles
    said = content(question)
    return (said - _PARTS) or said


def _articles_named(text: str) -> frozenset[str]:
    """``제5조``, ``제5조의2``, however they are spaced: their digits alone are no terms."""
    return frozenset(_article(number, branch) for number, branch in _ARTICLE.findall(text))


def articles_held(text: str) -> frozenset[str]:
    """Those too that are numbered otherwise: ``5조``, ``Article 5``, ``5.`` at the start of a line."""
    heads = (number for found in _ARTICLE_HEAD.findall(text) for number in found if number)
    return _articles_named(text) | {_article(number, "") for number in heads}


def _article(number: str, branch: str) -> str:
    return f"제{int(number)}조" + (f"의{int(branch)}" if branch else "")


def carrying(question: str) -> list[str]:
    """The names and nouns that a question is about, as they were typed."""
    text = question.replace("_", " ")
    return with_names_whole(text, as_typed(text, content(text)))


def as_typed(question: str, missing: frozenset[str]) -> tuple[str, ...]:
    """The words that ``question`` is about whose terms are all ``missing``, as they were typed, in their order."""
    text = unicodedata.normalize("NFKC", question)
    found = [(start, word) for start, word in _english(text) if (said := content(word)) and said <= missing]
    if HANGUL.search(text):
        found += _korean(text, missing)
    return tuple(dict.fromkeys(word for _start, word in sorted(found)))


def with_names_whole(question: str, words: Sequence[str]) -> list[str]:
    """``Mira`` and ``Cho`` as one, and the parts of a Korean compound, where they stand so in the question."""
    text = unicodedata.normalize("NFKC", question)
    whole: list[str] = []
    for word in words:
        if whole and (joined := _joined(whole[-1], word)) and joined in text:
            whole[-1] = joined
        else:
            whole.append(word)
    return whole


def _joined(one: str, two: str) -> str:
    if HANGUL.search(one) and HANGUL.search(two):
        return one + two
    return f"{one} {two}" if one.rpartition(" ")[2][:1].isupper() and two[:1].isupper() else ""


def _english(text: str) -> list[tuple[int, str]]:
    """Where words stand that carry the question: names, and whatever is neither idle nor its verb."""
    found, before, asked = [], "", False
    for place, match in enumerate(_WORD.finditer(text)):
        word = _PARTICLE.sub("", match.group())
        if _carries(word, before, asked, first=not place):
            found.append((match.start(), word))
        asked = asked or word.casefold() in _AUXILIARY
        before = word
    return found


def _carries(word: str, before: str, asked: bool, *, first: bool) -> bool:
    if not word or HANGUL.search(word) or word == "I":
        return False
    if not first and any(letter.isupper() or letter.isdigit() for letter in word):
        return True
    return not (_is_verb(word, before, asked) or terms(word).keys() <= _IDLE_ENGLISH)


def _is_verb(word: str, before: str, asked: bool) -> bool:
    """``founded``; ``built`` in "who built it"; ``found`` in "did Mira Cho found it"."""
    if word.endswith("ed") and not word.endswith("eed"):
        return True
    return before.casefold() == "who" or (asked and before[:1].isupper() and before.casefold() not in _AUXILIARY)


def _korean(text: str, missing: frozenset[str]) -> list[tuple[int, str]]:
    """Missing nouns without their particles."""
    folded = text.casefold()
    shown = text if len(text) == len(folded) else folded
    return [
        (start, shown[start:end])
        for form, tag, start, end in morphemes(folded)
        if f"w:{form}" in missing and HANGUL.search(form) and tag.startswith(_NAMING) and form not in IDLE_KOREAN
    ]
