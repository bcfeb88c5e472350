"""From what a person typed to what is searched."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_noop as _

from brain.errors import QuestionRefused
from brain.language import detect_language, morphemes
from brain.ports import LLM
from brain.references import article_references
from brain.terms import terms_of
from brain.text import clean_text, is_blank
from brain.values import CompletionRequest
from graphqa import prompts

_ASKING_WORDS = """what which who whom whose when where whi how mani much did do doe is are was were the a an of in on
to for and or by with at from it that this be has have had can could as about tell me name 무엇 언제 어디 누구 어떤 어떻
왜 얼마 하 있 되 이 그 것 수 알리 설명 주 어느 몇"""
#: Terms that ask and say nothing of what is asked about.
ASKING = frozenset(f"w:{word}" for word in _ASKING_WORDS.split())

# A question that leans on the one before: pronouns, "and what about", Korean demonstratives and bare connectives.
_LEANS = re.compile(
    r"^(?:and|but|so|then|what about|how about)\b|^(?:why|when|where|who|how much|how many)\s*\??$"
    r"|\b(?:it|its|they|them|their|he|him|his|she|her|this|that|these|those|there|former|latter|same)\b"
    r"|(?:^|\s)(?:그|이|저)(?:것|거|게|건|럼|럼요|러면|리고|런|분|들|사람|곳|때|중)|^(?:왜|언제|누가|어디|얼마|더|또)\b.{0,12}$"
    r"|(?:^|\s)(?:그는|그녀|그의|이는|거기|여기|앞의|위의|해당)",
    re.IGNORECASE,
)
# Asks of a whole document: no passage is near such words, and no passage states the answer.
_OVERVIEW = re.compile(
    r"\bsummar(?:y|i[sz]e)|\boverview\b|\bmain (?:points|ideas?|topics?)\b|\bkey (?:points|takeaways)\b"
    r"|\bwhat (?:is|are|'s) (?:this|these|the|it|my)\b.{0,40}\babout\b"
    r"|요약|간추려|정리해|(?:무슨|어떤) (?:내용|문서|자료|파일)|(?:무엇|뭐|뭘)에 (?:관한|대한)|핵심",
    re.IGNORECASE,
)
_REWRITE_TOKENS = 96


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question as it was searched, and its answer."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Plan:
    """``narrow`` words name things, ``broad`` ones say what is asked about them. ``rewritten`` says who made the
    standalone question out of history: "", "terms" or "model". ``place``: what the best passage is about, where little
    was found and it is searched once more; no word of the person's."""

    question: str
    standalone: str
    language: str
    narrow: tuple[str, ...]
    broad: tuple[str, ...]
    rewritten: str = ""
    place: str = ""

    @property
    def searched(self) -> str:
        """What passages are looked up with and compared with."""
        return f"{self.standalone} ({self.place})" if self.place else self.standalone


def normalise(question: str, *, limit: int) -> str:
    """The question as it is kept; ``QuestionRefused`` if it is blank or longer than ``limit`` characters."""
    text = clean_text(question).strip()
    if is_blank(text):
        raise QuestionRefused(_("The question is blank. Type what you want to know."))
    if all(unicodedata.category(sign)[0] in "PZC" for sign in text):
        raise QuestionRefused(_("The question has no words. Type what you want to know."))
    if len(text) > limit:
        raise QuestionRefused(
            _("The question is longer than %(limit)s characters. Shorten it, or upload long text as a document."),
            limit=limit,
        )
    return text


def make_plan(question: str, history: Sequence[Exchange] = (), *, llm: LLM | None = None) -> Plan:
    """``history`` oldest first. Without a model, a question that leans on it gets the terms of the one before."""
    language = detect_language(question) or "en"
    standalone, rewritten = question, ""
    if history and leans(question):
        standalone, rewritten = _standalone(question, history, language, llm)
    narrow = _narrow(standalone)
    return Plan(question, standalone, language, narrow, _broad(standalone, language, narrow), rewritten)


def leans(question: str) -> bool:
    """True if the question cannot be understood alone."""
    return len(question) <= 300 and bool(_LEANS.search(question))


def asks_for_overview(question: str) -> bool:
    """True if a whole document is asked about, not something in it."""
    return bool(_OVERVIEW.search(question))


def _standalone(question: str, history: Sequence[Exchange], language: str, llm: LLM | None) -> tuple[str, str]:
    last = history[-1]
    if llm is not None:
        request = CompletionRequest(prompts.rewrite(question, last, language), _REWRITE_TOKENS, stop=("\n",))
        text = " ".join(llm.complete(request).text.split()).strip("\"'“” ")
        if _is_question_about(text, question, last):
            return text, "model"
    missing = [term for term in _narrow(last.question) if term not in question.casefold()]
    return (f"{question} ({', '.join(missing[:6])})", "terms") if missing else (question, "")


def _is_question_about(text: str, question: str, last: Exchange) -> bool:
    """A rewrite may join what was said, and bring nothing else in."""
    if not 4 <= len(text) <= 2 * len(question) + 300:
        return False
    said = " ".join((question, last.question, last.answer)).casefold()
    return all(term in said for term in _narrow(text))


def _narrow(text: str) -> tuple[str, ...]:
    cited = [reference.label for reference in article_references(text, "")]
    return tuple(dict.fromkeys([*terms_of([text])[0], *cited]))


def _broad(text: str, language: str, narrow: Sequence[str]) -> tuple[str, ...]:
    """What is asked: verbs and adjectives in Korean, longer lower-case words in English."""
    if language == "ko":
        found = [form for form, tag, *_place in morphemes(text) if tag.startswith(("VV", "VA", "XR", "MAG"))]
    else:
        words = re.findall(r"[^\W\d_]{4,}", text)
        found = [word for word in words if unicodedata.normalize("NFKC", word).islower()]
    return tuple(dict.fromkeys(word for word in found if word not in narrow))
