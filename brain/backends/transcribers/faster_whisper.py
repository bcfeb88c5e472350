"""Whisper by CTranslate2 in process, with its voice filter (Silero) in front: what is no voice is never asked about."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from django.conf import settings
from django.utils.translation import gettext_noop as _

from brain.backends.transcribers import sound
from brain.errors import ModelMissing
from brain.values import Transcript, Utterance

DEFAULT_MODEL = "stt.whisper-base"
# Bounds memory (10 minutes are 40 MB of samples) and the wait for a stop.
BLOCK_SECONDS = 300.0
BEAM = 5
NO_WEIGHTS = _("The speech model %(model)s is not installed yet. Recordings wait for it.")
NO_ENGINE = _("The speech engine %(engine)s is not installed. Recordings wait for it.")


class FasterWhisperTranscriber:
    """Loaded at the first recording; one recording at a time."""

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        self.model_id = f"faster-whisper/{folder.name}"
        self._folder = folder
        self._threads = threads
        self._lock = threading.Lock()
        self._model: Any = None

    @classmethod
    def from_setting(cls, value: str) -> Self:
        """``faster-whisper``, or ``faster-whisper:FOLDER`` with a model's id or the path of a folder of one's own."""
        _name, _colon, model = value.partition(":")
        return cls(settings.MODELS_DIR / (model or DEFAULT_MODEL))

    def ready(self) -> None:
        """Return if weights and engine are here; ``ModelMissing`` otherwise."""
        if not (self._folder / "model.bin").is_file():
            raise ModelMissing(NO_WEIGHTS, model=self._folder.name)

    def transcribe(
        self, audio: Path, *, language: str | None = None, on_progress: Callable[[float, float], None] | None = None
    ) -> Transcript:
        total = sound.duration(audio)
        utterances: list[Utterance] = []
        heard: Counter[str] = Counter()
        with self._lock:
            model = self._loaded()
            for start, block in sound.blocks(audio, seconds=BLOCK_SECONDS):
                segments, info = model.transcribe(
                    block,
                    language=language,
                    beam_size=BEAM,
                    temperature=[0.0, 0.4, 0.8],
                    # The text before is what loops feed on (BR-14).
                    condition_on_previous_text=False,
                    vad_filter=True,
                    vad_parameters={"min_silence_duration_ms": 500},
                )
                for segment in segments:
                    if not sound.is_imagined(segment.text, segment.no_speech_prob, segment.avg_logprob):
                        utterances.append(Utterance(start + segment.start, start + segment.end, segment.text.strip()))
                        heard[info.language] += len(segment.text)
                    if on_progress:
                        on_progress(min(total, start + segment.end), total)
                if on_progress:
                    on_progress(min(total, start + len(block) / sound.RATE), total)
        spoken = heard.most_common(1)[0][0] if heard else language or ""
        return Transcript(spoken, total, tuple(utterances))

    def close(self) -> None:
        """Free the model; the next recording loads it again."""
        with self._lock:
            self._model = None

    def _loaded(self) -> Any:
        self.ready()
        if self._model is None:
            try:
                from faster_whisper import WhisperModel
            except ImportError as error:
                raise ModelMissing(NO_ENGINE, engine="faster-whisper") from error
            try:
                self._model = WhisperModel(
                    str(self._folder),
                    device="cpu",
                    compute_type="int8",
                    cpu_threads=self._threads,
                    local_files_only=True,
                )
            except (RuntimeError, ValueError, OSError) as error:
                raise ModelMissing(NO_WEIGHTS, model=self._folder.name) from error
        return self._model
