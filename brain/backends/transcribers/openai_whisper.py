"""OpenAI's own Whisper (needs torch), with the weights that ``faster-whisper`` uses too, or a ``.pt`` file."""

from __future__ import annotations

import os
import pickle
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from django.conf import settings
from django.utils.translation import gettext_noop as _

from brain.backends.transcribers import ctranslate2_weights, sound
from brain.errors import ModelMissing
from brain.values import Transcript, Utterance

DEFAULT_MODEL = "stt.whisper-base"
# It has no voice filter and reports nothing before its end: short blocks give progress and a chance to stop.
BLOCK_SECONDS = 60.0
_LOUD_ENOUGH = 1e-3
NO_ENGINE = _("The speech engine %(engine)s is not installed. Recordings wait for it.")
NO_WEIGHTS = _("There are no Whisper weights (*.pt or model.bin) at %(path)s. Recordings wait for them.")


class OpenAIWhisperTranscriber:
    """``weights``: a ``.pt`` file, or a folder that holds one or CTranslate2's ``model.bin``. Never a model's name:
    that would download it."""

    def __init__(self, weights: Path) -> None:
        self.model_id = f"openai-whisper/{weights.stem}"
        self._weights = weights
        self._lock = threading.Lock()
        self._model: Any = None

    @classmethod
    def from_setting(cls, value: str) -> Self:
        """``openai-whisper``, or ``openai-whisper:PATH``; a path that is not absolute is one in the models folder."""
        _name, _colon, path = value.partition(":")
        return cls(settings.MODELS_DIR / (path or DEFAULT_MODEL))

    def ready(self) -> None:
        """Return if the weights are here; ``ModelMissing`` otherwise."""
        self._file()

    def transcribe(
        self, audio: Path, *, language: str | None = None, on_progress: Callable[[float, float], None] | None = None
    ) -> Transcript:
        total = sound.duration(audio)
        utterances: list[Utterance] = []
        heard: Counter[str] = Counter()
        with self._lock:
            model = self._loaded()
            for start, block in sound.blocks(audio, seconds=BLOCK_SECONDS):
                if abs(block).max() >= _LOUD_ENOUGH:
                    said = model.transcribe(
                        block, language=language, condition_on_previous_text=False, fp16=False, verbose=None
                    )
                    for segment in said["segments"]:
                        if not sound.is_imagined(segment["text"], segment["no_speech_prob"], segment["avg_logprob"]):
                            words = segment["text"].strip()
                            utterances.append(Utterance(start + segment["start"], start + segment["end"], words))
                            heard[said["language"]] += len(words)
                if on_progress:
                    on_progress(min(total, start + len(block) / sound.RATE), total)
        spoken = heard.most_common(1)[0][0] if heard else language or ""
        return Transcript(spoken, total, tuple(utterances))

    def close(self) -> None:
        """Free the model; the next recording loads it again."""
        with self._lock:
            self._model = None

    def _file(self) -> Path:
        if self._weights.is_file():
            return self._weights
        for pattern in ("*.pt", "model.bin"):
            if files := sorted(self._weights.glob(pattern)):
                return files[0]
        raise ModelMissing(NO_WEIGHTS, path=str(self._weights))

    def _loaded(self) -> Any:
        file = self._file()
        if self._model is None:
            # As for the language model: threads that wait by spinning stand still beside other work.
            os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
            os.environ.setdefault("GOMP_SPINCOUNT", "10000")
            try:
                import whisper
            except ImportError as error:
                raise ModelMissing(NO_ENGINE, engine="openai-whisper") from error
            try:
                self._model = (
                    _from_ctranslate2(file) if file.suffix == ".bin" else whisper.load_model(str(file), device="cpu")
                )
            except (RuntimeError, KeyError, OSError, ValueError, pickle.UnpicklingError) as error:
                raise ModelMissing(NO_WEIGHTS, path=str(file)) from error
        return self._model


def _from_ctranslate2(file: Path) -> Any:
    import torch
    from whisper.model import ModelDimensions, Whisper

    arrays = ctranslate2_weights.read(file)
    model: Any = Whisper(ModelDimensions(**ctranslate2_weights.dimensions(arrays)))
    model.load_state_dict({name: torch.from_numpy(each) for name, each in ctranslate2_weights.renamed(arrays).items()})
    return model.eval()
