"""Whisper's weights as ``faster-whisper`` keeps them, under the names that OpenAI's own Whisper gives them.

One download then serves both engines. CTranslate2's ``model.bin`` is a plain list of named arrays (its
``ModelReader`` in ``src/models/model.cc``): version, name of the specification, revision, arrays, other names.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]

_TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}
_FFN = {"ffn/layer_norm": "mlp_ln", "ffn/linear_0": "mlp.0", "ffn/linear_1": "mlp.2"}
# CTranslate2 multiplies by several matrices that take the same input at once.
_FUSED = {
    "self_attention": (("linear_0", ("query", "key", "value")), ("linear_1", ("out",))),
    "attention": (("linear_0", ("query",)), ("linear_1", ("key", "value")), ("linear_2", ("out",))),
}
_SIDES = ("encoder", "decoder")
_ATTENTION = {"self_attention": "attn", "attention": "cross_attn"}


def read(file: Path) -> dict[str, Array]:
    """The arrays by CTranslate2's names. ``ValueError`` for what is no such file or holds quantised weights."""
    with file.open("rb") as stream:
        try:
            _version, specification = _numbers(stream, "I")[0], _name(stream)
            _revision, count = _numbers(stream, "II")
            if specification != "WhisperSpec":
                raise ValueError(specification)
            return dict(_array(stream) for _ in range(count))
        except (struct.error, KeyError, ValueError) as error:
            raise ValueError(f"{file.name} does not hold Whisper's weights: {error}") from error


def dimensions(arrays: Mapping[str, Array]) -> dict[str, int]:
    """The arguments of ``whisper.model.ModelDimensions``."""
    vocabulary, state = arrays["decoder/embeddings/weight"].shape
    layers = {
        side: sum(name.startswith(side) and name.endswith("ffn/linear_0/bias") for name in arrays) for side in _SIDES
    }
    return {
        "n_mels": arrays["encoder/conv1/weight"].shape[1],
        "n_audio_ctx": arrays["encoder/position_encodings/encodings"].shape[0],
        "n_audio_state": state,
        "n_audio_head": int(arrays["encoder/num_heads"]),
        "n_audio_layer": layers["encoder"],
        "n_vocab": vocabulary,
        "n_text_ctx": arrays["decoder/position_encodings/encodings"].shape[0],
        "n_text_state": state,
        "n_text_head": int(arrays["decoder/num_heads"]),
        "n_text_layer": layers["decoder"],
    }


def renamed(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays by OpenAI's names, in 32 bits."""
    given: dict[str, Array] = {
        "encoder.positional_embedding": arrays["encoder/position_encodings/encodings"],
        "decoder.positional_embedding": arrays["decoder/position_encodings/encodings"],
        "decoder.token_embedding.weight": arrays["decoder/embeddings/weight"],
        **_norm(arrays, "encoder/layer_norm", "encoder.ln_post"),
        **_norm(arrays, "decoder/layer_norm", "decoder.ln"),
    }
    for name in ("conv1", "conv2"):
        given |= {f"encoder.{name}.{part}": arrays[f"encoder/{name}/{part}"] for part in ("weight", "bias")}
    sizes = dimensions(arrays)
    for side, count in zip(_SIDES, (sizes["n_audio_layer"], sizes["n_text_layer"]), strict=True):
        for layer in range(count):
            given |= _layer(arrays, f"{side}/layer_{layer}", f"{side}.blocks.{layer}")
    return {name: np.ascontiguousarray(array, dtype=np.float32) for name, array in given.items()}


def _layer(arrays: Mapping[str, Array], old: str, new: str) -> dict[str, Array]:
    given: dict[str, Array] = {}
    for part, name in _FFN.items():
        if part.endswith("norm"):
            given |= _norm(arrays, f"{old}/{part}", f"{new}.{name}")
        else:
            given |= {f"{new}.{name}.{end}": arrays[f"{old}/{part}/{end}"] for end in ("weight", "bias")}
    for part, name in _ATTENTION.items():
        if f"{old}/{part}/linear_0/weight" not in arrays:
            continue
        given |= _norm(arrays, f"{old}/{part}/layer_norm", f"{new}.{name}_ln")
        for linear, members in _FUSED[part]:
            for end in ("weight", "bias"):
                pieces = np.split(arrays[f"{old}/{part}/{linear}/{end}"], len(members))
                given |= {
                    f"{new}.{name}.{member}.{end}": piece
                    for member, piece in zip(members, pieces, strict=True)
                    # OpenAI's keys have no bias; CTranslate2 fills the gap with zeros.
                    if (member, end) != ("key", "bias")
                }
    return given


def _norm(arrays: Mapping[str, Array], old: str, new: str) -> dict[str, Array]:
    return {f"{new}.weight": arrays[f"{old}/gamma"], f"{new}.bias": arrays[f"{old}/beta"]}


def _array(stream: BinaryIO) -> tuple[str, Array]:
    name = _name(stream)
    (rank,) = _numbers(stream, "B")
    shape = _numbers(stream, "I" * rank)
    kind, size = _numbers(stream, "BI")
    return name, np.frombuffer(stream.read(size), dtype=_TYPES[kind]).reshape(shape)


def _name(stream: BinaryIO) -> str:
    (length,) = _numbers(stream, "H")
    return stream.read(length).rstrip(b"\0").decode()


def _numbers(stream: BinaryIO, form: str) -> tuple[int, ...]:
    found: tuple[int, ...] = struct.unpack(f"<{form}", stream.read(struct.calcsize(f"<{form}")))
    return found
