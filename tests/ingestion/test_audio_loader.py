"""Recordings: silence, loops, two voices (BR-13 to BR-15). Words are checked with the real model under ``model``."""

from __future__ import annotations

import os
import struct
import wave
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest
from django.conf import settings

from brain.backends.transcribers.faster_whisper import FasterWhisperTranscriber
from brain.errors import EmptySource, ModelMissing, UnreadableSource
from brain.values import Document
from ingestion import media, reader, recordings
from ingestion.loaders import audio
from ingestion.loaders.wire import DecodedAudio, Track
from tests.ingestion.files import sample, sox, speak

RATE = 16_000
Tone = Callable[[float], float]


def tone(*stretches: tuple[float, float], seconds: float, hertz: float = 440.0, loud: float = 0.3) -> np.ndarray:
    """A sine in the given stretches, silence elsewhere."""
    time = np.arange(int(seconds * RATE)) / RATE
    sounding = sum(((time >= start) & (time < end)).astype(float) for start, end in stretches)
    return loud * np.sin(2 * np.pi * hertz * time) * sounding


def save(path: Path, *channels: np.ndarray, rate: int = RATE) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(len(channels))
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((np.stack(channels, axis=1) * 32767).astype("<i2").tobytes())
    return path


def decode(path: Path, folder: Path, media_type: str = "audio/wav") -> DecodedAudio:
    return audio.decode(path, media_type, folder, on_progress=lambda _share: None)


def names(decoded: DecodedAudio) -> list[str]:
    return [track.name for track in decoded.tracks]


def sound_of(folder: Path, track: Track) -> np.ndarray:
    with wave.open(str(folder / track.file)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (RATE, 1, 2)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32767


def test_any_rate_becomes_sixteen_thousand_a_second(tmp_path: Path) -> None:
    path = save(tmp_path / "a.wav", np.repeat(tone((0, 1), seconds=1), 3), rate=48_000)
    decoded = decode(path, tmp_path)
    assert decoded.duration == pytest.approx(1.0, abs=0.01)
    assert names(decoded) == ["mixed"]
    assert np.abs(sound_of(tmp_path, decoded.tracks[0])).max() == pytest.approx(0.3, abs=0.02)


def test_two_voices_that_take_turns_stay_apart(tmp_path: Path) -> None:
    left, right = tone((0, 2), (4, 6), seconds=8), tone((2, 4), (6, 8), seconds=8, hertz=300)
    assert names(decode(save(tmp_path / "a.wav", left, right), tmp_path)) == ["left", "right"]


def test_two_voices_at_once_stay_apart(tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    left, right = draw.normal(0, 0.1, 4 * RATE), draw.normal(0, 0.1, 4 * RATE)
    assert names(decode(save(tmp_path / "a.wav", left, right), tmp_path)) == ["left", "right"]


def test_one_voice_on_both_channels_is_transcribed_once(tmp_path: Path) -> None:
    voice = tone((0, 3), seconds=4)
    assert names(decode(save(tmp_path / "a.wav", voice, voice * 0.8), tmp_path)) == ["mixed"]


def test_a_copy_with_inverted_phase_is_not_silence(tmp_path: Path) -> None:
    voice = tone((0, 3), seconds=4)
    decoded = decode(save(tmp_path / "a.wav", voice, -voice), tmp_path)
    assert names(decoded) == ["left"]
    assert np.abs(sound_of(tmp_path, decoded.tracks[0])).max() > 0.25


def test_a_dead_channel_is_left_out(tmp_path: Path) -> None:
    voice = tone((0, 3), seconds=4)
    assert names(decode(save(tmp_path / "a.wav", np.zeros_like(voice), voice), tmp_path)) == ["right"]


@pytest.mark.parametrize(
    ("name", "media_type", "seconds"),
    [
        ("audio_speech/whispercpp__jfk.mp3", "audio/mpeg", 11.0),
        ("audio_speech/ljspeech__LJ001-0002.flac", "audio/flac", 1.9),
        ("audio_speech/picovoice__test_ko.wav", "audio/wav", 3.9),
        ("bug_files/video-webm-vorbis.webm", "video/webm", 1.0),
    ],
)
def test_usual_kinds_are_decoded(tmp_path: Path, name: str, media_type: str, seconds: float) -> None:
    path = sample(name)
    assert media.detect(path.read_bytes()[: media.HEAD_BYTES], path.name) == media_type
    assert decode(path, tmp_path, media_type).duration == pytest.approx(seconds, abs=0.5)


def encode(path: Path, codec: str, samples: np.ndarray) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=RATE, layout="mono")
        frame = av.AudioFrame.from_ndarray(samples.astype(np.float32)[np.newaxis, :], format="fltp", layout="mono")
        frame.sample_rate = RATE
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            container.mux(packet)
    return path


@pytest.mark.parametrize(
    ("name", "codec", "media_type"),
    [("a.m4a", "aac", "audio/mp4"), ("a.mp4", "aac", "video/mp4"), ("a.aac", "aac", "audio/aac")],
)
def test_what_phones_record_is_decoded(tmp_path: Path, name: str, codec: str, media_type: str) -> None:
    path = encode(tmp_path / name, codec, tone((0, 2), seconds=2))
    assert media.detect(path.read_bytes()[: media.HEAD_BYTES], "no name") == media_type
    assert decode(path, tmp_path, media_type).duration == pytest.approx(2.0, abs=0.2)


@pytest.mark.parametrize("suffix", ["ogg", "flac"])
def test_what_sox_writes_is_decoded(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    sox(save(tmp_path / "a.wav", tone((0, 2), seconds=2)), path)
    decoded = decode(path, tmp_path, media.detect(path.read_bytes()[: media.HEAD_BYTES], "a"))
    assert decoded.duration == pytest.approx(2.0, abs=0.2)


def test_a_film_without_sound_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 64, "yuv420p"
        picture = av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8), format="rgb24")
        for packet in [*stream.encode(picture), *stream.encode(None)]:
            container.mux(packet)
    with pytest.raises(EmptySource) as verdict:
        decode(path, tmp_path, "video/mp4")
    assert str(verdict.value) == "The file has no sound track."


