"""Which language a text is in, and its words for search.

Terms carry their kind as a prefix, so that one sparse vector holds several lexical views of a text and a
question chooses among them: ``w:`` stems (English) or morphemes (Korean), ``s:`` surface words of a Korean
text, ``b:`` bigrams of Hangul letters.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import snowballstemmer

from brain.values import SparseVector

if TYPE_CHECKING:
    from kiwipiepy import Kiwi

_HANGUL = re.compile("[가-힣]")
_LETTER = re.compile(r"[^\W\d_]")
_HANGUL_RUN = re.compile("[가-힣]+")
_WORD = re.compile(r"[^\W_]+(?:[.\-+#&'’][^\W_]+)*[+#]*")
# What a Korean particle is written onto: "HR-7이며", "Breck입니다", "2022년". Smaller numbers count things.
_FOREIGN = re.compile(r"[^\W_가-힣]+(?:[.\-+#&'’][^\W_가-힣]+)*[+#]*")
_TELLING = re.compile(r"[^\W\d_]|\d{4}")
_CONTENT_TAGS = frozenset(
    {"NNG", "NNP", "NR", "NP", "VV", "VA", "XR", "MAG", "MM", "XPN", "SL", "SN", "SH", "W_SERIAL"}
)
_kiwi_lock = threading.Lock()

BM25_K1 = 1.5
BM25_B = 0.75
# Terms of a full 1,000-character passage, by language: fixed, so that a point depends on its own text only
# and deleting one source cannot change the points of another.
_USUAL_TERMS = {"ko": 700.0, "en": 160.0}


@cache
def kiwi() -> Kiwi:
    """The Korean morphological analyser; loading takes about a second and 200 MB. Its threads read many texts side by
    side: two of them take half the time that one takes for a book, on two cores."""
    from kiwipiepy import Kiwi

    return Kiwi(num_workers=min(2, os.cpu_count() or 1))


def detect_language(text: str) -> str:
    """``ko`` or ``en`` by script; ``""`` where there are no letters. Mixed text with a fifth Hangul is Korean."""
    sample = text[:20_000]
    letters = len(_LETTER.findall(sample))
    if not letters:
        return ""
    return "ko" if len(_HANGUL.findall(sample)) >= 0.2 * letters else "en"


_local = threading.local()


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    # Remembered: stemming was two thirds of the time that indexing an English manual took. The stemmer keeps
    # state, so each thread has its own.
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:
        stemmer = _local.stemmer = snowballstemmer.stemmer("english")
    stemmed: str = stemmer.stemWord(word)
    return stemmed


Morpheme = tuple[str, str, int, int]


def morphemes(text: str) -> list[Morpheme]:
    """Korean morphemes as (form, tag, start, end); offsets into ``text``."""
    with _kiwi_lock:
        tokens = kiwi().tokenize(text)
    return [(token.form, str(token.tag), token.start, token.start + token.len) for token in tokens]


def morphemes_of(texts: Sequence[str]) -> list[list[Morpheme]]:
    """``morphemes`` of many texts, in one call: half the time of asking one by one."""
    with _kiwi_lock:
        return [
            [(token.form, str(token.tag), token.start, token.start + token.len) for token in tokens]
            for tokens in kiwi().tokenize(list(texts))
        ]


def terms(text: str) -> Counter[str]:
    """The terms of a text with their frequencies."""
    folded = _folded(text)
    return _counted(folded, morphemes(folded) if _HANGUL.search(folded) else ())


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _counted(folded: str, read: Sequence[Morpheme]) -> Counter[str]:
    found: Counter[str] = Counter()
    for word in _WORD.findall(folded):
        wholes = [word]
        if _HANGUL.search(word):
            found[f"s:{word}"] += 1
            wholes = [part for part in _FOREIGN.findall(word) if _TELLING.search(part)]
        for whole in wholes:
            for part in {whole, *re.split(r"[.\-&'’]", whole)}:
                if part:
                    found[f"w:{_stem(part)}"] += 1
    for run in _HANGUL_RUN.findall(folded):
        if len(run) == 1:
            found[f"b:{run}"] += 1
        for left, right in itertools.pairwise(run):
            found[f"b:{left}{right}"] += 1
    for form, tag, _start, _end in read:
        if tag.split("-")[0] in _CONTENT_TAGS and _HANGUL.search(form):
            found[f"w:{form}"] += 1
    return found


@lru_cache(maxsize=200_000)
def term_id(term: str) -> int:
    """A 32-bit id, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=4).digest(), "big")


_FILE_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}$")


def without_file_ending(title: str) -> str:
    """A title as a name: ``report.final.pdf`` is called ``report.final``."""
    return _FILE_ENDING.sub("", title.strip()).strip() or title.strip()


def searchable(title: str, heading: Sequence[str], text: str) -> str:
    """What is embedded and indexed for a passage: its place in the document, then its text.

    The title and headings name what the passage is about, often with the only words that a question shares
    with it; a heading that the passage itself begins with is not repeated.
    """
    place = [part for part in (without_file_ending(title), *heading) if part and not text.startswith(part)]
    return "\n".join([" > ".join(dict.fromkeys(place)), text]) if place else text


def lexical_passages(texts: Sequence[str]) -> list[SparseVector]:
    """BM25 term weights of passages without the IDF part, which the vector store adds.

    tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / usual length)); Robertson and Zaragoza 2009.
    """
    folded = [_folded(text) for text in texts]
    korean = [index for index, text in enumerate(folded) if _HANGUL.search(text)]
    read = dict(zip(korean, morphemes_of([folded[index] for index in korean]), strict=True)) if korean else {}
    return [
        _weighted(_counted(each, read.get(index, ())), detect_language(text))
        for index, (text, each) in enumerate(zip(texts, folded, strict=True))
    ]


def _weighted(counts: Counter[str], language: str) -> SparseVector:
    norm = BM25_K1 * (1 - BM25_B + BM25_B * sum(counts.values()) / _USUAL_TERMS.get(language, 160.0))
    weights = {term_id(term): count * (BM25_K1 + 1) / (count + norm) for term, count in counts.items()}
    ordered = sorted(weights)
    return SparseVector(tuple(ordered), tuple(weights[index] for index in ordered))


def lexical_query(
    text: str, weights: dict[str, float] | None = None, *, without: frozenset[str] = frozenset()
) -> SparseVector:
    """The terms of a question. ``weights`` by term kind (``w``, ``s``, ``b``) chooses among the views; terms in
    ``without`` are left out."""
    weights = weights or {"w": 1.0, "s": 1.0, "b": 0.5}
    chosen: dict[int, float] = {}
    for term in terms(text):
        if term not in without and (weight := weights.get(term[0], 0.0)):
            chosen[term_id(term)] = weight
    ordered = sorted(chosen)
    return SparseVector(tuple(ordered), tuple(chosen[index] for index in ordered))
