"""A model in ONNX form that reads two texts together, as model hubs offer it for ``onnxruntime``.

Its folder holds ``tokenizer.json`` and ``model.onnx`` (there or in ``onnx/``). No such model comes with the product.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_noop as _

from brain.errors import ModelMissing, ServiceRejected

# What such models were trained on.
_TOKENS = 512
# Pairs per run: padding and memory grow with more, and half of the cores would wait with fewer.
_BATCH = 8
_NAMES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_UNUSABLE = _('The model in "%(folder)s" cannot be used (%(reason)s). Choose another folder in %(setting)s.')


def folder_in(value: str, *, setting: str) -> Path:
    """Of a setting ``name:FOLDER``."""
    name, _colon, folder = value.partition(":")
    if not folder:
        raise ImproperlyConfigured(f"{setting}={value!r}: expected {name}:FOLDER")
    return Path(folder)


class PairModel:
    """``cut`` is the text of a pair that is shortened where both do not fit; ``setting`` is named in errors."""

    def __init__(self, folder: Path, *, cut: Literal["first", "second"], setting: str) -> None:
        self._folder = folder
        self._setting = setting
        self._session, self._tokenizer = self._load()
        self._tokenizer.enable_truncation(_TOKENS, strategy=f"only_{cut}")
        self._tokenizer.enable_padding()
        self._inputs = {each.name for each in self._session.get_inputs()}

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Iterator[np.ndarray]:
        """One row of the model's outputs for each pair, in their order."""
        for first in range(0, len(pairs), _BATCH):
            yield from self._run(pairs[first : first + _BATCH])

    def _run(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        read = self._tokenizer.encode_batch(list(pairs))
        given = {
            "input_ids": [each.ids for each in read],
            "attention_mask": [each.attention_mask for each in read],
            "token_type_ids": [each.type_ids for each in read],
        }
        arrays = {name: np.array(rows, dtype=np.int64) for name, rows in given.items() if name in self._inputs}
        try:
            found = np.asarray(self._session.run(None, arrays)[0], dtype=np.float64)
        except Exception as error:  # the engine raises nothing more specific
            raise self._unusable(error) from error
        return found.reshape(len(pairs), -1)

    def _load(self) -> tuple[Any, Any]:
        model = next((self._folder / name for name in _NAMES if (self._folder / name).is_file()), None)
        if model is None or not (self._folder / "tokenizer.json").is_file():
            raise ModelMissing(
                _('"%(folder)s" holds no model for %(setting)s: model.onnx and tokenizer.json are needed.'),
                folder=str(self._folder),
                setting=self._setting,
            )
        try:
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise ModelMissing from error
        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(self._folder / "tokenizer.json"))
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = min(2, os.cpu_count() or 1)
            session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # neither library raises anything more specific
            raise self._unusable(error) from error
        return session, tokenizer

    def _unusable(self, error: Exception) -> ServiceRejected:
        return ServiceRejected(_UNUSABLE, folder=str(self._folder), reason=str(error)[:200], setting=self._setting)