def test_a_cut_recording_gives_what_is_there(tmp_path: Path) -> None:
    whole = sample("audio_speech/whispercpp__jfk.mp3").read_bytes()
    (tmp_path / "a.mp3").write_bytes(whole[: len(whole) // 2])
    assert decode(tmp_path / "a.mp3", tmp_path, "audio/mpeg").duration == pytest.approx(5.5, abs=0.5)


@pytest.mark.parametrize(
    "content", [b"RIFF" + struct.pack("<I", 36) + b"WAVE", b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0" + b"\xff" * 90]
)
def test_a_damaged_recording_says_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.wav").write_bytes(content)
    with pytest.raises(UnreadableSource):
        decode(tmp_path / "a.wav", tmp_path)


def test_a_recording_goes_through_cage_and_transcriber_and_leaves_no_file(tmp_path: Path) -> None:
    path = save(tmp_path / "a.wav", tone((0.5, 1.5), (3.5, 4.5), seconds=5))
    shares: list[float] = []
    document = reader.read(path, "audio/wav", title="call", on_progress=shares.append)
    assert document.text == "Someone speaks here.\n\nThen the talk goes on."
    assert [span.seconds for span in document.spans] == [(0.5, 1.5), (3.5, 4.5)]
    assert (document.units, document.unit_name) == (5, "second")
    assert shares == sorted(shares)
    assert list((settings.BRAIN_HOME / "reading").iterdir()) == []


def test_silence_is_no_speech_and_no_model_is_asked(tmp_path: Path) -> None:
    path = save(tmp_path / "a.wav", np.zeros(RATE * 5))
    with pytest.raises(EmptySource) as verdict:
        reader.read(path, "audio/wav", title="a")
    assert str(verdict.value) == "No speech was found in this recording."


def test_missing_weights_are_a_reason_to_wait(tmp_path: Path, settings: object) -> None:
    settings.BRAIN_TRANSCRIBER = f"faster-whisper:{tmp_path / 'none'}"  # type: ignore[attr-defined]
    with pytest.raises(ModelMissing) as verdict:
        reader.read(save(tmp_path / "a.wav", np.zeros(RATE)), "audio/wav", title="a")
    assert verdict.value.retryable
    assert str(verdict.value) == "The speech model none is not installed yet. Recordings wait for it."


# --- with the real model ---------------------------------------------------------------------------------------------

LEFT = "The contract was signed on the third of March. Delivery takes six weeks. The supplier is called Northwind."
RIGHT = "Our office moved to Chicago. The new director is Maria Lopez. The warehouse opens at seven."


@pytest.fixture(scope="module")
def whisper() -> FasterWhisperTranscriber:
    folder = Path(os.environ.get("BRAIN_MODELS", settings.MODELS_DIR)) / "stt.whisper-base"
    if not (folder / "model.bin").exists():
        pytest.skip(f"The speech model is not in {folder} (manage.py models).")
    return FasterWhisperTranscriber(folder)


def transcribed(path: Path, folder: Path, whisper: FasterWhisperTranscriber) -> Document:
    return recordings.transcribe(
        decode(path, folder), folder, whisper, title="a", on_progress=lambda _share: None, cancelled=lambda: False
    )


@pytest.mark.model
def test_both_sides_of_a_call_are_heard(tmp_path: Path, whisper: FasterWhisperTranscriber) -> None:
    left, right = speak(tmp_path / "l.wav", LEFT), speak(tmp_path / "r.wav", RIGHT, voice="en-gb+f3")
    sox("-M", left, right, tmp_path / "call.wav")
    text = transcribed(tmp_path / "call.wav", tmp_path, whisper).text
    assert [word for word in ("March", "Northwind", "Chicago", "Lopez") if word not in text] == []


@pytest.mark.model
def test_nothing_is_heard_in_silence_and_noise(tmp_path: Path, whisper: FasterWhisperTranscriber) -> None:
    sox("-n", "-r", "16000", "-c", "1", tmp_path / "noise.wav", "synth", "60", "whitenoise", "vol", "0.001")
    with pytest.raises(EmptySource):
        transcribed(tmp_path / "noise.wav", tmp_path, whisper)


@pytest.mark.model
def test_nothing_is_heard_after_the_speech_ends(tmp_path: Path, whisper: FasterWhisperTranscriber) -> None:
    sox(speak(tmp_path / "s.wav", LEFT), tmp_path / "tail.wav", "pad", "0", "40")
    document = transcribed(tmp_path / "tail.wav", tmp_path, whisper)
    assert "Northwind" in document.text
    assert document.spans[-1].seconds is not None
    assert document.spans[-1].seconds[1] < document.units - 38
