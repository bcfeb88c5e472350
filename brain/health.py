"""How the installation is: for the page, the command and the monitoring. Names and numbers only, never a content."""

from __future__ import annotations

import importlib.util
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection
from django.db.models import F, Min, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from brain import bootstrap, weights
from brain.env import without_password
from brain.errors import BrainError, ServiceUnavailable
from brain.ledger import indexes
from brain.models import Audit, Brain, Deletion, Extraction, Message, Projection, Source, SourceStage, SourceState
from brain.values import Notice, PointFilter

NO_DATABASE = _("The database does not answer.")
_NO_BROKER = _("The message broker does not answer. Work goes on when it is back; nothing is lost.")
_NO_GRAPH = _("Imported brains whose graph is still to be made: %(n)s. Stop Brain, then run: manage.py rebuild --graph")
_NO_INDEX = _(
    "Imported brains whose search index is still to be made: %(n)s. Stop Brain, then run: manage.py rebuild --vectors"
)
_ELSEWHERE = _("In use by the serving process.")

#: Extractions that the measured speed of a model is taken from.
_LATEST_CALLS = 200
#: Days of uploads that the forecast of the disk is taken from.
_FORECAST_DAYS = 30


@dataclass(frozen=True, slots=True)
class Service:
    """``problem`` is empty while it answers; ``seconds`` is what the answer took."""

    name: str
    adapter: str
    up: bool
    seconds: float
    problem: Notice


@dataclass(frozen=True, slots=True)
class Queue:
    """``oldest``: since when the longest waiting item waits."""

    name: str
    waiting: int
    running: int
    oldest: datetime | None

    @property
    def oldest_seconds(self) -> float:
        return max(0.0, (timezone.now() - self.oldest).total_seconds()) if self.oldest else 0.0


@dataclass(frozen=True, slots=True)
class Disk:
    """In bytes. ``days_left`` until the reserve is reached if uploads go on as in the last 30 days; None without."""

    free: int
    total: int
    reserve: int
    days_left: float | None

    @property
    def soon_full(self) -> bool:
        """In ten years or less: of more, nobody knows how uploads go."""
        return self.days_left is not None and self.days_left < 3650

    @property
    def low(self) -> bool:
        return self.free < self.reserve


@dataclass(frozen=True, slots=True)
class ModelHealth:
    """``speed`` in generated tokens per second, measured on this machine; None before the first extraction."""

    name: str
    digest: str
    speed: float | None


@dataclass(frozen=True, slots=True)
class Health:
    """``to_make``: which stores lack what an import brought, and the command that fills them."""

    services: tuple[Service, ...]
    queues: tuple[Queue, ...]
    disk: Disk
    models: tuple[ModelHealth, ...]
    verified_at: datetime | None
    exported_at: datetime | None
    to_make: tuple[Notice, ...] = ()

    @property
    def up(self) -> bool:
        return all(service.up for service in self.services)


def report() -> Health:
    """Everything. Asks each service, so it may take some seconds while one is away."""
    found = services()
    if not found[0].up:
        return Health(found, (), disk(rate=False), (), None, None)
    return Health(found, queues(), disk(), models(), _last("verify"), _last("export"), to_make())


def alive() -> bool:
    """For a load balancer: this process can serve pages."""
    return _database().up


def services() -> tuple[Service, ...]:
    """The database first; the others are not asked without it."""
    database = _database()
    if not database.up:
        return (database,)
    return (
        database,
        _ask("graph", settings.BRAIN_GRAPH, lambda: bootstrap.graph_store().ping()),
        _ask("vectors", settings.BRAIN_VECTORS, _vectors),
        _ask("events", settings.BRAIN_EVENTS, lambda: bootstrap.event_log().read("health")),
        _ask("broker", settings.BRAIN_BROKER, _broker),
        _ask("language model", settings.BRAIN_LLM, _language_model),
    )


def queues() -> tuple[Queue, ...]:
    """Work that waits, most urgent first."""
    now = timezone.now()
    open_sources = Source.objects.filter(state__in=[SourceState.QUEUED, SourceState.RUNNING, SourceState.WAITING])
    reading = Q(stage__in=[SourceStage.READ, SourceStage.INDEX, SourceStage.EMBED])
    held = Q(lease_until__gt=now)
    messages = Message.objects.filter(status__in=["queued", "running"])
    deletions = Deletion.objects.filter(finished_at=None)
    return (
        _queue("questions", messages, Q(status="running"), "created_at"),
        _queue("files", open_sources.filter(reading), held, "created_at"),
        _queue("graph", open_sources.exclude(reading), held, "created_at"),
        _queue("deletions", deletions, held, "requested_at"),
        _queue("outbox", Projection.objects.all(), None, "created_at"),
    )


