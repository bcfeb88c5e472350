"""A person at a browser, without the browser: logs in, uploads, asks, and remembers what was acknowledged."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx

PASSWORD = "correct horse battery"
QUESTION = "Who advises Engine Works?"


def document(name: str, passages: int) -> bytes:
    """So many passages, each with a fact of its own."""
    filling = "This paragraph is here so that there is something to read and to cut into passages. " * 9
    facts = [
        f"Adviser {name} {number} (person) advises Engine Works (organization). {filling}" for number in range(passages)
    ]
    return "\n\n".join([f"Report {name}.", *facts]).encode()


@dataclass
class Person:
    """``said`` counts what was said to what; ``longest`` is the longest wait for a page, in seconds."""

    address: str
    brain: str
    uploaded: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    said: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0

    def __post_init__(self) -> None:
        self.client = httpx.Client(base_url=self.address, timeout=60, trust_env=False)

    def log_in(self) -> None:
        self.client.get("/login/")
        answer = self._post("/login/", data={"username": "owner", "password": PASSWORD})
        if answer.status_code != 302:
            raise RuntimeError(f"the login was answered with {answer.status_code}")

    def upload(self, name: str, content: bytes) -> str:
        """``accepted``, or what was said instead."""
        files = {"files": (f"{name}.txt", content)}
        answer = self._post(f"/brains/{self.brain}/upload/", files=files, headers={"Accept": "application/json"})
        said = "accepted" if answer.status_code == 200 else str(answer.status_code)
        if said == "accepted":
            self.uploaded[name] = content
        self.said[f"upload {said}"] += 1
        return said

    def ask(self, question: str = QUESTION) -> str:
        """The message's id, or empty."""
        answer = self._post(f"/brains/{self.brain}/ask/", data={"question": question})
        found = re.search(r"#m-([0-9a-f-]+)", answer.headers.get("Location", ""))
        self.said["question accepted" if found else f"question {answer.status_code}"] += 1
        if found:
            self.asked.append(found[1])
        return found[1] if found else ""

    def _post(self, path: str, **what: Any) -> httpx.Response:
        token = self.client.cookies.get("csrftoken", "")
        what["headers"] = {**what.get("headers", {}), "X-CSRFToken": token}
        started = time.monotonic()
        answer = self.client.post(path, **what)
        self.longest = max(self.longest, time.monotonic() - started)
        return answer
