"""What the adapters share: sound in stretches of bounded memory, and what Whisper says when nobody speaks."""

from __future__ import annotations

import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext_noop as _

from brain.errors import ServiceRejected

RATE = 16_000
NOT_WAV = _("The transcriber reads 16 kHz mono WAV only.")

Sound = npt.NDArray[np.float32]

# Learnt from subtitles: what Whisper makes of silence and music (openai/whisper discussion 928 and many others).
_SIGN_OFFS = (
    "thanks for watching",
    "thank you for watching",
    "please subscribe",
    "subtitles by the amara.org community",
    "시청해주셔서 감사합니다",
    "시청해 주셔서 감사합니다",
    "구독과 좋아요",
    "다음 영상에서 만나요",
    "한글자막 by",
    "자막 제공",
    "mbc 뉴스",
    "kbs 뉴스",
    "sbs 뉴스",
)
_SHORT = 40


def blocks(path: Path, *, seconds: float) -> Iterator[tuple[float, Sound]]:
    """(start in seconds, samples from -1 to 1) of stretches of about ``seconds``, cut where it is quietest."""
    with _opened(path) as file:
        rest: Sound = np.zeros(0, np.float32)
        place = 0
        while True:
            wanted = max(0, int(seconds * RATE) - len(rest))
            read = np.frombuffer(file.readframes(wanted), dtype="<i2").astype(np.float32) / 32768
            block: Sound = np.concatenate((rest, read)).astype(np.float32, copy=False)
            last = len(read) < wanted or not wanted
            cut = len(block) if last else _quietest(block)
            if cut:
                yield place / RATE, block[:cut]
            if last:
                return
            place, rest = place + cut, block[cut:]


def duration(path: Path) -> float:
    with _opened(path) as file:
        return file.getnframes() / RATE


def is_imagined(text: str, no_speech: float, log_probability: float) -> bool:
    """Whether a segment is what the model says to silence: sure that nobody speaks and unsure of the words, or one
    of its usual sign-offs without good reason. ``log_probability``: mean over the tokens."""
    if no_speech > 0.6 and log_probability < -1.0:
        return True
    folded = " ".join(text.casefold().split())
    doubtful = no_speech > 0.2 or log_probability < -0.6
    return doubtful and len(folded) <= _SHORT and any(phrase in folded for phrase in _SIGN_OFFS)


def _opened(path: Path) -> wave.Wave_read:
    try:
        file = wave.open(str(path), "rb")  # noqa: SIM115 - the callers close it
    except (wave.Error, EOFError) as error:
        raise ServiceRejected(NOT_WAV) from error
    if (file.getframerate(), file.getnchannels(), file.getsampwidth()) != (RATE, 1, 2):
        file.close()
        raise ServiceRejected(NOT_WAV)
    return file


def _quietest(block: Sound) -> int:
    """The middle of the quietest half second of the last 20 seconds."""
    step = RATE // 2
    tail = block[max(0, len(block) - 20 * RATE) :]
    pieces = tail[: len(tail) // step * step].reshape(-1, step)
    quietest = int((pieces**2).mean(axis=1).argmin())
    return len(block) - len(tail) + quietest * step + step // 2
