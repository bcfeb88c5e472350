"""Articles and sections that a question asks for by number, and the one file that it names does not have.

Told only of files whose own numbering was read and goes past a few: where heads are numbered otherwise ("Article XIV")
or not at all, the passages decide. A number that the file only mentions is not absent either.
"""

from __future__ import annotations

import re
from uuid import UUID

from brain.models import SourceText
from brain.references import ARTICLE_HEAD, article_number
from graphqa.question.plan import Plan

# So many heads make a numbering.
_FEWEST = 3
_ARTICLE = re.compile(r"제\s?(\d+)\s?조(?:의\s?(\d+))?")
_WORD = r"(?:sections?|articles?|clauses?|paragraphs?|chapters?|art\.|§{1,2})"
_SECTION = re.compile(rf"(?<![\w§]){_WORD}\s*(\d+)(?![\d.])", re.IGNORECASE)
_SECTION_HEAD = re.compile(rf"^[ \t#*]*(?:{_WORD}\s*)?(\d+)[.):]?[ \t*]+\S", re.IGNORECASE | re.MULTILINE)


def absent(plan: Plan) -> tuple[str, ...]:
    """What is asked for, as the person wrote it, if none of it is there."""
    if len(plan.named) != 1:
        return ()
    articles, sections = list(_ARTICLE.finditer(plan.wanted)), list(_SECTION.finditer(plan.wanted))
    if not articles and not sections:
        return ()
    text = SourceText.objects.filter(source=UUID(plan.named[0])).values_list("text", flat=True).first() or ""
    gone = not _any_article(articles, text) and not _any_section(sections, text)
    return tuple(dict.fromkeys(found[0] for found in [*articles, *sections])) if gone else ()


def _any_article(asked: list[re.Match[str]], text: str) -> bool:
    """Whether one of them may be there."""
    if not asked:
        return False
    heads = {article_number(*head.group(1, 2)) for head in ARTICLE_HEAD.finditer(text)}
    said = {article_number(*found.groups()) for found in _ARTICLE.finditer(text)}
    return len(heads) < _FEWEST or any(article_number(*each.groups()) in heads | said for each in asked)


def _any_section(asked: list[re.Match[str]], text: str) -> bool:
    if not asked:
        return False
    heads = {int(head[1]) for head in _SECTION_HEAD.finditer(text)}
    said = {int(found[1]) for found in _SECTION.finditer(text)}
    return len(heads) < _FEWEST or any(int(each[1]) in heads | said for each in asked)
