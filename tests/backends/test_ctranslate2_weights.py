"""Whisper's weights read from CTranslate2's file; the contract test loads the real ones."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brain.backends.transcribers import ctranslate2_weights

STATE = 4
_CODES = {np.dtype(np.float16): 4, np.dtype(np.int16): 2}


def named(name: str) -> bytes:
    encoded = name.encode() + b"\0"
    return struct.pack("<H", len(encoded)) + encoded


def saved(path: Path, arrays: dict[str, np.ndarray[Any, Any]], *, specification: str = "WhisperSpec") -> Path:
    parts = [struct.pack("<I", 6), named(specification), struct.pack("<II", 3, len(arrays))]
    for name, array in arrays.items():
        parts += [named(name), struct.pack(f"<B{array.ndim}I", array.ndim, *array.shape)]
        parts += [struct.pack("<BI", _CODES[array.dtype], array.nbytes), array.tobytes()]
    path.write_bytes(b"".join([*parts, struct.pack("<I", 0)]))
    return path


def half(*shape: int) -> np.ndarray[Any, Any]:
    return np.arange(np.prod(shape), dtype=np.float16).reshape(shape)


def small() -> dict[str, np.ndarray[Any, Any]]:
    """A Whisper of one layer a side."""
    arrays = {
        "encoder/num_heads": np.array(2, dtype=np.int16),
        "decoder/num_heads": np.array(2, dtype=np.int16),
        "decoder/embeddings/weight": half(9, STATE),
        "encoder/position_encodings/encodings": half(6, STATE),
        "decoder/position_encodings/encodings": half(5, STATE),
        "encoder/conv1/weight": half(STATE, 3, 3),
        "encoder/conv2/weight": half(STATE, STATE, 3),
        **{f"encoder/{name}/bias": half(STATE) for name in ("conv1", "conv2")},
    }
    for side in ("encoder", "decoder"):
        norms = ["", "layer_0/ffn/", "layer_0/self_attention/"]
        linears = {"layer_0/ffn/linear_0": 4, "layer_0/ffn/linear_1": 1}
        linears |= {"layer_0/self_attention/linear_0": 3, "layer_0/self_attention/linear_1": 1}
        if side == "decoder":
            norms.append("layer_0/attention/")
            linears |= {f"layer_0/attention/linear_{n}": size for n, size in enumerate((1, 2, 1))}
        for norm in norms:
            arrays |= {f"{side}/{norm}layer_norm/{part}": half(STATE) for part in ("gamma", "beta")}
        for linear, size in linears.items():
            arrays |= {
                f"{side}/{linear}/weight": half(size * STATE, STATE),
                f"{side}/{linear}/bias": half(size * STATE),
            }
    return arrays


def test_the_sizes_are_read_from_the_arrays(tmp_path: Path) -> None:
    arrays = ctranslate2_weights.read(saved(tmp_path / "model.bin", small()))
    assert ctranslate2_weights.dimensions(arrays) == {
        "n_mels": 3,
        "n_audio_ctx": 6,
        "n_audio_state": STATE,
        "n_audio_head": 2,
        "n_audio_layer": 1,
        "n_vocab": 9,
        "n_text_ctx": 5,
        "n_text_state": STATE,
        "n_text_head": 2,
        "n_text_layer": 1,
    }


def test_matrices_that_were_joined_are_taken_apart(tmp_path: Path) -> None:
    arrays = ctranslate2_weights.read(saved(tmp_path / "model.bin", small()))
    renamed = ctranslate2_weights.renamed(arrays)
    whole = small()["decoder/layer_0/self_attention/linear_0/weight"].astype(np.float32)
    for place, member in enumerate(("query", "key", "value")):
        assert np.array_equal(
            renamed[f"decoder.blocks.0.attn.{member}.weight"], whole[place * STATE : (place + 1) * STATE]
        )
    pair = small()["decoder/layer_0/attention/linear_1/weight"].astype(np.float32)
    assert np.array_equal(renamed["decoder.blocks.0.cross_attn.value.weight"], pair[STATE:])
    assert "encoder.blocks.0.attn.key.bias" not in renamed
    assert "encoder.blocks.0.cross_attn.query.weight" not in renamed
    assert {array.dtype for array in renamed.values()} == {np.dtype(np.float32)}


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\0" * 400])
def test_another_kind_of_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.bin").write_bytes(content)
    with pytest.raises(ValueError, match=r"model\.bin does not hold Whisper's weights"):
        ctranslate2_weights.read(tmp_path / "model.bin")


def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="TransformerSpec"):
        ctranslate2_weights.read(saved(tmp_path / "model.bin", {}, specification="TransformerSpec"))


def test_a_file_that_was_cut_is_refused(tmp_path: Path) -> None:
    whole = saved(tmp_path / "model.bin", small()).read_bytes()
    (tmp_path / "model.bin").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"model\.bin does not hold Whisper's weights"):
        ctranslate2_weights.read(tmp_path / "model.bin")
