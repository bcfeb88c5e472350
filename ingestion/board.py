"""What the sources page says about a source: its stages with counts and times, and what may be done now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.db.models import Avg, Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from brain.access import Access
from brain.models import Chunk, ChunkState, Extraction, Source, SourceStage, SourceState

StepState = Literal["done", "current", "held", "stopped", "todo"]
Action = Literal["open", "retry", "delete", "restore", "purge"]

_ORDER = (SourceStage.READ, SourceStage.INDEX, SourceStage.EMBED, SourceStage.EXTRACT)
_BUSY = frozenset({SourceState.QUEUED, SourceState.RUNNING})
# An estimate from less than this says nothing yet.
_LEAST_SHARE, _LEAST_SECONDS = 0.02, 3.0


@dataclass(frozen=True, slots=True)
class Counts:
    """Passages of a source by what has been done with them."""

    total: int = 0
    embedded: int = 0
    extracted: int = 0
    failed: int = 0
    truncated: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """``share`` of the work from 0 to 1; ``seconds`` so far; ``left`` an estimate in seconds, or None."""

    name: str
    state: StepState
    share: float
    done: int
    total: int
    seconds: float | None
    left: float | None


@dataclass(frozen=True, slots=True)
class Board:
    source: Source
    counts: Counts
    steps: tuple[Step, ...]
    actions: tuple[Action, ...]

    @property
    def busy(self) -> bool:
        """True while the list should be looked at again."""
        return self.source.state in _BUSY or self.source.state == SourceState.WAITING

    @property
    def state_words(self) -> str:
        """The state as a person would say it."""
        if not self.searchable:
            return self.source.get_state_display()
        if self.source.state == SourceState.WAITING:
            return _("searchable, the rest waits")
        if self.source.stage != SourceStage.EXTRACT:
            return _("searchable")
        growing = self.source.state == SourceState.RUNNING
        return _("searchable, graph growing") if growing else _("searchable, graph waits its turn")

    @property
    def searchable(self) -> bool:
        """True while it can be asked about already though work on it goes on."""
        return bool(self.source.searchable_at) and self.busy


def boards(sources: Iterable[Source], access: Access) -> list[Board]:
    """One board per source, in order; two queries for all of them."""
    rows = list(sources)
    counts = counts_of([source.pk for source in rows])
    pace = seconds_per_passage() if any(source.state in _BUSY for source in rows) else None
    now = timezone.now()
    return [_board(source, counts.get(source.pk, Counts()), access, pace, now) for source in rows]


def counts_of(source_ids: list[UUID]) -> dict[UUID, Counts]:
    grouped = (
        Chunk.objects.filter(source__in=source_ids)
        .order_by()
        .values("source")
        .annotate(
            total=Count("id"),
            embedded_count=Count("id", filter=Q(embedded=True)),
            extracted=Count("id", filter=~Q(state=ChunkState.PENDING)),
            failed=Count("id", filter=Q(state=ChunkState.FAILED)),
            truncated=Count("id", filter=Q(state=ChunkState.TRUNCATED)),
        )
    )
    return {
        row["source"]: Counts(row["total"], row["embedded_count"], row["extracted"], row["failed"], row["truncated"])
        for row in grouped
    }


def seconds_per_passage() -> float | None:
    """How long this machine's model took for a passage lately; None before the first."""
    latest = Extraction.objects.order_by("-id").values("id")[:40]
    average = Extraction.objects.filter(id__in=list(latest.values_list("id", flat=True))).aggregate(each=Avg("seconds"))
    each = average["each"]
    return float(each) if each else None


def _board(source: Source, counts: Counts, access: Access, pace: float | None, now: datetime) -> Board:
    reached = _ORDER.index(SourceStage(source.stage)) if source.stage in _ORDER else len(_ORDER)
    steps = tuple(_step(source, counts, place, reached, pace, now) for place in range(len(_ORDER)))
    return Board(source, counts, steps, _actions(source, counts, access))


def _step(source: Source, counts: Counts, place: int, reached: int, pace: float | None, now: datetime) -> Step:
    stage = _ORDER[place]
    done, total = {
        SourceStage.EMBED: (counts.embedded, counts.total),
        SourceStage.EXTRACT: (counts.extracted, counts.total),
    }.get(stage, (0, 0))
    kept = source.stage_seconds.get(stage.value)
    if place < reached:
        return Step(str(stage.label), "done", 1.0, total, total, kept, None)
    if place > reached:
        return Step(str(stage.label), "todo", 0.0, done, total, None, None)
    share = done / total if total else min(1.0, max(0.0, source.progress))
    running = source.state == SourceState.RUNNING
    seconds = (kept or 0.0) + (
        (now - source.stage_started_at).total_seconds() if running and source.stage_started_at else 0.0
    )
    left = _left(stage, share, seconds, total - done, pace) if running else None
    return Step(str(stage.label), _current(source, bool(done or kept)), share, done, total, seconds or None, left)


def _current(source: Source, begun: bool) -> StepState:
    if source.state in {SourceState.FAILED, SourceState.PARTIAL}:
        return "stopped"
    if source.state == SourceState.QUEUED:
        return "held" if begun else "todo"
    return "held" if source.state == SourceState.WAITING else "current"


def _left(stage: SourceStage, share: float, seconds: float, passages: int, pace: float | None) -> float | None:
    """Seconds to go, from the share done so far in so much time; for the graph, until there is enough of that, from
    the model's recent pace. That pace alone leaves out everything but the model: with a fast one, minutes."""
    if share >= _LEAST_SHARE and seconds >= _LEAST_SECONDS:
        return seconds * (1 - share) / share
    return passages * pace if stage == SourceStage.EXTRACT and pace else None


def _actions(source: Source, counts: Counts, access: Access) -> tuple[Action, ...]:
    actions: list[Action] = ["open"] if counts.total else []
    if not access.may_write:
        return tuple(actions)
    if source.trashed_at:
        return (*actions, "restore", "purge")
    resting = source.state not in _BUSY
    if source.may_be_retried or (resting and counts.failed + counts.truncated):
        actions.append("retry")
    return (*actions, "delete")
