"""A cross-encoder of your own in ONNX form: question and passage are read together, which no vector can.

A folder as model hubs offer it for `onnxruntime`: ``tokenizer.json`` and ``model.onnx`` (there or in ``onnx/``), for
example of bge-reranker-v2-m3 or ms-marco-MiniLM. No such model comes with the product. Time grows with every passage:
about that of embedding it again with a model of the same size.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_noop as _

from brain.errors import ModelMissing, ServiceRejected

# What such models were trained on; the question is never cut.
_TOKENS = 512
# Pairs per run: padding and memory grow with more, and half of the cores would wait with fewer.
_BATCH = 8
_NAMES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_UNUSABLE = _('The cross-encoder in "%(folder)s" cannot be used (%(reason)s). Choose another folder in BRAIN_RERANKER.')


class CrossEncoderReranker:
    """Scores are the model's logits: higher is better, no fixed scale."""

    def __init__(self, folder: Path) -> None:
        self.model_id = folder.name
        self._folder = folder
        self._session, self._tokenizer = _load(folder)
        self._inputs = {each.name for each in self._session.get_inputs()}

    @classmethod
    def from_setting(cls, value: str) -> Self:
        """``cross-encoder:FOLDER``."""
        _name, _colon, folder = value.partition(":")
        if not folder:
            raise ImproperlyConfigured(f"BRAIN_RERANKER={value!r}: expected cross-encoder:FOLDER")
        return cls(Path(folder))

    def score(self, question: str, passages: Sequence[str]) -> list[float]:
        scores: list[float] = []
        for first in range(0, len(passages), _BATCH):
            scores.extend(self._score([(question, passage) for passage in passages[first : first + _BATCH]]))
        return scores

    def _score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        read = self._tokenizer.encode_batch(list(pairs))
        given = {
            "input_ids": [each.ids for each in read],
            "attention_mask": [each.attention_mask for each in read],
            "token_type_ids": [each.type_ids for each in read],
        }
        arrays = {name: np.array(rows, dtype=np.int64) for name, rows in given.items() if name in self._inputs}
        try:
            logits = np.asarray(self._session.run(None, arrays)[0], dtype=np.float64)
        except Exception as error:  # the engine raises nothing more specific
            raise ServiceRejected(_UNUSABLE, folder=str(self._folder), reason=str(error)[:200]) from error
        # One number per pair, or two for "no" and "yes".
        rows = logits.reshape(len(pairs), -1)
        found: list[float] = (rows[:, -1] - (rows[:, 0] if rows.shape[1] == 2 else 0.0)).tolist()
        return found


def _load(folder: Path) -> tuple[Any, Any]:
    model = next((folder / name for name in _NAMES if (folder / name).is_file()), None)
    if model is None or not (folder / "tokenizer.json").is_file():
        raise ModelMissing(
            _('"%(folder)s" holds no cross-encoder: model.onnx and tokenizer.json are needed.'), folder=str(folder)
        )
    try:
        import onnxruntime
        import tokenizers
    except ImportError as error:
        raise ModelMissing from error
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = min(2, os.cpu_count() or 1)
        session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # neither library raises anything more specific
        raise ServiceRejected(_UNUSABLE, folder=str(folder), reason=str(error)[:200]) from error
    tokenizer.enable_truncation(_TOKENS, strategy="only_second")
    tokenizer.enable_padding()
    return session, tokenizer
