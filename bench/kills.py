"""SIGKILL for the real process, in every stage, and what becomes of the work.

    python -m bench.kills [--trials 10] [--stack embedded|servers] [--file FILE --moments 3 --replies RECORDING]

Starts ``manage.py serve``, gives it a source, kills the process (and all its children) as soon as the source is seen
in the wanted stage, and starts it again. In the end the canonical dump must equal that of an undisturbed run. With
``--file`` one file is read instead, and the process is killed at so many random moments of the time that it takes
undisturbed. ``--replies`` is a recording of a real model (``bench.ingest --record``); a passage that is not in it
fails, in both runs.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench import homes
from bench.report import report
from bench.servers import stack_settings

STAGES = ("read", "index", "embed", "extract", "deletion")
_FACTS = ("Ada Byron (person) advises Engine Works", "Kim Minji (person) visits Difference Hall")
_REPLIES = {
    a: {"entities": [[a, "person"], [b, kind]], "relations": [[a, predicate, b]]}
    for a, predicate, b, kind in (
        ("Ada Byron", "advises", "Engine Works", "organization"),
        ("Kim Minji", "visits", "Difference Hall", "place"),
    )
} | {"": {"entities": [], "relations": []}}


def document(number: int) -> bytes:
    """About 90,000 characters: every stage lasts long enough to be met."""
    rng = random.Random(number)
    filling = "This paragraph is here so that there is something to read and to cut into passages. " * 8
    parts = [f"Report {number}.", *(f"{rng.choice(_FACTS)}. {filling}{rng.random()}" for _ in range(120))]
    return "\n\n".join(parts).encode()


class Server:
    """``manage.py serve`` as a process that can be killed with all its children."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_failure: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--no-models", "--port", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def kill(self) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self.process.wait(timeout=60)


class Rows:
    """Looks at the database from outside, as an operator would."""

    def one(self, sql: str, *values: Any) -> tuple[Any, ...] | None:
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            row: tuple[Any, ...] | None = cursor.fetchone()
            return row

    def source(self, key: str) -> tuple[Any, ...] | None:
        """(state, stage, lease token, lease owner), or None when it is gone."""
        return self.one("select state, stage, lease_token, lease_owner from brain_source where id = %s", key)


def wait_for(condition: Any, seconds: float, every: float = 0.01) -> float:
    """Seconds until the condition held; ``TimeoutError`` if it did not."""
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > seconds:
            raise TimeoutError
        time.sleep(every)
    return time.monotonic() - started


def upload(content: bytes, title: str) -> str:
    from brain.models import Brain
    from ingestion import uploads

    brain = Brain.objects.get_or_create(name="kills")[0]
    return uploads.accept(brain, None, title, io.BytesIO(content)).pk.hex


def kill_in_stage(server: Server, rows: Rows, stage: str, number: int) -> dict[str, float]:
    """One trial: seconds from the restart until work goes on, and until the source is where it should be."""
    from brain.ledger import deletion
    from brain.models import Source

    key = upload(document(number), f"{stage}-{number}.txt")
    if stage == "deletion":
        wait_for(lambda: (rows.source(key) or ("",))[0] == "done", 300, 0.05)
        deletion.purge(Source.objects.get(pk=key), None)
        wait_for(lambda: rows.one("select 1 from brain_deletion where lease_owner != '' or step = 'done'"), 60)
    else:
        wait_for(lambda: _works_on(rows.source(key), stage), 120)
    token = (rows.source(key) or (None, None, 0))[2]
    server.kill()
    started = time.monotonic()
    server.start()
    if stage == "deletion":
        wait_for(lambda: rows.source(key) is None and not _open_journals(rows), 120, 0.05)
        return {"resumed": time.monotonic() - started, "finished": time.monotonic() - started}
    wait_for(lambda: (rows.source(key) or (0, 0, token))[2] > token, 120)
    resumed = time.monotonic() - started
    wait_for(lambda: (rows.source(key) or ("",))[0] in _ENDED, 300, 0.05)
    return {"resumed": resumed, "finished": time.monotonic() - started}


_ENDED = frozenset({"done", "partial", "failed"})


def _works_on(row: tuple[Any, ...] | None, stage: str) -> bool:
    return row is not None and row[1] == stage and bool(row[3])


def _open_journals(rows: Rows) -> bool:
    return rows.one("select 1 from brain_deletion where finished_at is null") is not None


def kill_at_moments(
    server: Server, rows: Rows, file: Path, moments: int, span: float, seed: int
) -> list[dict[str, float]]:
    """Kill at random moments of ``span`` seconds of work, counted anew from each restart: sooner, every kill would
    fall into reading, and a file that is there at three deaths in one stage is set aside."""
    rng = random.Random(seed)
    key = upload(file.read_bytes(), file.name)
    figures = []
    for _ in range(moments):
        time.sleep(rng.uniform(0.25, 0.7) * span)
        before = rows.source(key) or ("", "", 0)
        server.kill()
        started = time.monotonic()
        server.start()
        print(f"killed in {before[1]} ({before[0]})", file=sys.stderr)
        if before[0] not in _ENDED:
            wait_for(lambda: (rows.source(key) or (0, 0, 0))[2] > before[2], 120)  # noqa: B023
        figures.append({"resumed": time.monotonic() - started})
    wait_for(lambda: (rows.source(key) or ("",))[0] in _ENDED, 3600, 0.2)
    return [{**each, "finished": time.monotonic() - started} for each in figures]


