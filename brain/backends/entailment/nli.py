"""A model of your own for natural language inference: does a premise say what a hypothesis claims?

For example mDeBERTa-v3-base-xnli or nli-MiniLM2 (see ``brain.backends.pair_model`` for the files); ``config.json``
beside them names the labels, one of which is entailment.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
from django.utils.translation import gettext_noop as _

from brain.backends.pair_model import PairModel, folder_in
from brain.errors import ModelMissing


class NliEntailment:
    """Probabilities are the softmax over the model's labels."""

    def __init__(self, folder: Path) -> None:
        self.model_id = folder.name
        self._model = PairModel(folder, cut="first", setting="BRAIN_ENTAILMENT")
        self._entailed = _place_of_entailment(folder / "config.json")

    @classmethod
    def from_setting(cls, value: str) -> Self:
        """``nli:FOLDER``."""
        return cls(folder_in(value, setting="BRAIN_ENTAILMENT"))

    def entailed(self, premises: Sequence[str], hypothesis: str) -> list[float]:
        rows = self._model.logits([(premise, hypothesis) for premise in premises])
        return [float(_softmax(row)[self._entailed]) for row in rows]


def _softmax(row: np.ndarray) -> np.ndarray:
    exponentials = np.exp(row - row.max())
    return np.asarray(exponentials / exponentials.sum())


def _place_of_entailment(config: Path) -> int:
    """Where ``id2label`` puts it: models differ. Raises ``ModelMissing``."""
    try:
        labels = json.loads(config.read_text(encoding="utf-8"))["id2label"]
        return next(int(place) for place, label in labels.items() if label.casefold().startswith("entail"))
    except (OSError, ValueError, KeyError, AttributeError, StopIteration) as error:
        raise ModelMissing(
            _('"%(folder)s" does not say which label is entailment: config.json with id2label is needed.'),
            folder=str(config.parent),
        ) from error
