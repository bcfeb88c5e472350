"""What the sentence that would answer leaves to another article, which the documents do not hold.

"증권선물위원회는 제19조 각 호의 업무에 관한 처분을 취소할 수 있다" does not say which ones they are: who asks for the
업무 and has no 제19조 is told so, instead of hearing the sentence again as an answer. The model cannot be asked: over
Korean statutes it says yes to everything.

Of 23 two-step questions over statutes without the article that decides them 6 are refused, 3 in each half, and 1 of 60
whose article is there; with one to four words looked at on either side 1 to 7, and 0 to 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from uuid import UUID

from brain.language import morphemes
from brain.models import ChunkTerm
from brain.references import Reference, article_references
from graphqa.evidence.context import Context, Shown
from graphqa.language.sentences import sentences
from graphqa.language.values import HANGUL
from graphqa.language.wording import listed
from graphqa.question.plan import Plan
from graphqa.question.scope import Searched

# Korean puts what is asked for last, and what an article is named for right behind it.
_ASKED = 2
_NAMED = 2
_READ = 40
_NOUNS = ("NN", "SL", "XR")
_IDLE = listed(
    """무엇 누구 언제 어디 얼마 경우 때문 방법 이유 내용 정도 설명 법 법률 시행령 시행규칙 영 조 항 호 목 각 규정 구체
    대통령령 총리령 범위 해당 바 것 수 자 등 기준 제 이상 이하 어느 하나 전 후 본문 단서"""
)
_PLACE = re.compile(
    r"(?:제\s?\d+\s?(?:조|항|호|목)(?:의\s?\d+)?|[ㆍ·,\s]|및|또는|부터|까지|내지|각\s?호|[가-하]목|본문|단서|후단|전단"
    r"|같은 (?:조|항|호)|\([^)]*\)|「[^」]*」|에 따른|에 따라|에 의한|에 의하여|에서 정하는|에서 정한"
    r"|의 어느 하나에 해당하는|에 해당하는|의)*"
)
# Who asks for articles is answered by their numbers.
_ARTICLES = listed("조문 조항 법조항 근거")
# 법 제9조에서 “…”이란: the article is named for a word that is explained here.
_EXPLAINED = re.compile(r"(?:에서|에 따른|의)?\s?(?:각 호 외의 부분에서\s?)?[“\"'‘]")


def deferred(plan: Plan, context: Context, brain_id: UUID, within: Searched) -> tuple[str, ...]:
    """The articles that decide what is asked and are in no document that is searched, as the sentence names them."""
    if not HANGUL.search(plan.standalone):
        return ()
    named = list(_deciding(plan.standalone, context.passages))
    held = _held({each.key for each in named}, brain_id, within)
    return tuple(dict.fromkeys(each.label for each in named if each.key not in held))


def _deciding(question: str, shown: Sequence[Shown]) -> Iterator[Reference]:
    """Articles that the sentence nearest to the question names for what the question asks."""
    asked = set(_nouns(question)[-_ASKED:])
    if asked & _ARTICLES:
        return
    pairs = _pairs(question)
    said = [(each.evidence.title, each.text[start:end]) for each in shown for start, end in sentences(each.text)]
    title, nearest = max(said, key=lambda one: len(pairs & _pairs(one[1])), default=("", ""))
    for reference in article_references(nearest, title):
        behind = nearest[reference.start - 1 :]
        place = _PLACE.match(behind)
        rest = behind[place.end() if place else 0 :][:_READ]
        if not _EXPLAINED.match(rest) and asked & set(_nouns(rest)[:_NAMED]):
            yield reference


def _held(keys: set[str], brain_id: UUID, within: Searched) -> set[str]:
    about = ChunkTerm.objects.filter(brain=brain_id, about=True, term__in=keys).values_list("term", "chunk__source")
    return {term for term, source in about if str(source) in within.sources}


def _nouns(text: str) -> list[str]:
    return [form for form, tag, *_place in morphemes(text) if tag.startswith(_NOUNS) and form not in _IDLE]


def _pairs(text: str) -> set[str]:
    return {word[at : at + 2] for word in re.findall(r"\w+", text) for at in range(max(1, len(word) - 1))}
