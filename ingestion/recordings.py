"""Recordings to text: what the cage decoded goes to the transcriber; what it heard becomes a document."""

from __future__ import annotations

import math
import os
import platform
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from django.utils.translation import gettext_noop as _

from brain.errors import Cancelled, EmptySource
from brain.language import detect_language
from brain.ports import Transcriber
from brain.text import clean_line
from brain.values import Document, Notice, Span, Utterance
from ingestion.loaders.wire import DecodedAudio, Track

WAV_LIMIT_MB = 2048
DECODING_SHARE = 0.05
# Nothing above -60 dB of full scale: no voice, and no model is asked to imagine one.
SILENT_PEAK = 0.001
IN_A_ROW = 3
PAUSE_SECONDS = 2.0

NO_SPEECH = _("No speech was found in this recording.")
REPEATED = _(
    "One sentence came more than %(limit)s times in a row; %(percent)s %% of the transcript were such repeats and "
    "are left out. The recording may hold music or noise there."
)

_ABANDONED_SECONDS = 24 * 3600
_TEXT_LIMIT = 10_000
_STUCK = re.compile(r"(\S.{0,80}?)(?:\s*\1){3,}")
_SPEAKERS = {"left": "A", "right": "B"}


@dataclass(frozen=True, slots=True)
class _Said:
    utterance: Utterance
    speaker: str


@contextmanager
def workspace(home: Path) -> Iterator[Path]:
    """A folder for decoded sound. What processes that were killed left behind goes first."""
    home.mkdir(parents=True, exist_ok=True)
    for left in home.iterdir():
        if _is_abandoned(left):
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f"{platform.node()}~{os.getpid()}~", dir=home) as folder:
        yield Path(folder)


def _is_abandoned(folder: Path) -> bool:
    """Other machines may share the disk, and say nothing of their processes: their folders go after a day."""
    machine, _mark, rest = folder.name.partition("~")
    process = rest.partition("~")[0]
    if machine == platform.node() and process.isdigit() and not Path("/proc", process).exists():
        return True
    try:
        return time.time() - folder.stat().st_mtime > _ABANDONED_SECONDS
    except FileNotFoundError:
        return False


def transcribe(
    audio: DecodedAudio,
    folder: Path,
    transcriber: Transcriber,
    *,
    title: str,
    on_progress: Callable[[float], None],
    cancelled: Callable[[], bool],
) -> Document:
    """One span per utterance, with its seconds. ``EmptySource`` if nobody speaks."""
    tracks = [track for track in audio.tracks if track.peak >= SILENT_PEAK]
    heard: list[_Said] = []
    languages: dict[str, int] = {}
    for number, track in enumerate(tracks):

        def report(done: float, total: float, number: int = number) -> None:
            if cancelled():
                raise Cancelled()
            share = (number + (done / total if total else 1.0)) / len(tracks)
            on_progress(DECODING_SHARE + (1 - DECODING_SHARE) * min(1.0, share))

        transcript = transcriber.transcribe(folder / track.file, on_progress=report)
        said = [_said(utterance, track, len(tracks)) for utterance in transcript.utterances]
        heard.extend(one for one in said if any(letter.isalnum() for letter in one.utterance.text))
        languages[transcript.language] = languages.get(transcript.language, 0) + len(said)
    heard = _without_echo(sorted(heard, key=lambda one: (one.utterance.start, one.speaker)))
    kept, repeats = _without_loops(heard)
    if not kept:
        raise EmptySource(NO_SPEECH)
    share = round(100 * repeats / len(heard))
    warnings = (Notice(REPEATED, {"limit": IN_A_ROW, "percent": share}),) if repeats else ()
    language = max(languages, key=lambda name: languages[name])
    return _document(kept, title, language, audio.duration, warnings)


def _said(utterance: Utterance, track: Track, tracks: int) -> _Said:
    text = _STUCK.sub(lambda loop: " ".join([loop[1]] * IN_A_ROW), clean_line(utterance.text, limit=_TEXT_LIMIT))
    return _Said(Utterance(utterance.start, utterance.end, text), _SPEAKERS.get(track.name, "") if tracks > 1 else "")


def _without_echo(heard: Sequence[_Said]) -> list[_Said]:
    """Both microphones may have heard the same person: the same words at the same time are kept once."""
    kept: list[_Said] = []
    for one in heard:
        if not any(_echoes(one, other) for other in kept[-6:]):
            kept.append(one)
    return kept


def _echoes(one: _Said, other: _Said) -> bool:
    if one.speaker == other.speaker or one.utterance.start >= other.utterance.end:
        return False
    return SequenceMatcher(None, one.utterance.text.casefold(), other.utterance.text.casefold()).ratio() > 0.8


def _without_loops(heard: Sequence[_Said]) -> tuple[list[_Said], int]:
    """At most three times the same in a row (a loop of the model, not of the speaker), and how many went."""
    kept: list[_Said] = []
    last: dict[str, tuple[str, int]] = {}
    for one in heard:
        folded = "".join(letter for letter in one.utterance.text.casefold() if letter.isalnum())
        text, times = last.get(one.speaker, ("", 0))
        last[one.speaker] = (folded, times + 1 if folded == text else 1)
        if last[one.speaker][1] <= IN_A_ROW:
            kept.append(one)
    return kept, len(heard) - len(kept)


def _document(
    said: Sequence[_Said], title: str, language: str, duration: float, warnings: tuple[Notice, ...]
) -> Document:
    text, spans = "", []
    for index, one in enumerate(said):
        if index:
            pause = one.utterance.start - said[index - 1].utterance.end
            text += "\n\n" if pause >= PAUSE_SECONDS else "\n"
        line = f"{one.speaker}: {one.utterance.text}" if one.speaker else one.utterance.text
        seconds = (round(one.utterance.start, 2), round(min(one.utterance.end, duration), 2))
        spans.append(Span(len(text), len(text) + len(line), seconds=seconds))
        text += line
    return Document(
        text=text,
        spans=tuple(spans),
        language=detect_language(text) or language,
        title=title,
        units=math.ceil(duration),
        unit_name="second",
        warnings=warnings,
    )
