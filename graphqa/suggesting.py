"""Questions worth asking of a brain that nobody has asked yet: from what its newest sources say, head and name, in the
language of the source. Nothing is asked about what every book holds: contents, prefaces, rights, references.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import zip_longest

from django.db.models import Count
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from brain import kinds
from brain.language import detect_language, without_file_ending
from brain.ledger.state import visible
from brain.models import Brain, Chunk, Mention, Relation, RelationMention, Source
from graphqa.language.sentences import sentences

MOST = 4
# How much is looked at: the page that shows them should open at once.
_SOURCES, _FACTS, _PLACES = 4, 60, 200
_LONGEST = 60
#: A section of fewer letters has nothing to ask about.
_SECTION = 40

_BOILERPLATE = re.compile(
    r"^(?:(?:table of )?contents|index|preface|foreword|acknowledge?ments?|copyright|legal notices?|disclaimer|imprint"
    r"|references|bibliography|notes?|footnotes|appendix|appendices|glossary|abstract|introduction|conclusions?|summary"
    r"|about (?:this|the) (?:document|book|author|guide|manual)|see also|further reading|external links|license"
    r"|list of (?:figures|tables)|(?:figure|table|chapter|section|part|page) *[\divx.]*|revision history|changelog"
    r"|목차|차례|머리말|서문|들어가며|저작권|법적 고지|판권|일러두기|참고 ?문헌|색인|찾아보기|부록|부칙|용어집"
    r"|서론|결론|요약|초록|개요|소개|각주|표 목차|그림 목차|개정 이력|변경 이력|제? ?\d+ ?(?:장|절|부|편|쪽|페이지))$",
    re.IGNORECASE,
)
_RIGHTS = re.compile(r"copyright|©|all rights reserved|\bISBN\b|저작권|무단 ?전재|펴낸 ?곳|발행처", re.IGNORECASE)
_NUMBERING = re.compile(r"^(?:(?:제?\d+(?:[.\-]\d+)*[.)]?(?:장|절|편|관)?|[IVX]+\.|[①-⑳])\s+)+")
_NO_NAME = re.compile(r"://|www\.|@|[\n\t<>{}\[\]|]")
_FILE_LIKE = re.compile(
    r"^(?:scan|img|dsc|doc|file|untitled|문서|스캔)?[\W_\d]*$|_|\S{30,}|[0-9a-f]{8,}", re.IGNORECASE
)
# A relation in the form of "the founder of"; others are sentences of their own kind: "was founded by", "needs".
_ROLE_OF = re.compile(r"(?!(?:is|was|are|were|has|have|had|be|can|to|in|of|at|on|by) )[a-z]+(?: [a-z]+){0,2}")
_VERB_END = re.compile(r"(?:[^su]s|ed|ing| by| to| in| of| for| with| from| on| at| as)$")
_ROLE = 12
_KOREAN_VERB = re.compile(r"(?:다|함|됨|하는|된|한)$")
_NO_HEADING = (".", ":", ",", ";", "다")
_PARTICLE = re.compile(r"([가-힣])([”\"')\]]*)(은|과)\((는|와)\)")


def suggestions(brain: Brain) -> list[str]:
    """At most ``MOST``, of different kinds and sources first."""
    newest = brain.sources.filter(visible(""), searchable_at__isnull=False).order_by("-created_at", "id")
    about_them: set[int] = set()
    asked = [_of(source, about_them) for source in newest[:_SOURCES]]
    about, sections, titles = (list(_in_turn(each[kind] for each in asked)) for kind in range(3))
    found = _in_turn([about[::2], sections, about[1::2], titles])
    return list(dict.fromkeys(found))[:MOST]


def _in_turn(columns: Iterable[Iterable[str]]) -> Iterator[str]:
    """The first of each, then the second of each."""
    for row in zip_longest(*columns):
        yield from (each for each in row if each)


def _of(source: Source, about_them: set[int]) -> tuple[list[str], list[str], list[str]]:
    """What can be asked about its facts (where it has none yet, about its names), its sections, and all of it. The
    entities of ``about_them`` are asked about already; those of its facts are added."""
    with override(source.language or get_language()):
        return _facts(source, about_them) or _names(source, about_them), _sections(source), _title(source)


def _facts(source: Source, about_them: set[int]) -> list[str]:
    """About different things and different relations of them: first what more than one passage says, a small model's
    mistakes stand in one; of these people in a role, then what most is said of."""
    language = source.language or "en"
    rows = (
        RelationMention.objects.filter(source=source, relation__isnull=False)
        .select_related("chunk", "relation__subject", "relation__object")
        .order_by("relation_id", "id")[:_FACTS]  # as the index has them
    )
    stated = [(row.relation, row.chunk) for row in rows if row.relation is not None]
    said = Counter(relation.subject_id for relation, _chunk in stated)
    backed = _said_more_than_once({relation.pk for relation, _chunk in stated})

    def rank(fact: tuple[Relation, Chunk]) -> tuple[bool, bool, bool, int, str]:
        relation = fact[0]
        role, person = _is_role(relation.predicate, language), kinds.same(relation.object.type, "person")
        return relation.pk not in backed, not role, not person, -said[relation.subject_id], relation.key

    found: list[str] = []
    predicates: set[str] = set()
    for relation, chunk in sorted(stated, key=rank):
        ends = {relation.subject_id, relation.object_id}
        if len(found) == MOST or about_them & ends or relation.predicate in predicates:
            continue
        if _is_worth(relation) and not _is_of_rights(relation, chunk):
            about_them |= ends
            predicates.add(relation.predicate)
            found.append(_fitted(_about(relation, language)))
    return found


def _said_more_than_once(relations: Collection[int]) -> set[int]:
    """Those that two passages state, of whatever source."""
    rows = RelationMention.objects.filter(visible(), relation__in=relations).order_by().values("relation")
    return set(rows.annotate(n=Count("chunk", distinct=True)).filter(n__gt=1).values_list("relation", flat=True))


def _is_of_rights(relation: Relation, chunk: Chunk) -> bool:
    """Said in a sentence about who holds the rights or printed it."""
    if not _RIGHTS.search(chunk.text):
        return False
    ends = (relation.subject.name, relation.object.name)
    told = (chunk.text[start:end] for start, end in sentences(chunk.text))
    return any(_RIGHTS.search(sentence) and all(name in sentence for name in ends) for sentence in told)


def _is_worth(relation: Relation) -> bool:
    one, other = relation.subject, relation.object
    return one.pk != other.pk and not kinds.same(one.type, "date") and _is_name(one.name) and _is_name(other.name, 1)


def _is_name(text: str, least: int = 2) -> bool:
    letters = sum(letter.isalpha() for letter in text)
    if not least <= letters <= len(text) <= _LONGEST or 2 * letters < len(text.replace(" ", "")):
        return False
    return not (_NO_NAME.search(text) or _BOILERPLATE.match(text.strip(" .:")) or _RIGHTS.search(text))


def _about(relation: Relation, language: str) -> str:
    predicate, given = relation.predicate, {"one": relation.subject.name, "other": relation.object.name}
    if not _is_role(predicate, language):
        return _("How are %(one)s and %(other)s connected?") % given
    given = {"relation": predicate, "name": relation.subject.name}
    if kinds.same(relation.object.type, "person"):
        return _("Who is the %(relation)s of %(name)s?") % given
    return _("What is the %(relation)s of %(name)s?") % given


def _is_role(predicate: str, language: str) -> bool:
    if detect_language(predicate) != language:
        return False
    if language == "ko":
        return len(predicate) <= _ROLE and not _KOREAN_VERB.search(predicate)
    return bool(_ROLE_OF.fullmatch(predicate)) and not _VERB_END.search(predicate)


def _names(source: Source, about_them: Collection[int]) -> list[str]:
    """The names that the source has most often."""
    rows = Mention.objects.filter(source=source).exclude(entity__in=about_them).order_by().values_list("entity__name")
    named = rows.annotate(n=Count("id")).order_by("-n", "entity__name").values_list("entity__name", flat=True)
    return [_("What do the documents say about %(name)s?") % {"name": name} for name in named[:10] if _is_name(name)]


def _sections(source: Source) -> list[str]:
    """By their headings, the longest first."""
    places = source.segments.order_by("ordinal").values_list("heading", "start", "end")
    letters: Counter[str] = Counter()
    for heading, start, end in places[:_PLACES]:
        parts = [_plain(part) for part in heading]
        # The first heading is the document's own name.
        if len(parts) > 1 and not any(_BOILERPLATE.match(part) for part in parts):
            letters[parts[-1]] += end - start
    found = [heading for heading, count in letters.most_common(_FACTS) if count >= _SECTION and _is_name(heading)]
    return [_of_section(heading) for heading in found if not heading.endswith(_NO_HEADING)][:MOST]


def _of_section(heading: str) -> str:
    """A heading that asks is the question."""
    if heading.endswith("?"):
        return heading
    return _("What do the documents say about %(name)s?") % {"name": f"“{heading}”"}


def _plain(heading: str) -> str:
    return _NUMBERING.sub("", heading.strip()).strip()


def _title(source: Source) -> list[str]:
    title = without_file_ending(source.title)
    if not _is_name(title) or _FILE_LIKE.search(title):
        return []
    return [_fitted(_("What are the main points of “%(title)s”?") % {"title": title})]


def _fitted(question: str) -> str:
    """``은(는)`` and ``과(와)`` as the letter before them has it."""
    return _PARTICLE.sub(_particle, question)


def _particle(found: re.Match[str]) -> str:
    closed = (ord(found[1]) - ord("가")) % 28 > 0
    return found[1] + found[2] + (found[3] if closed else found[4])
