"""From what a transcriber heard to a document: voices, echoes, loops (BR-14, BR-15)."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from brain.errors import Cancelled, EmptySource
from brain.values import Document, Notice, Span, Transcript, Utterance
from ingestion import recordings
from ingestion.loaders.wire import DecodedAudio, Track
from ingestion.recordings import REPEATED


class Says:
    """Answers each track with given utterances."""

    model_id = "says"

    def __init__(self, *answers: Sequence[Utterance]) -> None:
        self._answers = list(answers)

    def ready(self) -> None:
        pass

    def transcribe(
        self,
        audio: Path,
        *,
        language: str | None = None,
        on_progress: Callable[[float, float], None] | None = None,
    ) -> Transcript:
        assert language is None
        assert audio.suffix == ".wav"
        said = self._answers.pop(0)
        for utterance in said:
            if on_progress:
                on_progress(utterance.end, 10.0)
        return Transcript("en", 10.0, tuple(said))


def heard(*answers: Sequence[Utterance], shares: list[float] | None = None, stop: bool = False) -> Document:
    names = ("left", "right") if len(answers) == 2 else ("mixed",)
    return recordings.transcribe(
        DecodedAudio(10.0, tuple(Track(name, f"{name}.wav", 0.5) for name in names)),
        Path(),
        Says(*answers),
        title="call",
        on_progress=(shares if shares is not None else []).append,
        cancelled=lambda: stop,
    )


def test_an_utterance_is_a_span_with_its_seconds() -> None:
    said = [
        Utterance(0.0, 1.5, "Good morning."),
        Utterance(1.6, 3.0, " Let us begin. "),
        Utterance(7.0, 10.4, "Thanks."),
    ]
    shares: list[float] = []
    assert heard(said, shares=shares) == Document(
        text="Good morning.\nLet us begin.\n\nThanks.",
        spans=(
            Span(0, 13, seconds=(0.0, 1.5)),
            Span(14, 27, seconds=(1.6, 3.0)),
            Span(29, 36, seconds=(7.0, 10.0)),
        ),
        language="en",
        title="call",
        units=10,
        unit_name="second",
    )
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_two_voices_are_told_apart_in_the_order_they_speak() -> None:
    document = heard([Utterance(0, 1, "Hello."), Utterance(4, 5, "Fine.")], [Utterance(2, 3, "How are you?")])
    assert document.text == "A: Hello.\nB: How are you?\nA: Fine."


def test_what_both_microphones_heard_is_kept_once() -> None:
    document = heard([Utterance(0, 2, "The price is forty two.")], [Utterance(0.2, 2.1, "The price is forty-two.")])
    assert document.text == "A: The price is forty two."


def test_a_loop_of_the_model_is_cut_to_three_and_its_share_is_said() -> None:
    said = [Utterance(n, n + 1, "Thank you." if n > 1 else f"Sentence {n}.") for n in range(10)]
    document = heard(said)
    assert document.text == "Sentence 0.\nSentence 1.\nThank you.\nThank you.\nThank you."
    assert document.warnings == (Notice(REPEATED, {"limit": 3, "percent": 50}),)


def test_a_loop_inside_an_utterance_is_cut_too() -> None:
    assert heard([Utterance(0, 9, "So " + "and then " * 60)]).text == "So and then and then and then"


def test_sounds_without_words_are_no_speech() -> None:
    with pytest.raises(EmptySource) as verdict:
        heard([Utterance(0, 1, "♪ ♪"), Utterance(1, 2, "...")])
    assert str(verdict.value) == "No speech was found in this recording."


def test_a_stop_ends_transcription_at_the_next_report() -> None:
    with pytest.raises(Cancelled):
        heard([Utterance(0, 1, "Hello.")], stop=True)


def test_what_killed_processes_left_behind_goes_with_the_next_recording(tmp_path: Path) -> None:
    dead = tmp_path / f"{platform.node()}~999999999~x"
    elsewhere = tmp_path / "other-machine~1~x"
    forgotten = tmp_path / "other-machine~2~x"
    for folder in (dead, elsewhere, forgotten):
        folder.mkdir()
        (folder / "mixed.wav").write_bytes(b"x")
    os.utime(forgotten, (0, 0))
    with recordings.workspace(tmp_path) as own:
        assert set(tmp_path.iterdir()) == {elsewhere, own}
    assert list(tmp_path.iterdir()) == [elsewhere]
