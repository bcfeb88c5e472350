"""From what a person typed to what is searched."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext_noop as _

from brain.errors import QuestionRefused
from brain.language import detect_language, morphemes
from brain.ports import LLM
from brain.references import article_references
from brain.terms import terms_of
from brain.text import clean_text, is_blank
from brain.values import CompletionRequest
from graphqa import prompts
from graphqa.language.values import HANGUL
from graphqa.language.wording import IDLE_KOREAN, carrying, listed
from graphqa.question.named import FILE_ENDING, Named, may_name_files, named_files, unknown_files
from graphqa.question.overview import asks_for_anything, asks_for_overview, names_no_matter, without_comparing

# A question that leans on the one before: pronouns, "and what about", Korean demonstratives and bare connectives.
_LEANS = re.compile(
    r"^(?:and|but|so|then|what about|how about)\b|^(?:why|when|where|who|how much|how many)\s*\??$"
    r"|\b(?:it|its|they|them|their|he|him|his|she|her|this|that|these|those|there|former|latter|same)\b"
    r"|(?:^|\s)(?:그|이|저)(?:것|거|게|건|럼|럼요|러면|리고|런|분|들|사람|곳|때|중)|^(?:왜|언제|누가|어디|얼마|더|또)\b.{0,12}$"
    r"|(?:^|\s)(?:그|이|저|그런|이런)\s(?=[가-힣])|[가-힣][은는]요\s*\?*$"
    r"|(?:^|\s)(?:그는|그녀|그의|이는|거기|여기|앞의|위의|해당)",
    re.IGNORECASE,
)
_ENGLISH_ASKING = listed(
    "what which who whom whose when where why how is are was were do does did the of summarise summarize tell"
)
# Verbs and endings: an English question that names a Korean thing has none.
_KOREAN_SENTENCE = ("E", "VV", "VA", "VX", "VC", "XSV", "XSA")
_REWRITE_TOKENS = 96


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question as it was searched, and its answer."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Plan:
    """``narrow`` words name things, ``broad`` ones say what is asked about them. ``rewritten`` says who made the
    standalone question out of history: "", "terms" or "model". ``wanted`` is what passages are searched for: the
    standalone question without the files it names, which are the sources ``named``, or those ``without`` which it is to
    be answered. ``place``: what the best passage is about, where little was found and it is searched once more; no word
    of the person's. ``unknown``: files that there are not, where nothing else is asked about."""

    question: str
    standalone: str
    language: str
    narrow: tuple[str, ...]
    broad: tuple[str, ...]
    wanted: str
    rewritten: str = ""
    named: tuple[str, ...] = ()
    place: str = ""
    without: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def searched(self) -> str:
        """What passages are looked up with and compared with."""
        return f"{self.wanted} ({self.place})" if self.place else self.wanted

    @property
    def is_overview(self) -> bool:
        """True if whole documents are asked about, or their gist."""
        return asks_for_overview(self.wanted) or self._is_of_all_in_files

    @property
    def is_of_the_whole(self) -> bool:
        """True if nothing is asked about that is in them."""
        return self._is_of_all_in_files or (asks_for_overview(self.wanted) and names_no_matter(self.wanted))

    @property
    def _is_of_all_in_files(self) -> bool:
        return bool(self.named or self.without) and asks_for_anything(self.wanted)

    def with_place(self, place: str) -> Plan:
        """The same question in other words: with what a passage is about."""
        wider = replace(self, place=place)
        narrow = _narrow(wider.searched)
        return replace(wider, narrow=narrow, broad=_broad(wider.searched, self.language, narrow))

    def translated(self, text: str, language: str) -> Plan:
        """The same question in another language. The files it names stay."""
        narrow = _narrow(text)
        broad = _broad(text, language, narrow)
        return replace(
            self, standalone=text, wanted=text, language=language, narrow=narrow, broad=broad, rewritten="", place=""
        )


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


def make_plan(
    question: str,
    history: Sequence[Exchange] = (),
    *,
    llm: LLM | None = None,
    titles: Callable[[], Mapping[str, str]] = dict,
) -> Plan:
    """``history`` oldest first. Without a model, a question that leans on it gets the terms of the one before.
    ``titles``: of the sources that may be named, by id; asked for if one may be."""
    standalone, rewritten = question, ""
    if history and leans(question):
        standalone, rewritten = _standalone(question, history, question_language(question), llm)
    named = named_files(standalone, titles()) if may_name_files(standalone) else Named((), standalone)
    language = question_language(named.rest) if named.rest else question_language(question)
    sources = named.sources
    several = bool(sources) and len(sources) + len(named.without) > 1
    wanted = without_comparing(named.rest) if several else named.rest
    narrow = _narrow(wanted)
    broad = _broad(wanted, language, narrow)
    unknown = () if sources or named.without else unknown_files(standalone)
    without = named.without
    return Plan(
        question, standalone, language, narrow, broad, wanted, rewritten, sources, without=without, unknown=unknown
    )


def question_language(text: str) -> str:
    """Of the person who asks, whatever language the things are in that are asked about."""
    english = any(word in _ENGLISH_ASKING for word in re.findall(r"[a-z']+", text.casefold()))
    if not HANGUL.search(text):
        return "en"
    tags = [tag for _form, tag, *_place in morphemes(text)]
    if any(tag.startswith(_KOREAN_SENTENCE) for tag in tags):
        return "ko"
    return "en" if english else "ko" if any(tag.startswith("J") for tag in tags) else detect_language(text) or "en"


def leans(question: str) -> bool:
    """True if the question cannot be understood alone."""
    return len(question) <= 300 and bool(_LEANS.search(question))


def _standalone(question: str, history: Sequence[Exchange], language: str, llm: LLM | None) -> tuple[str, str]:
    last = history[-1]
    if llm is not None:
        request = CompletionRequest(prompts.rewrite(question, last, language), _REWRITE_TOKENS, stop=("\n",))
        text = " ".join(llm.complete(request).text.split()).strip("\"'“” ")
        if _is_question_about(text, question, last):
            return text, "model"
    asked = question.casefold()
    missing = [name for name in carrying(FILE_ENDING.sub("", last.question)) if name.casefold() not in asked]
    return (f"{question} ({', '.join(missing[:6])})", "terms") if missing else (question, "")


def _is_question_about(text: str, question: str, last: Exchange) -> bool:
    """A rewrite may join what was said, and bring nothing else in but a word that asks."""
    if not 4 <= len(text) <= 2 * len(question) + 300:
        return False
    said = " ".join((question, last.question, last.answer)).casefold()
    return all(term in said or term in IDLE_KOREAN for term in _narrow(text))


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
