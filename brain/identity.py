"""When are two names the same thing? A pure function of name and type, so that no order of arrival matters."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from brain.language import morphemes

_QUOTES = re.compile("[\"'`´‘’‚‛“”„‟«»‹›「」『』〈〉《》]")
_FORMAT = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u3164\u115f\u1160]")
_HANGUL_END = re.compile("[가-힣]$")
_ENGLISH_PLURAL = re.compile(r"(?<=[a-z]{3})(?<![su])s$")

# Names of one class may be the same thing, names of two never are. Small models waver between organisation,
# product and concept for one name, hardly ever between those and a person or a place.
_PERSON = frozenset({"person", "people", "human", "character", "사람", "인물", "개인"})
_PLACE = frozenset(
    {"place", "location", "city", "country", "region", "restaurant", "building", "facility", "address"}
    | {"장소", "지역", "위치", "도시", "국가", "나라", "식당", "음식점", "건물", "시설"}
)


def fold_name(name: str) -> str:
    """The name as compared: NFKC, case, quotes, blanks and invisible marks do not count.

    ``C``, ``C++`` and ``C#`` stay apart, as does everything else that differs in letters, digits or signs.
    """
    text = unicodedata.normalize("NFKC", _FORMAT.sub("", name)).casefold()
    text = unicodedata.normalize("NFKC", _QUOTES.sub("", text))
    return " ".join(text.split())


def without_particle(name: str) -> str:
    """A Korean name without the particle written onto it: 삼성전자는 -> 삼성전자.

    Only what the morphological reading of the whole name calls a particle after a noun is removed.
    """
    name = name.strip()
    if not _HANGUL_END.search(name):
        return name
    read = morphemes(name)
    end = len(read)
    while end > 1 and read[end - 1][1].startswith("J"):
        end -= 1
    if end == len(read) or not read[end - 1][1].startswith(("N", "SL", "SN", "SH", "XSN", "SW")):
        return name
    return name[: read[end - 1][3]].strip() or name


def type_class(entity_type: str) -> str:
    """``person``, ``place`` or ``thing``: the part of a type that keeps equal names apart."""
    folded = fold_name(entity_type)
    if folded in _PERSON:
        return "person"
    return "place" if folded in _PLACE else "thing"


def entity_key(name: str, entity_type: str) -> str:
    """32 hex digits; empty names have no key and raise ``ValueError``."""
    folded = _ENGLISH_PLURAL.sub("", fold_name(without_particle(name)))
    if not folded:
        raise ValueError("an entity needs a name")
    return _hash(folded, type_class(entity_type))


def fold_predicate(predicate: str) -> str:
    """Predicates compared: as names, with underscores as blanks."""
    return fold_name(predicate.replace("_", " "))


def relation_key(subject_key: str, predicate: str, object_key: str) -> str:
    return _hash(subject_key, fold_predicate(predicate), object_key)


def _hash(*parts: str) -> str:
    return hashlib.blake2b("\x1f".join(parts).encode(), digest_size=16).hexdigest()