def dump() -> list[str]:
    from brain import bootstrap
    from brain.ledger import dump as dumps
    from brain.models import Brain

    lines = dumps.canonical(Brain.objects.get(name="kills").pk)
    bootstrap.close_all()
    return lines


@contextmanager
def environment(home: Path, embedder: str, replies: Path | None) -> Iterator[None]:
    script = home / "replies.json"
    home.mkdir(parents=True)
    script.write_text(json.dumps({piece: json.dumps(reply) for piece, reply in _REPLIES.items()}), encoding="utf-8")
    wanted = {
        "BRAIN_LLM": f"recorded:{replies.absolute()}" if replies else f"scripted:{script}",
        "BRAIN_EMBEDDER": embedder,
        "BRAIN_RECONCILE_SECONDS": "1",
        "BRAIN_HOME": str(home),
    }
    os.environ.update(wanted)
    yield


def undisturbed(contents: list[tuple[str, bytes]], folder: Path, template: Path) -> tuple[list[str], float]:
    """The dump of an installation in which nothing was killed, and the seconds it worked."""

    def build() -> tuple[list[str], float]:
        from brain import bootstrap
        from ingestion import worker
        from ingestion.pipeline import Ports

        homes.use_home(folder, template)
        for title, content in contents:
            upload(content, title)
        started = time.monotonic()
        worker.work_all(Ports(llm=bootstrap.llm))
        seconds = time.monotonic() - started
        return dump(), seconds

    return homes.in_process(build)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--moments", type=int, default=3)
    parser.add_argument("--replies", type=Path)
    parser.add_argument("--stack", choices=["embedded", "servers"], default="embedded")
    parser.add_argument("--embedder", default="hash")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, default=8731)
    options = parser.parse_args()
    started = time.monotonic()
    with (
        homes.temporary_home() as folder,
        environment(folder / "home", options.embedder, options.replies),
        stack_settings(options.stack, folder / "home") as settings,
        Server(options.port) as server,
    ):
        homes.start_django(folder / "home", **settings)
        run = _file if options.file else _stages
        figures, wanted = run(server, Rows(), folder, options)
        server.stop()
        after = homes.in_process(dump)
    differences = sorted(set(after) ^ set(wanted))
    for line in differences[:5]:
        print(line[:300], file=sys.stderr)
    resumed = [each["resumed"] for trials in figures.values() for each in trials if "resumed" in each]
    report(
        trials={stage: len(trials) for stage, trials in figures.items()},
        kills=options.moments if options.file else sum(map(len, figures.values())),
        differences=len(differences),
        resumed_seconds_max=round(max(resumed), 1) if resumed else None,
        resumed_seconds_p50=round(sorted(resumed)[len(resumed) // 2], 1) if resumed else None,
        finished_seconds={stage: round(max(e["finished"] for e in trials), 1) for stage, trials in figures.items()},
        dump_lines=len(wanted),
        stack=options.stack,
        model="recorded" if options.replies else "scripted",
        seconds=round(time.monotonic() - started, 1),
        notes="whole process group killed; resumed counts from the restart and includes Django's start",
    )


Run = tuple[dict[str, list[dict[str, float]]], list[str]]


def _file(server: Server, rows: Rows, folder: Path, options: argparse.Namespace) -> Run:
    """Seconds by moment, and the undisturbed dump."""
    contents = [(options.file.name, options.file.read_bytes())]
    wanted, span = undisturbed(contents, folder / "undisturbed", _empty(folder))
    print(f"undisturbed: {span:.1f} s", file=sys.stderr)
    server.start()
    return {"file": kill_at_moments(server, rows, options.file, options.moments, span, options.seed)}, wanted


def _stages(server: Server, rows: Rows, folder: Path, options: argparse.Namespace) -> Run:
    """Seconds by stage, and the undisturbed dump."""
    figures: dict[str, list[dict[str, float]]] = {}
    contents: list[tuple[str, bytes]] = []
    server.start()
    for number, stage in enumerate(stage for stage in STAGES for _ in range(options.trials)):
        seconds = kill_in_stage(server, rows, stage, number)
        figures.setdefault(stage, []).append(seconds)
        print(f"{stage} {number}: resumed after {seconds['resumed']:.1f} s", file=sys.stderr)
        if stage != "deletion":
            contents.append((f"{stage}-{number}.txt", document(number)))
    return figures, undisturbed(contents, folder / "undisturbed", _empty(folder))[0]


def _empty(folder: Path) -> Path:
    """A migrated database without rows."""
    template = folder / "empty.sqlite3"
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "-v", "0"],
        check=True,
        env={**os.environ, "BRAIN_DATABASE": f"sqlite://{template}"},
    )
    return template


if __name__ == "__main__":
    main()
