"""A transcriber for tests and demonstrations: no model; it says given sentences where there is sound."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import numpy as np

from brain.backends.transcribers import sound
from brain.values import Transcript, Utterance

SENTENCES = ("Someone speaks here.", "Then the talk goes on.", "Something else is said.")
_STEP = 0.1
_LOUD = 0.005
_PAUSE = 0.5


class ScriptedTranscriber:
    """One of ``sentences`` for each stretch of sound, in turn, from the first again when they are used up."""

    model_id = "scripted"

    def __init__(self, sentences: Sequence[str] = SENTENCES, language: str = "en") -> None:
        self._sentences = tuple(sentences)
        self._language = language

    @classmethod
    def from_setting(cls, value: str) -> Self:
        """``scripted``, or ``scripted:FILE`` with one sentence a line."""
        _name, _colon, path = value.partition(":")
        return cls(Path(path).read_text(encoding="utf-8").splitlines()) if path else cls()

    def ready(self) -> None:
        """Always."""

    def transcribe(
        self, audio: Path, *, language: str | None = None, on_progress: Callable[[float, float], None] | None = None
    ) -> Transcript:
        total = sound.duration(audio)
        stretches = [
            stretch for start, block in sound.blocks(audio, seconds=60) for stretch in _stretches(start, block)
        ]
        said = []
        for (start, end), sentence in zip(stretches, itertools.cycle(self._sentences), strict=False):
            said.append(Utterance(start, min(end, total), sentence))
            if on_progress:
                on_progress(min(end, total), total)
        if on_progress:
            on_progress(total, total)
        return Transcript(language or self._language if said else "", total, tuple(said))


def _stretches(offset: float, block: sound.Sound) -> list[tuple[float, float]]:
    """Where it is loud, with pauses under half a second closed."""
    step = int(_STEP * sound.RATE)
    padded = np.pad(block, (0, -len(block) % step)).reshape(-1, step)
    found: list[list[float]] = []
    for index in np.flatnonzero(np.sqrt((padded**2).mean(axis=1)) > _LOUD):
        start = offset + float(index) * _STEP
        if found and start - found[-1][1] < _PAUSE:
            found[-1][1] = start + _STEP
        else:
            found.append([start, start + _STEP])
    return [(round(start, 2), round(end, 2)) for start, end in found]
