"""Each server killed for a while during ingestion and chat, and what a person and the work see of it.

    python -m bench.faults [--seconds 30] [--stop neo4j redis postgresql model-server]

Runs ``manage.py serve`` on PostgreSQL, Redis, Neo4j and a model server whose replies are scripted, uploads and asks
over HTTP as a person would, kills a server in mid extraction, goes on uploading and asking, and starts it again.
``normal_seconds`` counts from then until a new question is answered and a new file is found; ``settled_seconds``
until nothing waits any more. In the end every store must agree with the rows, and the brain must equal one into
which the same files went undisturbed.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import homes
from bench.app import App, wait_for
from bench.person import PASSWORD, Person, document
from bench.report import report
from bench.servers import Servers, servers

STOPPED = ("neo4j", "redis", "postgresql", "model-server")
_PASSAGES = 40
_REPLY_SECONDS = 0.4


class Rows:
    """Looks at the rows from outside; None while the database is away."""

    def ask(self, query: Callable[[], Any]) -> Any:
        from django.db import DatabaseError, close_old_connections

        close_old_connections()
        try:
            return query()
        except DatabaseError:
            return None

    def extracted(self) -> int:
        from brain.models import Chunk

        return self.ask(lambda: Chunk.objects.exclude(state="pending").count()) or 0

    def open(self) -> int | None:
        """What waits or is being worked on."""
        from brain.models import Message, Projection, Source

        def count() -> int:
            sources = Source.objects.filter(state__in=["queued", "running", "waiting"]).count()
            return (
                sources + Message.objects.filter(status__in=["queued", "running"]).count() + Projection.objects.count()
            )

        found: int | None = self.ask(count)
        return found

    def answered(self, message: str) -> bool:
        from brain.models import Message

        return bool(self.ask(Message.objects.filter(pk=message).exclude(status__in=["queued", "running"]).exists))

    def searchable(self, brain: str, name: str) -> bool:
        from brain.models import Source

        return bool(
            self.ask(Source.objects.filter(brain=brain, title=f"{name}.txt", searchable_at__isnull=False).exists)
        )


def trial(name: str, seconds: float, stack: Servers, person: Person, rows: Rows) -> dict[str, Any]:
    """One server away for so long; what was seen meanwhile and how long everything took afterwards."""
    person.said, person.longest = Counter(), 0.0
    before = rows.extracted()
    person.upload(f"{name}-large", document(f"{name}-large", _PASSAGES))
    wait_for(lambda: rows.extracted() >= before + 5, 120)
    person.ask()
    stack.kill(name)
    ends, number = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        if number % 3 == 0:
            person.upload(f"{name}-{number}", document(f"{name}-{number}", 1))
        person.ask()
        number += 1
        time.sleep(min(max(1.0, seconds / 12), max(0.0, ends - time.monotonic())))
    meanwhile = Counter(person.said)
    stack.start(name)
    back = time.monotonic()
    wait_for(lambda: person.upload(f"{name}-after", document(f"{name}-after", 1)) == "accepted", 300)
    asked = ""
    while not asked:
        asked = person.ask()
        time.sleep(0.2)
    wait_for(lambda: rows.answered(asked) and rows.searchable(person.brain, f"{name}-after"), 600)
    normal = time.monotonic() - back
    wait_for(lambda: rows.open() == 0, 900)
    settled = time.monotonic() - back
    print(f"{name}: normal after {normal:.1f} s, settled after {settled:.1f} s, {dict(meanwhile)}", file=sys.stderr)
    return {
        "normal_seconds": round(normal, 1),
        "settled_seconds": round(settled, 1),
        "said_meanwhile": dict(meanwhile),
        "longest_page_seconds": round(person.longest, 1),
    }


def judge(person: Person) -> dict[str, int]:
    """What was promised against what the rows hold."""
    import hashlib

    from brain import originals
    from brain.models import Message, Source

    lost = 0
    for name, content in person.uploaded.items():
        row = Source.objects.filter(brain=person.brain, title=f"{name}.txt").first()
        kept = row is not None and hashlib.sha256(originals.path_of(row.sha256).read_bytes()).hexdigest() == row.sha256
        lost += not (kept and row is not None and row.size == len(content))
    messages = Message.objects.filter(conversation__brain=person.brain)
    told = messages.filter(status__in=["answered", "partially_supported", "contradictory"])
    return {
        "uploads": len(person.uploaded),
        "lost": lost,
        "failed": Source.objects.filter(brain=person.brain).exclude(state="done").count(),
        "questions": len(person.asked),
        "questions_lost": len(person.asked) - messages.filter(pk__in=person.asked).count(),
        "questions_failed": messages.filter(status="failed").count(),
        "answered": told.count(),
        "answered_without_source": told.filter(citations=None).count(),
    }


def make_brain(name: str) -> str:
    from brain.models import Brain, Membership, User

    owner = User.objects.filter(username="owner").first() or User.objects.create_user("owner", password=PASSWORD)
    brain = Brain.objects.create(name=name)
    Membership.objects.create(brain=brain, user=owner, role="owner")
    return str(brain.pk)


def differences(disturbed: str, undisturbed: str) -> list[str]:
    """Between the two brains, and between the stores and the rows."""
    from uuid import UUID

    from brain import bootstrap
    from brain.ledger import dump, verify
    from brain.models import Brain

    lines = [set(dump.canonical(UUID(brain))) for brain in (disturbed, undisturbed)]
    found = sorted(lines[0] ^ lines[1])
    found += [str(finding) for brain in Brain.objects.all() for finding in verify.check(brain)]
    found += [str(finding) for finding in verify.check_shared()]
    bootstrap.close_all()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--stop", nargs="+", choices=STOPPED, default=list(STOPPED))
    parser.add_argument("--port", type=int, default=8732)
    options = parser.parse_args()
    started = time.monotonic()
    figures: dict[str, dict[str, Any]] = {}
    with (
        homes.temporary_home("brain-faults-") as folder,
        servers(folder / "home", reply_seconds=_REPLY_SECONDS) as stack,
    ):
        homes.start_django(folder / "home", **stack.settings(), BRAIN_EMBEDDER="hash", BRAIN_LOG_LEVEL="WARNING")
        rows, log = Rows(), Path(os.environ.get("BRAIN_BENCH_LOG", str(folder / "serve.log")))
        app = App(options.port, log)
        try:
            person = Person(app.address, make_brain("disturbed"))
            person.log_in()
            for name in options.stop:
                figures[name] = trial(name, options.seconds, stack, person, rows)
            survived = app.alive
            judged = judge(person)
            calm = Person(app.address, make_brain("undisturbed"))
            calm.log_in()
            for name, content in person.uploaded.items():
                calm.upload(name, content)
            wait_for(lambda: rows.open() == 0, 900)
        finally:
            app.stop()
        found = homes.in_process(lambda: differences(person.brain, calm.brain))
    for line in found[:10]:
        print(line[:300], file=sys.stderr)
    report(
        stopped_seconds=options.seconds,
        servers=figures,
        **judged,
        differences=len(found),
        process_survived=survived,
        model="scripted",
        seconds=round(time.monotonic() - started, 1),
        notes="each server killed without warning in mid extraction; the app was started once",
    )


if __name__ == "__main__":
    main()
