"""The same figures as the health page in the text form that Prometheus reads."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from brain.health import Health
from brain.models import Brain, Chunk, Entity, Relation, Source

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def prometheus(health: Health) -> bytes:
    """One exposition. Everything is read from the rows at that moment, so any web process may be asked."""
    registry = CollectorRegistry()

    def gauge(name: str, about: str, *labels: str) -> Gauge:
        return Gauge(f"brain_{name}", about, labels, registry=registry)

    up = gauge("service_up", "1 while the service answers", "service")
    asked = gauge("service_answer_seconds", "What its answer took", "service")
    for service in health.services:
        up.labels(service.name).set(service.up)
        asked.labels(service.name).set(service.seconds)
    waiting = gauge("queue_waiting", "Items that wait", "queue")
    running = gauge("queue_running", "Items being worked on", "queue")
    oldest = gauge("queue_oldest_seconds", "Age of the item that waits longest", "queue")
    for queue in health.queues:
        waiting.labels(queue.name).set(queue.waiting)
        running.labels(queue.name).set(queue.running)
        oldest.labels(queue.name).set(queue.oldest_seconds)
    gauge("disk_free_bytes", "Free space where BRAIN_HOME is").set(health.disk.free)
    gauge("disk_total_bytes", "Size of the disk where BRAIN_HOME is").set(health.disk.total)
    speed = gauge("model_tokens_per_second", "Generated tokens per second in extraction", "model")
    for model in health.models:
        if model.speed is not None:
            speed.labels(model.name).set(model.speed)
    for name, when in (("verified", health.verified_at), ("exported", health.exported_at)):
        if when:
            gauge(f"last_{name}_timestamp_seconds", f"When the ledger was last {name}").set(when.timestamp())
    if health.services[0].up:
        rows = gauge("rows", "Rows in the ledger", "kind")
        for kind in (Brain, Source, Chunk, Entity, Relation):
            rows.labels(kind._meta.model_name).set(kind._default_manager.count())
        states = gauge("sources", "Sources by state", "state")
        for state, count in _by_state().items():
            states.labels(state).set(count)
    return generate_latest(registry)


def _by_state() -> dict[str, int]:
    from django.db.models import Count

    return dict(Source.objects.order_by().values_list("state").annotate(count=Count("pk")))
