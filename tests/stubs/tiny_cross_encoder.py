"""A cross-encoder of ten operations: it counts the pairs of equal words across its two texts.

ONNX is written here by hand (protobuf, https://onnx.ai/onnx/repo-docs/IR.html), so that no model file has to be kept.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers, processors

_FLOAT, _INT64 = 1, 7


def write(folder: Path, words: Sequence[str], *, labels: Sequence[str] = ()) -> Path:
    """A folder that knows these words, as ``cross-encoder:FOLDER`` takes it; with ``labels``, as ``nli:FOLDER`` does:
    the count is then the score of the last label, and each label before it scores 1.5."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = {word: id for id, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "model.onnx").write_bytes(_model(others=max(0, len(labels) - 1)))
    if labels:
        (folder / "config.json").write_text(json.dumps({"id2label": dict(enumerate(labels))}))
    return folder


def _model(*, others: int) -> bytes:
    graph = b"".join(
        [
            _node("Cast", ["token_type_ids"], "types", _integer("to", _FLOAT)),
            _node("Sub", ["one", "types"], "asking"),
            _node("Unsqueeze", ["input_ids"], "rows", _integers("axes", [2])),
            _node("Unsqueeze", ["input_ids"], "columns", _integers("axes", [1])),
            _node("Equal", ["rows", "columns"], "equal"),
            _node("Cast", ["equal"], "pairs", _integer("to", _FLOAT)),
            _node("Unsqueeze", ["asking"], "from", _integers("axes", [2])),
            _node("Unsqueeze", ["types"], "into", _integers("axes", [1])),
            _node("Mul", ["pairs", "from"], "asked"),
            _node("Mul", ["asked", "into"], "shared"),
            _node("ReduceSum", ["shared"], "sums", _integers("axes", [2])),
            _node("ReduceSum", ["sums"], "counts", _integers("axes", [1]) + _integer("keepdims", 1)),
            _node("Mul", ["counts", "zero"], "nothing"),
            _node("Add", ["nothing", "middle"], "other"),
            _node("Concat", [*["other"] * others, "counts"], "logits", _integer("axis", 1)),
            _text(2, "overlap"),
            *(_constant(name, value) for name, value in (("one", 1.0), ("zero", 0.0), ("middle", 1.5))),
            _value(11, "input_ids", _INT64, ["b", "s"]),
            _value(11, "token_type_ids", _INT64, ["b", "s"]),
            _value(12, "logits", _FLOAT, ["b", "one_each"]),
        ]
    )
    return _number(1, 6) + _bytes(7, graph) + _bytes(8, _text(1, "") + _number(2, 11))


def _node(operation: str, inputs: Sequence[str], output: str, attribute: bytes = b"") -> bytes:
    parts = [_text(1, each) for each in inputs] + [_text(2, output), _text(4, operation), attribute]
    return _bytes(1, b"".join(parts))


def _constant(name: str, value: float) -> bytes:
    return _bytes(5, _number(2, _FLOAT) + _bytes(4, struct.pack("<f", value)) + _text(8, name))


def _integer(name: str, value: int) -> bytes:
    return _bytes(5, _text(1, name) + _number(3, value) + _number(20, 2))


def _integers(name: str, values: Sequence[int]) -> bytes:
    return _bytes(5, _text(1, name) + b"".join(_number(8, each) for each in values) + _number(20, 7))


def _value(field: int, name: str, kind: int, shape: Sequence[str]) -> bytes:
    dimensions = b"".join(_bytes(1, _text(2, each)) for each in shape)
    return _bytes(field, _text(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, dimensions))))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])
