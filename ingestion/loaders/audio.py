"""Recordings decoded by FFmpeg (PyAV) to 16 kHz mono WAV files, one for each voice channel."""

from __future__ import annotations

import errno
import wave
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext_noop as _

from brain.errors import EmptySource, ServiceUnavailable, SourceLimit, UnreadableSource
from ingestion.loaders.wire import DecodedAudio, Track

RATE = 16_000
HOURS = 12

NO_SOUND = _("The file has no sound track.")
NOT_DECODED = _("The recording is damaged: nothing in it could be decoded.")
TOO_LONG = _("The recording is longer than %(hours)s hours. Split it and upload the parts.")
DISK_FULL = _("The disk is full. Reading goes on by itself when there is room.")

# Only the demuxer of the kind that was detected: playlists and the like would open other files.
_FORMATS = {
    "audio/mpeg": "mp3",
    "audio/aac": "aac",
    "audio/mp4": "mov",
    "video/mp4": "mov",
    "audio/wav": "wav",
    "audio/ogg": "ogg",
    "audio/flac": "flac",
    "video/webm": "matroska",
}
_FRAME = RATE // 2
# Two channels are two voices if they hardly have anything in common, or if one is 10 dB louder most of the time.
_UNRELATED = 0.3
_LOUDER = 10.0
_SOUND = 1e-3
Samples = npt.NDArray[np.int16]


def decode(path: Path, media_type: str, folder: Path, *, on_progress: Callable[[float], None]) -> DecodedAudio:
    """The voices of a recording as WAV files in ``folder``. Two channels with different content stay apart."""
    try:
        with path.open("rb") as file, av.open(file, format=_FORMATS[media_type]) as container:
            if not container.streams.audio:
                raise EmptySource(NO_SOUND)
            return _write_tracks(container, container.streams.audio[0], folder, on_progress)
    except av.error.FFmpegError as error:
        raise UnreadableSource(NOT_DECODED) from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise ServiceUnavailable(DISK_FULL) from error
        if error.errno == errno.EFBIG:
            raise SourceLimit(TOO_LONG, hours=HOURS) from error
        raise


def _write_tracks(container: Any, stream: Any, folder: Path, on_progress: Callable[[float], None]) -> DecodedAudio:
    channels = 1 if stream.codec_context.channels == 1 else 2
    levels = _Levels()
    total = float(container.duration or 0) / av.time_base
    written = 0
    with ExitStack() as files:
        names = ("mixed",) if channels == 1 else ("mixed", "left", "right")
        outputs = {name: files.enter_context(_writer(folder / f"{name}.wav")) for name in names}
        for samples in _samples(container, stream, channels):
            levels.add(samples)
            outputs["mixed"].writeframes(samples.mean(axis=0).astype(np.int16).tobytes())
            for name, channel in zip(names[1:], samples, strict=False):
                outputs[name].writeframes(channel.tobytes())
            written += samples.shape[1]
            if written > HOURS * 3600 * RATE:
                raise SourceLimit(TOO_LONG, hours=HOURS)
            if total:
                on_progress(min(1.0, written / RATE / total))
    if not written:
        raise UnreadableSource(NOT_DECODED)
    tracks = tuple(Track(name, f"{name}.wav", peak) for name, peak in levels.voices())
    return DecodedAudio(duration=written / RATE, tracks=tracks)


def _writer(path: Path) -> wave.Wave_write:
    writer = wave.open(str(path), "wb")  # noqa: SIM115 - closed by the caller's stack
    writer.setnchannels(1)
    writer.setsampwidth(2)
    writer.setframerate(RATE)
    return writer


def _samples(container: Any, stream: Any, channels: int) -> Iterator[Samples]:
    """Blocks of shape (channels, n). Packets that are damaged are left out: the rest is still speech."""
    resampler = av.AudioResampler(format="s16p", layout="mono" if channels == 1 else "stereo", rate=RATE)
    for packet in container.demux(stream):
        try:
            frames = packet.decode()
        except av.error.FFmpegError:
            continue
        for frame in frames:
            for piece in resampler.resample(frame):
                yield piece.to_ndarray().astype(np.int16, copy=False)
    for piece in resampler.resample(None):
        yield piece.to_ndarray().astype(np.int16, copy=False)


class _Levels:
    """What is needed to tell one voice on two channels from two voices, in one pass."""

    def __init__(self) -> None:
        self._rest: npt.NDArray[np.float64] = np.zeros((0, 0))
        self._peaks = np.zeros(1)
        self._frames: list[npt.NDArray[np.float64]] = []

    def add(self, samples: Samples) -> None:
        block = samples.astype(np.float64) / 32768
        self._peaks = np.maximum(self._peaks, np.abs(block).max(axis=1))
        self._rest = np.concatenate((self._rest, block), axis=1) if self._rest.size else block
        while self._rest.shape[1] >= _FRAME:
            self._measure(self._rest[:, :_FRAME])
            self._rest = self._rest[:, _FRAME:]

    def voices(self) -> list[tuple[str, float]]:
        """Names and peaks of the tracks that are worth transcribing."""
        if len(self._peaks) == 1:
            return [("mixed", float(self._peaks[0]))]
        if self._rest.shape[1]:
            self._measure(self._rest)
        left, right = float(self._peaks[0]), float(self._peaks[1])
        if min(left, right) < _SOUND:
            return [("left", left)] if left >= right else [("right", right)]
        energy = np.array(self._frames)
        alike = energy[:, 2].sum() / max(np.sqrt(energy[:, 0].sum() * energy[:, 1].sum()), 1e-12)
        if alike < -_UNRELATED:
            # An inverted copy: mixing would leave silence.
            return [("left", left)] if energy[:, 0].sum() >= energy[:, 1].sum() else [("right", right)]
        if alike < _UNRELATED or self._take_turns(energy):
            return [("left", left), ("right", right)]
        return [("mixed", max(left, right))]

    def _measure(self, block: npt.NDArray[np.float64]) -> None:
        left, right = block[0], block[-1]
        self._frames.append(np.array([left @ left, right @ right, left @ right]))

    @staticmethod
    def _take_turns(energy: npt.NDArray[np.float64]) -> bool:
        loud = energy[energy[:, :2].max(axis=1) > _FRAME * _SOUND**2]
        if not len(loud):
            return False
        difference = 10 * np.log10((loud[:, 0] + 1e-9) / (loud[:, 1] + 1e-9))
        one_sided = np.array([(difference > _LOUDER).mean(), (difference < -_LOUDER).mean()])
        return bool(one_sided.sum() > 0.5 and one_sided.min() > 0.05)
