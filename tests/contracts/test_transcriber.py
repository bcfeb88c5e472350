"""What every Transcriber keeps to."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings

from brain.backends.transcribers import sound
from brain.backends.transcribers.faster_whisper import FasterWhisperTranscriber
from brain.backends.transcribers.openai_whisper import OpenAIWhisperTranscriber
from brain.backends.transcribers.scripted import ScriptedTranscriber
from brain.bootstrap import TRANSCRIBERS, adapter_class
from brain.errors import ModelMissing, ServiceRejected
from brain.ports import Transcriber
from tests.ingestion.files import sox, speak
from tests.ingestion.test_audio_loader import RATE, save, tone

MODELS = Path(os.environ.get("BRAIN_MODELS", settings.MODELS_DIR))


def _faster_whisper() -> Transcriber:
    if not (MODELS / "stt.whisper-base" / "model.bin").exists():
        pytest.skip(f"The speech model is not in {MODELS} (manage.py models).")
    return FasterWhisperTranscriber(MODELS / "stt.whisper-base")


def _openai_whisper() -> Transcriber:
    if importlib.util.find_spec("whisper") is None:
        pytest.skip("openai-whisper and torch are not installed.")
    transcriber = OpenAIWhisperTranscriber(MODELS / "stt.whisper-base")
    try:
        transcriber.ready()
    except ModelMissing as missing:
        pytest.skip(str(missing))
    return transcriber


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(ScriptedTranscriber, id="scripted"),
        pytest.param(_faster_whisper, id="faster-whisper", marks=pytest.mark.model),
        pytest.param(_openai_whisper, id="openai-whisper", marks=pytest.mark.model),
    ],
)
def transcriber(request: pytest.FixtureRequest) -> Transcriber:
    made: Transcriber = request.param()
    return made


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """Two sentences with three seconds between them, as the cage decodes them."""
    speak(tmp_path / "one.wav", "The meeting starts at nine in the morning.")
    speak(tmp_path / "two.wav", "Please bring the signed contract.")
    sox(tmp_path / "one.wav", tmp_path / "two.wav", "-r", str(RATE), "-c", "1", tmp_path / "talk.wav", "pad", "0", "3")
    return tmp_path / "talk.wav"


def test_speech_gives_utterances_in_order_with_their_seconds(transcriber: Transcriber, talk: Path) -> None:
    transcriber.ready()
    transcript = transcriber.transcribe(talk)
    assert transcript.language == "en"
    assert transcript.duration == pytest.approx(sound.duration(talk))
    assert transcript.utterances
    starts = [utterance.start for utterance in transcript.utterances]
    assert starts == sorted(starts)
    for utterance in transcript.utterances:
        assert 0 <= utterance.start < utterance.end <= transcript.duration + 1
        assert utterance.text.strip() == utterance.text != ""


def test_progress_grows_to_the_whole_length(transcriber: Transcriber, talk: Path) -> None:
    seen: list[tuple[float, float]] = []
    transcriber.transcribe(talk, language="en", on_progress=lambda done, total: seen.append((done, total)))
    total = sound.duration(talk)
    assert [share[1] for share in seen] == [total] * len(seen)
    assert [share[0] for share in seen] == sorted(share[0] for share in seen)
    assert seen[-1][0] == pytest.approx(total)


def test_silence_gives_no_utterances(transcriber: Transcriber, tmp_path: Path) -> None:
    silence = save(tmp_path / "a.wav", np.zeros(RATE * 3))
    transcript = transcriber.transcribe(silence)
    assert (transcript.language, transcript.duration, transcript.utterances) == ("", 3.0, ())


def test_what_the_listener_raises_ends_the_work(transcriber: Transcriber, talk: Path) -> None:
    class Enough(Exception):
        pass

    def stop(_done: float, _total: float) -> None:
        raise Enough

    with pytest.raises(Enough):
        transcriber.transcribe(talk, on_progress=stop)
    assert transcriber.transcribe(talk).utterances


def test_other_sound_than_the_cage_makes_is_refused(transcriber: Transcriber, tmp_path: Path) -> None:
    stereo = save(tmp_path / "a.wav", np.zeros(RATE), np.zeros(RATE))
    with pytest.raises(ServiceRejected):
        transcriber.transcribe(stereo)
    (tmp_path / "b.wav").write_bytes(b"no sound")
    with pytest.raises(ServiceRejected):
        transcriber.transcribe(tmp_path / "b.wav")


@pytest.mark.parametrize("name", ["faster-whisper", "openai-whisper"])
def test_missing_weights_are_missing_and_nothing_is_downloaded(name: str, tmp_path: Path) -> None:
    adapter = adapter_class("BRAIN_TRANSCRIBER", name, TRANSCRIBERS)
    missing: Transcriber = adapter.from_setting(f"{name}:{tmp_path / 'x'}")
    with pytest.raises(ModelMissing):
        missing.ready()
    with pytest.raises(ModelMissing):
        missing.transcribe(save(tmp_path / "a.wav", tone(seconds=1)))


def test_long_sound_comes_in_stretches_cut_where_it_is_quiet(tmp_path: Path) -> None:
    whole = tone((0, 50), (52, 100), seconds=100)
    blocks = list(sound.blocks(save(tmp_path / "a.wav", whole), seconds=60))
    assert [start for start, _block in blocks] == [0.0, pytest.approx(51, abs=1)]
    assert np.allclose(np.concatenate([block for _start, block in blocks]), whole, atol=1e-3)


@pytest.mark.parametrize(
    ("text", "no_speech", "log_probability", "imagined"),
    [
        ("Thanks for watching!", 0.5, -0.3, True),
        ("MBC 뉴스 이덕영입니다.", 0.05, -0.8, True),
        ("시청해주셔서 감사합니다.", 0.3, -0.2, True),
        ("Thank you for watching over the children while I was away last week.", 0.5, -0.3, False),
        ("Thanks for watching!", 0.01, -0.2, False),
        ("anything", 0.7, -1.2, True),
        ("The contract was signed.", 0.3, -0.7, False),
    ],
)
def test_what_whisper_says_to_silence_is_known(
    text: str, no_speech: float, log_probability: float, imagined: bool
) -> None:
    assert sound.is_imagined(text, no_speech, log_probability) is imagined
