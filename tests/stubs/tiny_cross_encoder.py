"""A cross-encoder of ten operations: it counts the pairs of equal words across its two texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from onnx import TensorProto, helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors


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
    nodes = [
        helper.make_node("Cast", ["token_type_ids"], ["types"], to=TensorProto.FLOAT),
        helper.make_node("Sub", ["one", "types"], ["asking"]),
        helper.make_node("Unsqueeze", ["input_ids"], ["rows"], axes=[2]),
        helper.make_node("Unsqueeze", ["input_ids"], ["columns"], axes=[1]),
        helper.make_node("Equal", ["rows", "columns"], ["equal"]),
        helper.make_node("Cast", ["equal"], ["pairs"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["asking"], ["from"], axes=[2]),
        helper.make_node("Unsqueeze", ["types"], ["into"], axes=[1]),
        helper.make_node("Mul", ["pairs", "from"], ["asked"]),
        helper.make_node("Mul", ["asked", "into"], ["shared"]),
        helper.make_node("ReduceSum", ["shared"], ["sums"], axes=[2]),
        helper.make_node("ReduceSum", ["sums"], ["counts"], axes=[1], keepdims=1),
        helper.make_node("Mul", ["counts", "zero"], ["nothing"]),
        helper.make_node("Add", ["nothing", "middle"], ["other"]),
        helper.make_node("Concat", [*["other"] * others, "counts"], ["logits"], axis=1),
    ]
    given = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "s"]) for name in ("input_ids", "token_type_ids")
    ]
    found = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", "one_each"])]
    constants = [
        helper.make_tensor(name, TensorProto.FLOAT, [], [value])
        for name, value in (("one", 1.0), ("zero", 0.0), ("middle", 1.5))
    ]
    graph = helper.make_graph(nodes, "overlap", given, found, constants)
    return bytes(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=6).SerializeToString()
    )