def to_make() -> tuple[Notice, ...]:
    """From marks that the import leaves; the stores are not asked."""
    brains = Brain.objects.filter(deleted_at=None)
    graphs = 0 if _graph_is_ledger() else brains.filter(graph_to_make=True).count()
    found = ((_NO_GRAPH, graphs), (_NO_INDEX, brains.filter(vectors_to_make=True).count()))
    return tuple(Notice(text, {"n": n}) for text, n in found if n)


def _graph_is_ledger() -> bool:
    store = bootstrap.adapter_class("BRAIN_GRAPH", settings.BRAIN_GRAPH, bootstrap.GRAPH_STORES)
    return bool(store.reads_ledger)


def disk(*, rate: bool = True) -> Disk:
    usage = shutil.disk_usage(settings.BRAIN_HOME)
    reserve = settings.FREE_DISK_MB * 1024 * 1024
    daily = _daily_bytes() if rate else 0.0
    left = max(0, usage.free - reserve) / daily if daily else None
    return Disk(usage.free, usage.total, reserve, left)


def models() -> tuple[ModelHealth, ...]:
    known = [
        ModelHealth(name, weights.digest_of(name) if weights.status((name,))[0].state == "ready" else "", None)
        for name in weights.wanted()
    ]
    latest = Extraction.objects.filter(seconds__gt=0).order_by("-id").values("pk")[:_LATEST_CALLS]
    measured = (
        Extraction.objects.filter(pk__in=list(latest.values_list("pk", flat=True)))
        .values("model_id")
        .order_by("model_id")
        .annotate(speed=Sum("completion_tokens") * 1.0 / Sum("seconds"))
    )
    return (*known, *(ModelHealth(row["model_id"], "", round(row["speed"], 1)) for row in measured))


def _database() -> Service:
    def query() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
        except DatabaseError as error:
            raise ServiceUnavailable(NO_DATABASE) from error

    return _ask("database", connection.vendor, query)


def _ask(name: str, setting: str, question: Callable[[], object]) -> Service:
    start, problem = time.monotonic(), Notice("")
    try:
        question()
    except BrainError as error:
        problem = error.notice
    except (ImproperlyConfigured, OSError) as error:
        # A setting that names no adapter, or a key's file that is not there: its own words say which.
        problem = Notice(str(error))
    up = problem.text in {"", _ELSEWHERE}
    return Service(name, without_password(setting), up, round(time.monotonic() - start, 3), problem)


def _vectors() -> None:
    try:
        indexes.active().count(PointFilter(brain="health"))
    except ServiceUnavailable as error:
        from brain.backends.vectors.edge import IN_USE

        if error.notice.text == IN_USE:
            raise ServiceUnavailable(_ELSEWHERE) from error
        raise


def _broker() -> None:
    from celery import current_app
    from kombu.exceptions import OperationalError

    with current_app.connection_for_write() as broker:
        try:
            broker.ensure_connection(max_retries=1, timeout=3)
        except OperationalError as error:
            raise ServiceUnavailable(_NO_BROKER) from error


def _language_model() -> None:
    """A server is asked; in process weights and engine have to be here, as asking would load them."""
    if not weights.needs_engine():
        model = bootstrap.llm()
        if ping := getattr(model, "ping", None):
            ping()
        return
    weights.path_of(weights.chosen_llm(settings.BRAIN_LLM_MODEL))
    if importlib.util.find_spec("llama_cpp") is None:
        raise ServiceUnavailable(_("The language model's engine is still being installed."))


def _queue(name: str, rows: QuerySet[Any], running: Q | None, since: str) -> Queue:
    busy = rows.filter(running).count() if running is not None else 0
    waiting = rows.exclude(running) if running is not None else rows
    return Queue(name, waiting.count(), busy, waiting.aggregate(oldest=Min(F(since)))["oldest"])


def _daily_bytes() -> float:
    """What the disk loses per day: the originals that came, and as much again per byte as all the rest takes."""
    since = timezone.now() - timedelta(days=_FORECAST_DAYS)
    new = Source.objects.filter(created_at__gt=since).aggregate(size=Sum("size"), first=Min("created_at"))
    if not new["size"]:
        return 0.0
    days = max(1.0, (timezone.now() - new["first"]).total_seconds() / 86_400)
    originals = Source.objects.aggregate(size=Sum("size"))["size"] or 1
    # Rows, vectors and index next to a byte of original: 3 for text, little for recordings.
    kept = sum(path.stat().st_size for path in Path(settings.BRAIN_HOME).glob("*.sqlite3*"))
    return float(new["size"] / days * (1 + kept / originals))


def _last(action: str) -> datetime | None:
    return Audit.objects.filter(action=action).order_by("-at").values_list("at", flat=True).first()
