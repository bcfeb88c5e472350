"""A cross-encoder of your own: question and passage are read together, which no vector can.

For example bge-reranker-v2-m3 or ms-marco-MiniLM (see ``brain.backends.pair_model`` for the files). Time grows with
every passage: about that of embedding it again with a model of the same size.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from brain.backends.pair_model import PairModel, folder_in


class CrossEncoderReranker:
    """Scores are the model's logits: higher is better, no fixed scale."""

    def __init__(self, folder: Path) -> None:
        self.model_id = folder.name
        # The question is never cut.
        self._model = PairModel(folder, cut="second", setting="BRAIN_RERANKER")

    @classmethod
    def from_setting(cls, value: str) -> Self:
        """``cross-encoder:FOLDER``."""
        return cls(folder_in(value, setting="BRAIN_RERANKER"))

    def score(self, question: str, passages: Sequence[str]) -> list[float]:
        # One number for a pair, or two for "no" and "yes".
        rows = self._model.logits([(question, passage) for passage in passages])
        return [float(row[-1] - (row[0] if len(row) == 2 else 0.0)) for row in rows]
