"""One worker at a time, counted tries, waiting for what is away, and nothing left of what failed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.conf import settings
from django.db import OperationalError
from django.utils import timezone

from bench.plain_facts import reply as plain_facts_reply
from brain import bootstrap
from brain.backends.llm.scripted import ScriptedLLM
from brain.errors import ModelMissing, ServiceUnavailable
from brain.ledger import deletion, dump, indexes, journal, leases
from brain.ledger.leases import claim_source
from brain.models import Brain, Chunk, ChunkState, Entity, Membership, Source, SourceState, User
from brain.values import CompletionRequest, Document, PointFilter
from ingestion import tasks, uploads, worker
from ingestion.pipeline import Ports
from ingestion.reader import KILLED, ReaderKilled

pytestmark = pytest.mark.django_db(transaction=True)

FACT = "Ada Byron (person) advises Engine Works (organization)."


def ports(llm: Callable[[], object] = bootstrap.llm) -> Ports:
    return Ports(llm=llm)  # type: ignore[arg-type]


def read_and_embed() -> None:
    while worker.work(worker.READING, ports()) or worker.work(worker.EMBEDDING, ports()):
        pass


def test_a_missing_model_lets_the_file_wait_searchable_and_go_on_by_itself(
    plain_facts: None, upload: Callable[..., Source], drain: Callable[[], None]
) -> None:
    def missing() -> object:
        raise ModelMissing

    source = upload(FACT)
    read_and_embed()
    assert worker.work(worker.EXTRACTING, ports(missing))
    source.refresh_from_db()
    assert (source.state, source.error_code, source.tries) == (SourceState.WAITING, "model_missing", 0)
    assert source.searchable_at is not None
    Source.objects.update(retry_at=None)
    drain()
    source.refresh_from_db()
    assert (source.state, source.error) == (SourceState.DONE, "")
    assert Entity.objects.count() == 2


def test_what_a_file_waited_for_is_not_said_of_it_any_more_when_it_goes_on(upload: Callable[..., Source]) -> None:
    def away(*_: object, **__: object) -> Document:
        raise ServiceUnavailable("%(server)s is away.", server="model")

    source = upload(FACT)
    worker.work(worker.READING, Ports(llm=bootstrap.llm, read=away))
    source.refresh_from_db()
    assert (source.state, source.error) == (SourceState.WAITING, "%(server)s is away.")
    Source.objects.update(retry_at=None)
    worker.work(worker.READING, ports())
    source.refresh_from_db()
    assert (source.state, source.error_code, source.error, source.error_params) == (SourceState.QUEUED, "", "", {})


class WithSlots(ScriptedLLM):
    """As a server that works on three passages at once."""

    side_by_side = 3


@pytest.mark.parametrize("kind", [ScriptedLLM, WithSlots])
def test_a_model_server_that_goes_away_costs_no_finished_passage(
    upload: Callable[..., Source], kind: type[ScriptedLLM]
) -> None:
    source = upload("\n\n".join(f"{FACT} " + f"Sentence {n} of many. " * 40 for n in range(5)))
    read_and_embed()
    total = Chunk.objects.filter(source=source).count()
    empty = '{"entities": [], "relations": []}'
    flaky = kind([empty, empty, ServiceUnavailable("%(server)s is away.", server="model"), *[empty] * total])
    worker.work(worker.EXTRACTING, ports(lambda: flaky))
    source.refresh_from_db()
    assert (source.state, source.error_params) == (SourceState.WAITING, {"server": "model"})
    assert Chunk.objects.filter(source=source, state=ChunkState.PENDING).count() == total - 2
    Source.objects.update(retry_at=None)
    while worker.work(worker.EXTRACTING, ports(lambda: flaky)):
        pass
    source.refresh_from_db()
    assert (source.state, source.error_code, source.error, source.error_params) == (SourceState.DONE, "", "", {})


def test_passages_extracted_side_by_side_give_the_same_brain(
    plain_facts: None, upload: Callable[..., Source], drain: Callable[[], None], brain: Brain
) -> None:
    text = "\n\n".join(f"Ada {n} (person) advises Engine Works (organization). " + "Filling. " * 100 for n in range(7))
    source = upload(text)
    drain()
    alone = dump.canonical(brain.pk)
    uploads.reread(source, None)
    bootstrap.use("BRAIN_LLM", WithSlots(plain_facts_reply, model_id="plain-facts"))
    drain()
    assert dump.canonical(brain.pk) == alone


def test_a_file_that_cannot_be_read_fails_alone_and_leaves_nothing(
    plain_facts: None, upload: Callable[..., Source], drain: Callable[[], None], brain: Brain
) -> None:
    broken = upload(b"%PDF-1.7\nnothing that a PDF is made of", "broken.pdf")
    good = upload(FACT, "good.txt")
    drain()
    broken.refresh_from_db()
    good.refresh_from_db()
    assert (broken.state, good.state) == (SourceState.FAILED, SourceState.DONE)
    assert broken.error_sentence
    assert not Chunk.objects.filter(source=broken).exists()
    where = PointFilter(brain=str(brain.pk), sources=frozenset({str(broken.pk)}))
    assert indexes.active().count(where) == 0


def test_only_one_worker_gets_a_source(upload: Callable[..., Source]) -> None:
    upload(FACT)
    assert claim_source(Source.objects.all()) is not None
    assert claim_source(Source.objects.all()) is None


def test_a_worker_that_lost_its_lease_writes_nothing(upload: Callable[..., Source]) -> None:
    source = upload(FACT)
    claimed = claim_source(Source.objects.all())
    assert claimed is not None
    _row, old = claimed
    Source.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert claim_source(Source.objects.all()) is not None
    with pytest.raises(leases.LeaseLost):
        old.check()
    assert old.release(state=SourceState.FAILED) is False
    source.refresh_from_db()
    assert source.state == SourceState.RUNNING


def test_a_file_that_kills_its_worker_again_and_again_is_set_aside(upload: Callable[..., Source]) -> None:
    source = upload(FACT)
    for _ in range(settings.MAX_TRIES):
        assert claim_source(Source.objects.all()) is not None
        Source.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert worker.quarantine() == 1
    source.refresh_from_db()
    assert (source.state, source.error_code) == (SourceState.FAILED, "stopped")
    assert uploads.retry(source, None)
    read_and_embed()


def test_a_passage_that_kills_its_worker_is_given_up_and_the_rest_goes_on(
    plain_facts: None, upload: Callable[..., Source], drain: Callable[[], None]
) -> None:
    source = upload(FACT)
    read_and_embed()
    for _ in range(settings.MAX_TRIES):
        assert claim_source(Source.objects.all()) is not None
        Source.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    worker.quarantine()
    drain()
    source.refresh_from_db()
    assert (source.state, source.error_code) == (SourceState.PARTIAL, "chunks")
    assert uploads.retry(source, None)
    drain()
    source.refresh_from_db()
    assert source.state == SourceState.DONE


def test_deleting_a_source_that_is_being_worked_on_stops_the_work(upload: Callable[..., Source], owner: User) -> None:
    source = upload("\n\n".join(f"{FACT} " + f"Sentence {n} of many. " * 40 for n in range(5)))
    read_and_embed()

    def delete_meanwhile(_request: CompletionRequest) -> str:
        deletion.purge(source, owner)
        return '{"entities": [], "relations": []}'

    slow = ScriptedLLM(delete_meanwhile)
    worker.work(worker.EXTRACTING, ports(lambda: slow))
    while [journal.advance(each) for each in journal.due()]:
        pass
    assert len(slow.history) == 1
    assert not Source.objects.filter(pk=source.pk).exists()
    assert not Chunk.objects.exists()


def test_a_person_with_three_files_does_not_wait_behind_a_person_with_many(
    brain: Brain, upload: Callable[..., Source], owner: User
) -> None:
    import io

    other = User.objects.create_user("other")
    Membership.objects.create(brain=brain, user=other, role="editor")
    for number in range(6):
        upload(f"{FACT} {number}", f"mine-{number}.txt")
    worker.work(worker.READING, ports())
    theirs = uploads.accept(brain, other, "theirs.txt", io.BytesIO(b"Their text."))
    worker.work(worker.READING, ports())
    theirs.refresh_from_db()
    assert theirs.searchable_at is not None


def test_a_small_file_does_not_wait_behind_a_large_one(brain: Brain) -> None:
    large, small, late = (
        Source.objects.create(brain=brain, title=name, media_type="text/plain", sha256=name, size=size, stage=stage)
        for name, size, stage in (("l", 9_500_000, "read"), ("s", 70, "read"), ("t", 80, "read"))
    )
    assert list(worker.due(worker.READING)) == [small, late, large]
    Source.objects.update(stage="embed")
    assert list(worker.due(worker.EMBEDDING)) == [large, small, late]


def test_running_every_stage_twice_changes_nothing(
    plain_facts: None, upload: Callable[..., Source], drain: Callable[[], None], brain: Brain
) -> None:
    source = upload(FACT)
    drain()
    before = dump.canonical(brain.pk)
    for stage in ("index", "embed", "extract"):
        Source.objects.filter(pk=source.pk).update(stage=stage, state=SourceState.QUEUED)
        Chunk.objects.update(state=ChunkState.PENDING, embedded=stage != "embed")
        drain()
        assert dump.canonical(brain.pk) == before


def test_a_reader_that_is_killed_again_and_again_ends_with_a_reason(upload: Callable[..., Source]) -> None:
    def killed(*_: object, **__: object) -> Document:
        raise ReaderKilled(KILLED)

    source = upload(FACT)
    for _ in range(settings.MAX_TRIES):
        Source.objects.update(retry_at=None)
        assert worker.work(worker.READING, Ports(llm=bootstrap.llm, read=killed))
    source.refresh_from_db()
    assert (source.state, source.error) == (SourceState.FAILED, KILLED)


@pytest.mark.parametrize(
    ("llm", "waits"),
    [
        ("llama-cpp", True),
        ("http://127.0.0.1:8080/v1", True),
        ("http://localhost:8080/v1?model=m", True),
        ("http://models:8080/v1", False),
    ],
)
def test_extraction_waits_for_files_only_where_the_model_shares_their_cores(
    monkeypatch: pytest.MonkeyPatch, upload: Callable[..., Source], llm: str, waits: bool
) -> None:
    monkeypatch.setattr(settings, "BRAIN_LLM", llm)
    upload(FACT)
    read_and_embed()
    assert tasks.extraction_is_due()
    upload("Another file. " + FACT)
    assert tasks.extraction_is_due() is not waits


def test_a_file_that_was_held_when_the_database_went_away_is_free_when_it_is_back(
    monkeypatch: pytest.MonkeyPatch, upload: Callable[..., Source]
) -> None:
    source = upload(FACT)
    away = OperationalError("the connection was lost")
    with monkeypatch.context() as gone:
        gone.setattr(leases.SourceLease, "_mine", Mock(side_effect=away))
        with pytest.raises(OperationalError):
            worker.work(worker.READING, ports())
        with pytest.raises(OperationalError):
            leases.free_owed()
    source.refresh_from_db()
    assert source.lease_until is not None
    assert not worker.work(worker.READING, ports())
    leases.free_owed()
    assert worker.work(worker.READING, ports())
    source.refresh_from_db()
    assert source.searchable_at is not None
