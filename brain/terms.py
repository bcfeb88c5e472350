"""The names and terms in a text, found without a model: what passages and questions have in common.

English: capitalised spans. Korean: nouns and compound nouns by morphology, and foreign words written in Latin
letters. Terms are folded (``brain.identity.fold_name``), without a leading article, at most ``LONGEST`` long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from brain.identity import fold_name
from brain.language import morphemes_of

LONGEST = 200
# A passage of 1,000 characters names 20-60; tables and lists of names would otherwise fill the ledger.
MOST = 150

_TOKEN = re.compile(r"[^\W_]+(?:[.'’\-/&+][^\W_]+)*[+#]*\.?|[,;:()\"“”!?]|\n")
_WORD_START = re.compile(r"[^\W_]")
_ABBREVIATION = re.compile(r"\b([^\W_]{1,5})\.(?=\s|,|$)")
_HANGUL = re.compile("[가-힣]")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)$")
#: Written onto a foreign name, which it ends: "Corvane Observatory는 Elise Tamm이" names two.
_PARTICLE = re.compile(r"(?<=[A-Za-z0-9])[가-힣]+$")
_PARENTHESIS = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_NUMBERING = re.compile(r"^(?:(?:제?\d+(?:\.\d+)*[.)장절편관조]?|[IVX]+\.|[가-하]\.|[①-⑳])\s*)+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Lower-case words that stand inside names: "Muhammad bin Saud", "Bank of England".
_INSIDE = _words(
    """of the and de la le les du da di del des der den von van zu al el bin ibn ben bint y e for in on at to with
    a &"""
)
_ARTICLES = ("the ", "a ", "an ")
# Capitalised for standing first in a sentence, not for naming something.
_COMMON = _words(
    """the a an this that these those he she it they we you i his her its their our my your there here in on at by
    for from to of with as and or but nor so if when while after before during since until although though because
    however also then thus is was are were be been has have had do does did not no yes who whom whose which what
    where why how both each every some any all most many much more other another such one two three first second
    new see note figure table section chapter page according among between under over about into through against
    within without despite once upon like unlike later earlier meanwhile moreover furthermore therefore
    additionally instead finally using used can may might must should would will shall let please name"""
)
_SURROUND = frozenset(',;:()"“”!?\n')


def plain_name(name: str) -> str:
    """A title or heading as a term: folded, without numbering and leading article."""
    folded = _ABBREVIATION.sub(r"\1", fold_name(_NUMBERING.sub("", name.strip()) or name))
    for article in _ARTICLES:
        if folded.startswith(article) and len(folded) > len(article) + 1:
            folded = folded.removeprefix(article)
    return folded[:LONGEST].strip()


def name_variants(name: str) -> tuple[str, ...]:
    """The name, and the name without what parentheses add to it: ``Lover Come Back (1961 film)``."""
    variants = (plain_name(name), plain_name(_PARENTHESIS.sub("", name)))
    return tuple(dict.fromkeys(variant for variant in variants if variant))


def terms_of(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """The terms of each text, in the order they first stand there, each once."""
    korean = [index for index, text in enumerate(texts) if _HANGUL.search(text)]
    read = dict(zip(korean, morphemes_of([texts[index] for index in korean]), strict=True)) if korean else {}
    found = []
    for index, text in enumerate(texts):
        names = dict.fromkeys(capitalised(text))
        if index in read:
            names.update(dict.fromkeys(_korean(text, read[index])))
        found.append(tuple(names)[:MOST])
    return found


def capitalised(text: str) -> Iterator[str]:
    """Capitalised spans: the longest, its parts between connecting words, and "City, State" pairs."""
    for phrase in _phrases(text):
        for start, end in _spans(phrase):
            words = phrase[start:end]
            yield from _named(words)
            if any(word in _INSIDE for word in words):
                yield from _parts(words)
    yield from _pairs(text)


def _phrases(text: str) -> Iterator[list[str]]:
    """Runs of words without punctuation between them."""
    run: list[str] = []
    for token in _TOKEN.findall(text):
        if token in _SURROUND:
            yield run
            run = []
            continue
        # A final dot ends a sentence unless it ends an initial ("G. V. H. Prasad") or a short title ("Dr.").
        word = token.rstrip(".")
        name = _PARTICLE.sub("", word)
        run.append(_without_possessive(name))
        if name != word or (token.endswith(".") and not (len(word) <= 3 and word[:1].isupper())):
            yield run
            run = []
    yield run


def _without_possessive(word: str) -> str:
    return word[:-2] if word.endswith(("'s", "’s")) else word


def _is_name(word: str) -> bool:
    return word[:1].isupper() or (len(word) > 2 and any(c.isupper() for c in word[1:]))


def _spans(words: list[str]) -> Iterator[tuple[int, int]]:
    """Where capitalised words follow each other, at most two connecting words between them."""
    start = end = -1
    for index, word in enumerate(words):
        if _is_name(word) or (end == index and word.isdigit() and start >= 0):
            if start < 0:
                start = index
            end = index + 1
        elif start >= 0 and not (word in _INSIDE and index - end < 2):
            yield start, end
            start = end = -1
    if start >= 0:
        yield start, end


def _named(words: Sequence[str]) -> Iterator[str]:
    while words and words[0].lower() in _COMMON:
        words = words[1:]
    if not words or len(words) > 12 or (len(words) == 1 and (len(words[0]) < 2 or words[0].isdigit())):
        return
    if _HANGUL.search(words[0]) and len(words) == 1:
        return
    if name := plain_name(" ".join(words)):
        yield name


def _parts(words: Sequence[str]) -> Iterator[str]:
    part: list[str] = []
    for word in [*words, "of"]:
        if word in _INSIDE:
            if part:
                yield from _named(part)
            part = []
        else:
            part.append(word)


_PAIR = re.compile(
    r"((?:[A-Z][\w'’.\-]*(?: (?:of|de|la|and|the) )? ?){1,4}), "
    r"((?:\d+(?:st|nd|rd|th) )?[A-Z][\w'’\-]*(?: (?:of )?[A-Z][\w'’\-]*){0,3})"
)


def _pairs(text: str) -> Iterator[str]:
    """``Taizhou, Jiangsu``; ``Edward Stanley, 3rd Earl of Derby``."""
    for found in _PAIR.finditer(text):
        yield plain_name(f"{found.group(1).strip()}, {found.group(2).strip()}")


def _korean(text: str, read: Sequence[tuple[str, str, int, int]]) -> Iterator[str]:
    """Nouns of two letters or more, compound nouns, and Latin words."""
    run: list[tuple[int, int]] = []
    for form, tag, start, end in [*read, ("", "", len(text) + 9, 0)]:
        kind = tag.split("-")[0]
        noun = kind in {"NNG", "NNP", "SL", "SH", "XSN", "XPN"} or (kind == "SN" and bool(run))
        if run and (not noun or start > run[-1][1]):
            yield from _compound(text, run)
            run = []
        if noun:
            run.append((start, end))
            if kind in {"NNG", "NNP"} and len(form) >= 2:
                yield fold_name(form)[:LONGEST]


def _compound(text: str, run: Sequence[tuple[int, int]]) -> Iterator[str]:
    whole = text[run[0][0] : run[-1][1]].strip()
    if (len(run) > 1 or not _HANGUL.search(whole)) and 2 <= len(whole) <= 40:
        yield fold_name(whole)
