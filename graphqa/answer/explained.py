"""How an answer came about, in words a person can follow: from the details kept with a message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from brain.ledger.state import visible
from brain.models import Entity, Mention, Message, Source
from graphqa.answer.refusals import words
from graphqa.answer.sides import contradictions, sources_of
from graphqa.retrieval import tuning

_SHOWN_ENTITIES = 20


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened; ``entities`` are (key, name) pairs to look at in the graph."""

    name: str
    text: str = ""
    entities: tuple[tuple[str, str], ...] = ()


def explain(message: Message, details: Mapping[str, Any]) -> list[Line]:
    """Lines in the order of work; what the details do not hold is left out."""
    lines = [
        Line(_("Files named in the question"), _files(message, details.get("named"))),
        Line(_("Files left out, as the question says"), _files(message, details.get("without"))),
        Line(_("Searched in the other language as"), translated_question(details)),
        Line(_("Words searched for"), words(details.get("narrow"))),
        Line(_("Wider words"), words(details.get("broad"))),
        *_looks(details),
        Line(_("Found nothing about"), words(details.get("gap"))),
        Line(_("Entities"), entities=_entities(message, details.get("entities"))),
        Line(_("Contradictions"), _contradictions(message, details)),
        Line(_("Passages given to the model"), _given(details)),
        Line(_("Does the model find the answer in them?"), _reading(details.get("reading"))),
        *(_call(call) for call in details.get("calls", ()) if isinstance(call, Mapping)),
        Line(_("Time"), _time(details.get("seconds"))),
    ]
    return [line for line in lines if line.text or line.entities]


def translated_question(details: Mapping[str, Any]) -> str:
    """The question in the other language of the documents, if it was searched in that too."""
    told = details.get("translated")
    return str(told.get("question", "")) if isinstance(told, Mapping) else ""


def _looks(details: Mapping[str, Any]) -> list[Line]:
    """What each look at the documents found, and why there was a second."""
    verdict, before = str(details.get("verdict", "")), [str(each) for each in details.get("attempts") or ()]
    if not before:
        return [Line(_("Found in the first look"), _verdict(verdict))]
    return [
        Line(_("Found in the first look"), _verdict(before[0])),
        Line(_("So it was searched again"), _searched_again(before[0])),
        Line(_("Found in the second look"), _verdict(verdict)),
    ]


def _searched_again(verdict: str) -> str:
    return {"fragmented": _("for more passages"), "weak": _("in other words")}.get(verdict, "")


def _verdict(word: str) -> str:
    """What the assessment of the evidence says."""
    return {
        "sufficient": _("enough to answer"),
        "fragmented": _("pieces of an answer"),
        "weak": _("little"),
        "contradictory": _("sources that disagree"),
        "missing": _("nothing that answers"),
    }.get(word, "")


def reason(word: str) -> str:
    """Why a passage was found."""
    return {
        tuning.DENSE: _("meaning"),
        tuning.LEXICAL: _("words"),
        tuning.BIGRAMS: _("parts of words"),
        tuning.ENTITIES: _("an entity"),
        tuning.RELATIONS: _("a relation"),
        tuning.WALK: _("the graph"),
        tuning.SPREAD: _("spread over the file"),
        "graph": _("the graph"),
    }.get(word, word)


def fault(word: str) -> str:
    """Why a sentence of the answer is not held."""
    return {
        "uncited": _("a sentence names no source"),
        "number": _("a number is not in the cited passage"),
        "name": _("a name is not in the cited passage"),
        "script": _("a word is in a script that the cited passage does not use"),
        "apart": _("the cited passage does not say these things together"),
        "meaning": _("the cited passage says something else"),
    }.get(word, "")


def _files(message: Message, ids: object) -> str:
    if not isinstance(ids, list) or not ids:
        return ""
    titles = _titles(message, ids)
    return words([titles[id] for id in ids if id in titles])


def _titles(message: Message, ids: Iterable[object]) -> dict[str, str]:
    """Read now, as entities are."""
    rows = Source.objects.filter(visible(""), brain=message.conversation.brain_id, pk__in=[str(id) for id in ids])
    return {str(id): title for id, title in rows.values_list("pk", "title")}


def _entities(message: Message, keys: object) -> tuple[tuple[str, str], ...]:
    """Names are read now: what only a source in the trash or deleted named is not shown."""
    if not isinstance(keys, list):
        return ()
    rows = Entity.objects.filter(brain=message.conversation.brain_id, key__in=[str(key) for key in keys])
    named = rows.filter(Exists(Mention.objects.filter(visible(), entity=OuterRef("pk"))))
    names = dict(named.values_list("key", "name"))
    return tuple((str(key), names[key]) for key in keys[:_SHOWN_ENTITIES] if key in names)


def _contradictions(message: Message, details: Mapping[str, Any]) -> str:
    found = [(sources_of(each), str(each.get("resolved_by"))) for each in contradictions(details)]
    titles = _titles(message, {id for sources, _by in found for id in sources}) if found else {}
    forms = {
        "date": _("%(first)s goes before %(second)s: it is newer"),
        "authority": _("%(first)s goes before %(second)s: it is more authoritative"),
    }
    neither = _("%(first)s and %(second)s: neither goes first")
    said = [
        forms.get(by, neither) % {"first": titles[first], "second": titles[second]}
        for (first, second), by in found
        if first in titles and second in titles
    ]
    return "; ".join(said)


def _given(details: Mapping[str, Any]) -> str:
    if "shown" not in details:
        return ""
    return _("%(n)s (%(tokens)s tokens)") % {"n": details["shown"], "tokens": details.get("context_tokens", 0)}


def _reading(reading: object) -> str:
    if not isinstance(reading, Mapping):
        return ""
    said = _("yes") if reading.get("answered") else _("no")
    return _("%(said)s (%(share)s%% of its weight on yes)") % {
        "said": said,
        "share": round(100 * float(reading.get("yes", 0))),
    }


def _call(call: Mapping[str, Any]) -> Line:
    said = _("%(prompt)s tokens read, %(written)s written, %(seconds)s s") % {
        "prompt": call.get("prompt_tokens", 0),
        "written": call.get("completion_tokens", 0),
        "seconds": call.get("seconds", 0),
    }
    faults = [fault(str(word)) for word in dict.fromkeys(call.get("faults", ()))]
    stopped = [_("it repeated itself and was stopped")] if call.get("repeating") else []
    return Line(str(call.get("model", "")), "; ".join([said, *stopped, *(each for each in faults if each)]))


def _time(seconds: object) -> str:
    if not isinstance(seconds, Mapping):
        return ""
    sources = _("sources after %(n)s s") % {"n": seconds["sources"]} if "sources" in seconds else ""
    all_of_it = _("answer after %(n)s s") % {"n": seconds["all"]} if "all" in seconds else ""
    return ", ".join(part for part in (sources, all_of_it) if part)
