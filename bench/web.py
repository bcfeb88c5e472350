"""Many people ask at once over HTTP while files are being read: what they get, and what it costs others.

    python -m bench.web [--people 200] [--questions 5]

Each person has a brain with one file that holds a code word, asks for it again and again, and follows the answer as a
browser does. The embedder is this installation's; the model is a server whose replies take a tenth of a second.
Refusals with a sentence (429, 503) are counted and asked again; everything else that is not an answer is an error.
Another person's code word in an answer is cross talk. ``other_user_slowdown``: a page of somebody who asks nothing, by
its time before.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from bench import homes
from bench.app import App
from bench.measures import p95_ms
from bench.person import Person, document
from bench.report import report
from bench.servers import ScriptedServer

_REPLY_SECONDS = 0.1
_PASSAGES = 100
_WORD = re.compile(r"KESTREL-\d+-")
_ASK_AGAIN = 2.0
_PATIENCE = 900.0


@dataclass
class Seen:
    """What all of them saw together."""

    said: Counter[str] = field(default_factory=Counter)
    first_words: list[float] = field(default_factory=list)
    sources: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    cross_talk: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--questions", type=int, default=5)
    parser.add_argument("--port", type=int, default=8733)
    options = parser.parse_args()
    began = time.monotonic()
    with homes.temporary_home("brain-web-") as folder, _model() as model:
        homes.start_django(folder / "home", BRAIN_LLM=model.url)
        people = homes.in_process(lambda: [_person(number) for number in range(options.people + 2)])
        app = App(options.port, folder / "serve.log")
        try:
            seen, slowdown = _together(app.address, people, options.questions)
            alive = app.alive
        finally:
            app.stop()
        log = (folder / "serve.log").read_text(encoding="utf-8", errors="replace")
    for error, count in seen.errors.most_common(5):
        print(f"{count} x {error}", file=sys.stderr)
    report(
        n=len(people) - 2,
        questions=options.people * options.questions,
        errors=sum(seen.errors.values()) + log.count("Traceback") + (not alive),
        cross_talk=seen.cross_talk,
        said=dict(seen.said),
        sources_p50_ms=_p50_ms(seen.sources),
        sources_p95_ms=p95_ms(seen.sources),
        first_word_p50_ms=_p50_ms(seen.first_words),
        first_word_p95_ms=p95_ms(seen.first_words),
        other_user_slowdown=round(slowdown, 2),
        model="scripted",
        seconds=round(time.monotonic() - began, 1),
        notes=f"the model takes {_REPLY_SECONDS} s for a reply and answers one question at a time",
    )


@contextmanager
def _model() -> Iterator[ScriptedServer]:
    model = ScriptedServer(_REPLY_SECONDS)
    try:
        yield model
    finally:
        model.kill()


def _person(number: int) -> tuple[str, str, str]:
    """(brain, session, code word) of a person with one file that can be found."""
    import io

    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from brain import bootstrap
    from brain.models import Brain, Membership, User
    from ingestion import uploads, worker
    from ingestion.pipeline import Ports

    user = User(username=f"person{number}")
    user.set_unusable_password()
    user.save()
    brain = Brain.objects.create(name=f"Brain of person {number}")
    Membership.objects.create(brain=brain, user=user, role="owner")
    word = f"KESTREL-{number}-"
    uploads.accept(brain, user, "word.txt", io.BytesIO(f"The code word of the harbour is {word}.".encode()))
    ports = Ports(llm=bootstrap.llm)
    while worker.work(worker.READING, ports) or worker.work(worker.EMBEDDING, ports):
        pass
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return str(brain.pk), str(session.session_key), word


def _together(address: str, people: list[tuple[str, str, str]], questions: int) -> tuple[Seen, float]:
    """The last but one uploads, the last looks at a page; all others ask."""
    asking, (uploading, looking) = people[:-2], people[-2:]
    onlooker, seen, lock = _signed_in(address, looking), Seen(), threading.Lock()
    page = f"/brains/{looking[0]}/sources/"
    before = [_page_seconds(onlooker, page) for _ in range(20)]
    _signed_in(address, uploading).upload("large", document("large", _PASSAGES))
    meanwhile: list[float] = []
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.5):
            meanwhile.append(_page_seconds(onlooker, page))

    watching = threading.Thread(target=look)
    watching.start()
    with ThreadPoolExecutor(len(asking)) as crowd:
        list(crowd.map(lambda one: _asks(address, one, questions, seen, lock), asking))
    over.set()
    watching.join()
    return seen, statistics.median(meanwhile) / statistics.median(before)


def _signed_in(address: str, one: tuple[str, str, str]) -> Person:
    brain, session, _word = one
    person = Person(address, brain)
    person.client.cookies.set("sessionid", session)
    person.client.get(f"/brains/{brain}/ask/")
    return person


def _page_seconds(person: Person, page: str) -> float:
    began = time.monotonic()
    person.client.get(page).raise_for_status()
    return time.monotonic() - began


def _asks(address: str, one: tuple[str, str, str], questions: int, seen: Seen, lock: threading.Lock) -> None:
    try:
        person = _signed_in(address, one)
        for _ in range(questions):
            _question(person, one[2], seen, lock)
        with lock:
            seen.said.update(person.said)
    except (httpx.HTTPError, TimeoutError, RuntimeError) as error:
        with lock:
            seen.errors[f"{type(error).__name__}: {error}"[:200]] += 1


def _question(person: Person, word: str, seen: Seen, lock: threading.Lock) -> None:
    began = time.monotonic()
    while not (message := person.ask("What is the code word of the harbour?")):
        refused = [said for said in person.said if said not in {"question accepted", "question 429", "question 503"}]
        if refused or time.monotonic() - began > _PATIENCE:
            raise RuntimeError(f"{refused or 'refused for too long'}")
        time.sleep(_ASK_AGAIN)
    asked, at = time.monotonic(), dict[str, float]()
    for event in _events(person, message):
        at.setdefault(str(event["type"]), time.monotonic() - asked)
    shown = person.client.get(f"/messages/{message}/", headers={"HX-Request": "true"}).text
    words = set(_WORD.findall(shown))
    with lock:
        seen.cross_talk += len(words - {word})
        seen.errors["an answer without its code word"] += word not in words
        if "token" in at:
            seen.first_words.append(at["token"])
        if "sources" in at:
            seen.sources.append(at["sources"])


def _events(person: Person, message: str) -> Iterator[dict[str, Any]]:
    """Until ``done``; a stream that ends before is opened again, as a browser does."""
    until, last = time.monotonic() + _PATIENCE, ""
    while time.monotonic() < until:
        headers = {"Last-Event-ID": last} if last else {}
        with person.client.stream("GET", f"/messages/{message}/stream/", headers=headers) as stream:
            stream.raise_for_status()
            for line in stream.iter_lines():
                if line.startswith("id: "):
                    last = line[4:]
                if line.startswith("data: "):
                    event = json.loads(line[6:])
                    yield event
                    if event["type"] == "done":
                        return
    raise TimeoutError(f"no end of {message}")


def _p50_ms(seconds: list[float]) -> float | None:
    return round(1000 * statistics.median(seconds), 1) if seconds else None


if __name__ == "__main__":
    main()
