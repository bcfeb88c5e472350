"""Fixtures that every test may use: a brain of one's own, stand-ins behind every port, and a worker to drain."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings

from bench.plain_facts import model
from brain import bootstrap, originals
from brain.models import Brain, Membership, Role, Source, User
from ingestion import uploads, worker
from ingestion.pipeline import Ports


@pytest.fixture(autouse=True)
def _fresh_adapters() -> Iterator[None]:
    """No test sees what another left in memory."""
    bootstrap.close_all()
    yield
    bootstrap.close_all()


@pytest.fixture(autouse=True)
def _no_broker(settings: object) -> Iterator[None]:
    """Bells ring into a queue in memory that nobody reads: tests call the workers themselves."""
    from celery import current_app

    yield
    with current_app.connection_for_write() as connection:
        for queue in ("chat", "ingest", "graph"):
            connection.default_channel.queue_declare(queue)
            connection.default_channel.queue_purge(queue)


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_user("owner", password="correct horse battery")


@pytest.fixture
def brain(owner: User) -> Brain:
    made = Brain.objects.create(name="Case files")
    Membership.objects.create(brain=made, user=owner, role=Role.OWNER)
    return made


@pytest.fixture
def upload(brain: Brain, owner: User) -> Callable[..., Source]:
    """Upload bytes or text under a name."""

    def _upload(content: bytes | str, name: str = "note.txt", into: Brain = brain) -> Source:
        data = content.encode() if isinstance(content, str) else content
        return uploads.accept(into, owner, name, io.BytesIO(data))

    return _upload


@pytest.fixture
def plain_facts() -> None:
    """A language model whose facts are written in the passage (see ``bench.plain_facts``)."""
    bootstrap.use("BRAIN_LLM", model())


@pytest.fixture
def drain() -> Callable[[], None]:
    """Work until nothing is due."""

    def _drain() -> None:
        worker.work_all(Ports(llm=bootstrap.llm))

    return _drain


@pytest.fixture
def stored_files() -> Callable[[], set[str]]:
    """Names of all originals on disk."""

    def _list() -> set[str]:
        return {path.name for path in settings.ORIGINALS_DIR.glob("??/*")}

    return _list


@pytest.fixture(autouse=True)
def _no_files_left() -> Iterator[None]:
    yield
    for path in settings.ORIGINALS_DIR.glob("??/*"):
        originals.remove(path.name)
