"""Random histories of uploads, re-reading, deletion, kills and restarts, each compared with a fresh build.

    python -m bench.deletion --histories 1000 [--seed 1] [--stack embedded|servers]

A history is a function of its seed. After it, whatever was interrupted is carried on by a new process, and the
canonical dump of every store must equal that of a new installation that was given only what should be left. With
``servers`` the rows are in PostgreSQL, the graph in Neo4j and the bell in Redis; every history has a new database.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import random
import shutil
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from bench import homes
from bench.report import report
from bench.servers import stack_settings

BRAINS = ("north", "south")
_NAMES = ("Ada Byron", "Engine Works", "Lovelace Mill", "ada  byron", "Difference Hall", "Kim Minji", "Hanbit Pump")
_TYPES = ("person", "organization", "place", "product")
_VERBS = ("advises", "owns", "visits", "was built by", "employs")


@dataclass(slots=True)
class History:
    """What was done and acknowledged. ``present`` and ``gone`` are (brain, content) by acknowledgement."""

    uploaded: set[tuple[str, str]] = field(default_factory=set)
    purged: set[tuple[str, str]] = field(default_factory=set)
    kills: int = 0
    done: Counter[str] = field(default_factory=Counter)


def documents(rng: random.Random) -> list[str]:
    """Small texts about the same few names, some longer than one passage, some of the same facts in other words."""
    texts = []
    for number in range(rng.randint(2, 4)):
        facts = [f"{_name(rng)} {rng.choice(_VERBS)} {_name(rng)}." for _ in range(rng.randint(0, 6))]
        canary = f"canary{rng.randrange(10**6)}"
        # The word of this text alone also names an entity and stands in a fact, so in descriptions and relations.
        facts.append(f"{canary} Works (organization) owns {canary} Hall (place).")
        padding = "Nothing else happened on that quiet day. " * rng.choice((1, 1, 60))
        texts.append(f"Report {number} of {canary}.\n\n" + padding.join(["", *facts, ""]))
    return texts


def _name(rng: random.Random) -> str:
    return f"{rng.choice(_NAMES)} ({rng.choice(_TYPES)})"


# --- what one process does -------------------------------------------------------------------------------------


def _ports() -> Any:
    from ingestion.loaders import text
    from ingestion.pipeline import Ports

    def read(path: Path, _media_type: str, *, title: str, **_: Any) -> Any:
        return text.load(path, "text/plain", title=title)

    return Ports(llm=_llm, read=read)


@cache
def _llm() -> Any:
    from bench import plain_facts

    return plain_facts.model()


def _work(rounds: int) -> None:
    from ingestion import worker

    for _ in range(rounds):
        if not any(worker.work(stages, _ports()) for stages in (worker.READING, worker.EMBEDDING, worker.EXTRACTING)):
            return


def _settle(rounds: int) -> int:
    """Carry on deletions; how often the model was asked meanwhile."""
    from brain.ledger import journal

    before = len(_llm().history)
    for _ in range(rounds):
        if not [journal.advance(each) for each in journal.due()]:
            break
    return len(_llm().history) - before


def _restart() -> None:
    """What ``serve`` does first: whoever held a lease is dead."""
    from brain.models import Deletion, Source
    from brain.startup import take_over

    take_over()
    Source.objects.update(retry_at=None)
    Deletion.objects.update(retry_at=None)


def _brain(name: str) -> Any:
    from brain.models import Brain

    return Brain.objects.get_or_create(name=name)[0]


def _source(brain: str, text: str) -> Any:

    from brain.models import Source
    from brain.text import clean_text

    sha = hashlib.sha256(clean_text(text).encode()).hexdigest()
    return Source.objects.filter(brain__name=brain, sha256=sha, purge_requested_at=None).first()


def act(action: str, brain: str, text: str, rounds: int) -> str:
    """One deed of a person or of the workers; what was acknowledged."""
    from brain.errors import DuplicateSource
    from brain.ledger import deletion
    from ingestion import uploads

    if action == "upload":
        try:
            uploads.accept(_brain(brain), None, "report.txt", io.BytesIO(text.encode()))
        except DuplicateSource:
            return "duplicate"
        return "uploaded"
    if action == "work":
        _work(rounds)
        return "worked"
    if action == "settle":
        return f"model calls {_settle(rounds)}"
    source = _source(brain, text)
    if source is None:
        return "nothing"
    if action == "purge":
        deletion.purge(source, None)
        return "purged"
    if action == "trash":
        deletion.trash(source, None)
    elif action == "restore":
        deletion.restore(source, None)
    elif action == "reread":
        uploads.reread(source, None)
    elif action == "retry":
        uploads.retry(source, None)
    return action


def _act(action: str, brain: str, text: str, rounds: int, kill: homes.KillAt | None, restarted: bool) -> str:
    from django.db import connection

    if restarted:
        _restart()
    if kill is None:
        return act(action, brain, text, rounds)
    with connection.execute_wrapper(kill):
        return act(action, brain, text, rounds)


# --- a history and its judgement ---------------------------------------------------------------------------------

_ACTIONS = (
    "upload",
    "upload",
    "upload",
    "work",
    "work",
    "work",
    "settle",
    "purge",
    "purge",
    "trash",
    "restore",
    "reread",
)


def run(seed: int, folder: Path, template: Path) -> tuple[History, list[str]]:
    """Play a history; the differences from a fresh build of what it left."""
    rng = random.Random(seed)
    texts = documents(rng)
    history = History()
    home = folder / "history"
    homes.use_home(home, template)
    restarted = True
    calls = 0
    for _ in range(rng.randint(6, 14)):
        action, brain, text = rng.choice(_ACTIONS), rng.choice(BRAINS), rng.choice(texts)
        kill = homes.KillAt(rng.randint(1, 120), after=rng.random() < 0.5) if rng.random() < 0.4 else None
        work = partial(_act, action, brain, text, rng.randint(1, 6), kill, restarted)
        restarted = False
        try:
            said = homes.in_process(work)
        except homes.Killed:
            history.kills += 1
            restarted = True
            continue
        history.done[action] += 1
        if said == "uploaded":
            history.uploaded.add((brain, text))
            history.purged.discard((brain, text))
        elif said == "purged":
            history.purged.add((brain, text))
        elif said.startswith("model calls"):
            calls += int(said.split()[-1])
    left, lines, asked = homes.in_process(_finish)
    differences = [f"model asked {calls + asked} times during deletion"] if calls + asked else []
    contents = set(left)
    differences += [
        f"lost {brain}" for brain, text in history.uploaded - history.purged if (brain, text) not in contents
    ]
    differences += [f"still there {brain}" for brain, text in history.purged if (brain, text) in contents]
    rng.shuffle(left)
    homes.use_home(folder / "fresh", template)
    wanted = homes.in_process(partial(_fresh, left))
    differences += sorted(set(lines) ^ set(wanted))
    differences += [f"canary left in {path}" for text in texts for path in _leaks(text, contents, home)]
    return history, differences


def _leaks(text: str, contents: set[tuple[str, str]], home: Path) -> list[str]:
    """Files of the installation that still hold the canary of a text that is in no brain."""
    if any(content == text for _brain, content in contents):
        return []
    canary = text.split()[3].rstrip(".").encode()
    return [path.name for path in home.rglob("*") if path.is_file() and canary in path.read_bytes()]


def _finish() -> tuple[list[tuple[str, str]], list[str], int]:
    from brain import originals
    from brain.ledger import deletion
    from brain.models import Source

    _restart()
    asked = 0
    # What is in the trash is taken back: unfinished work on it has to go on as if nothing had been.
    for source in Source.objects.filter(purge_requested_at=None).exclude(trashed_at=None):
        deletion.restore(source, None)
    for _ in range(4):
        _work(200)
        asked += _settle(20)
        _restart()
    left = [
        (source.brain.name, originals.path_of(source.sha256).read_text(encoding="utf-8"))
        for source in Source.objects.select_related("brain").order_by("pk")
    ]
    return left, _dump(), asked


def _fresh(left: list[tuple[str, str]]) -> list[str]:
    for brain, text in left:
        act("upload", brain, text, 0)
    _work(200)
    return _dump()


def _dump() -> list[str]:
    from brain import bootstrap
    from brain.ledger import dump, projection

    lines = []
    for brain in map(_brain, BRAINS):
        projection.carry_out(brain.pk)
        lines += [f"{brain.name} {line}" for line in dump.canonical(brain.pk)]
    bootstrap.close_all()
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--histories", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stack", choices=["embedded", "servers"], default="embedded")
    options = parser.parse_args()
    started = time.monotonic()
    total, differing, model_calls = History(), [], 0
    with homes.temporary_home() as folder, stack_settings(options.stack, folder / "template") as settings:
        homes.start_django(folder / "template", **settings, BRAIN_EMBEDDER="hash", BRAIN_LLM="scripted")
        from django.db import connection

        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        template = folder / "template" / "brain.sqlite3"
        for number in range(options.histories):
            seed = options.seed + number
            place = folder / str(seed)
            history, differences = run(seed, place, template)
            total.kills += history.kills
            total.done += history.done
            if differences:
                differing.append(seed)
                print(f"seed {seed}: {len(differences)} differences", *differences[:6], sep="\n  ", file=sys.stderr)
                model_calls += sum("model asked" in each for each in differences)
            else:
                shutil.rmtree(place)
            if number % 20 == 19:
                print(f"{number + 1} histories, {total.kills} kills, {len(differing)} differ", file=sys.stderr)
    report(
        histories=options.histories,
        differences=len(differing),
        differing_seeds=differing[:20],
        model_calls=model_calls,
        kills=total.kills,
        actions=dict(total.done),
        seed=options.seed,
        stack=options.stack,
        model="plain-facts",
        seconds=round(time.monotonic() - started, 1),
        notes="replies are a function of the passage (bench/plain_facts.py); files are read without the cage",
    )


if __name__ == "__main__":
    main()
