"""The sources page tells the truth: stages, counts, times, reasons, and what may be done now."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from brain.access import Access
from brain.ledger import deletion
from brain.models import Brain, Chunk, Deletion, Extraction, Role, Source, User
from ingestion.board import Counts, boards


def source(brain: Brain, **changed: object) -> Source:
    row = {"title": "a.pdf", "media_type": "application/pdf", "sha256": "a", "size": 1} | changed
    return Source.objects.create(brain=brain, **row)  # type: ignore[arg-type]


def passages(of: Source, total: int, *, embedded: int = 0, done: int = 0, failed: int = 0) -> None:
    for n in range(total):
        state = "done" if n < done else "failed" if n < done + failed else "pending"
        of.chunks.create(
            brain=of.brain, ordinal=n, start=n, end=n + 1, text="x", digest="x", embedded=n < embedded, state=state
        )


def test_a_running_source_shows_each_stage_with_counts_and_an_estimate(brain: Brain) -> None:
    began = timezone.now() - timedelta(seconds=30)
    row = source(
        brain, state="running", stage="embed", stage_seconds={"read": 2.0, "index": 1.0}, stage_started_at=began
    )
    passages(row, 40, embedded=10)
    (board,) = boards([row], Access(brain, Role.OWNER))
    assert board.counts == Counts(total=40, embedded=10)
    assert [(step.state, step.done, step.total) for step in board.steps] == [
        ("done", 0, 0),
        ("done", 0, 0),
        ("current", 10, 40),
        ("todo", 0, 40),
    ]
    assert board.steps[2].left == pytest.approx(90, rel=0.1)


def test_a_stage_that_has_not_begun_waits(brain: Brain) -> None:
    fresh, begun = source(brain, state="queued", stage="read"), source(brain, state="queued", stage="embed", sha256="b")
    passages(begun, 4, embedded=1)
    first, second = boards([fresh, begun], Access(brain, Role.OWNER))
    assert [step.state for step in first.steps] == ["todo", "todo", "todo", "todo"]
    assert [step.state for step in second.steps] == ["done", "done", "held", "todo"]


@pytest.mark.parametrize(("spent", "left"), [(0, 75), (60, 180)])
def test_the_graph_s_estimate_is_the_model_s_recent_pace_until_time_spent_tells_more(
    brain: Brain, spent: int, left: int
) -> None:
    row = source(brain, state="running", stage="extract", stage_started_at=timezone.now() - timedelta(seconds=spent))
    passages(row, 20, embedded=20, done=5)
    for seconds in (4.0, 6.0):
        Extraction.objects.create(
            chunk=Chunk.objects.get(source=row, ordinal=0),
            model_id="m",
            prompt_version="1",
            reply="",
            finish="stop",
            seconds=seconds,
        )
    (board,) = boards([row], Access(brain, Role.OWNER))
    assert board.steps[3].left == pytest.approx(left, rel=0.1)


@pytest.mark.parametrize(
    ("state", "failed", "role", "actions"),
    [
        ("queued", 0, Role.OWNER, ("open", "delete")),
        ("running", 0, Role.OWNER, ("open", "delete")),
        ("waiting", 0, Role.OWNER, ("open", "retry", "delete")),
        ("failed", 0, Role.OWNER, ("open", "retry", "delete")),
        ("partial", 2, Role.EDITOR, ("open", "retry", "delete")),
        ("done", 0, Role.OWNER, ("open", "delete")),
        ("failed", 0, Role.READER, ("open",)),
    ],
)
def test_only_what_can_be_done_now_is_offered(
    brain: Brain, state: str, failed: int, role: Role, actions: tuple[str, ...]
) -> None:
    row = source(brain, state=state, stage="extract")
    passages(row, 3, failed=failed)
    assert boards([row], Access(brain, role))[0].actions == actions


def test_the_list_looks_again_while_something_is_on_its_way_only(as_owner: Client, brain: Brain) -> None:
    row = source(brain, state="queued")
    page = f"/brains/{brain.id}/sources/"
    assert "every 2s" in as_owner.get(page).content.decode()
    Source.objects.filter(pk=row.pk).update(state="done", stage="finished")
    assert "every 2s" not in as_owner.get(page).content.decode()


def test_a_fragment_is_the_list_alone(as_owner: Client, brain: Brain) -> None:
    source(brain)
    fragment = as_owner.get(f"/brains/{brain.id}/sources/", headers={"hx-request": "true"}).content.decode()
    assert "<html" not in fragment
    assert "a.pdf" in fragment


def test_the_list_is_narrowed_by_title_and_state(as_owner: Client, brain: Brain) -> None:
    source(brain, title="lease.pdf", sha256="1", state="done", stage="finished")
    source(brain, title="broken.pdf", sha256="2", state="failed", error="It is broken.")
    page = as_owner.get(f"/brains/{brain.id}/sources/?state=failed").content.decode()
    assert ("broken.pdf" in page, "It is broken." in page, "lease.pdf" in page) == (True, True, False)
    page = as_owner.get(f"/brains/{brain.id}/sources/?q=LEASE").content.decode()
    assert ("broken.pdf" in page, "lease.pdf" in page) == (False, True)


def test_a_deletion_that_is_not_through_is_shown(as_owner: Client, owner: User, brain: Brain) -> None:
    row = source(brain)
    deletion.purge(row, owner)
    Deletion.objects.update(step="graph", tries=3, error="Waiting for the graph to take the deletion.")
    for page in (f"/brains/{brain.id}/sources/", f"/brains/{brain.id}/trash/", "/jobs/"):
        text = as_owner.get(page).content.decode()
        assert "Waiting for the graph to take the deletion." in text
        assert "a.pdf" not in text


def test_the_jobs_page_lists_what_needs_attention_in_my_brains(
    as_owner: Client, as_reader: Client, brain: Brain
) -> None:
    source(brain, title="broken.pdf", state="failed", error="It is broken.", tries=3)
    source(brain, title="fine.pdf", sha256="2", state="done", stage="finished")
    page = as_owner.get("/jobs/").content.decode()
    assert ("broken.pdf" in page, "It is broken." in page, "/retry/" in page, "fine.pdf" in page) == (
        True,
        True,
        True,
        False,
    )
    assert "/retry/" not in as_reader.get("/jobs/").content.decode()


def test_the_jobs_page_says_why_a_file_is_partly_done(as_owner: Client, brain: Brain) -> None:
    warning = {"text": "Page %(n)s was not read.", "params": {"n": 3}}
    source(brain, state="partial", stage="finished", warnings=[warning])
    page = as_owner.get("/jobs/").content.decode()
    assert ("1 part was not read" in page, "Page 3 was not read." in page, "/retry/" in page) == (True, True, False)


@pytest.mark.parametrize(
    ("state", "code", "offered"),
    [
        ("failed", "empty", False),
        ("failed", "locked", False),
        ("failed", "unsupported", False),
        ("failed", "limit", True),
        ("failed", "stopped", True),
        ("waiting", "unavailable", True),
        ("partial", "", False),
        ("partial", "chunks", True),
    ],
)
def test_trying_again_is_offered_only_where_it_may_help(
    as_owner: Client, brain: Brain, state: str, code: str, offered: bool
) -> None:
    row = source(brain, state=state, error_code=code)
    passages(row, 1, failed=int(code == "chunks"))
    assert ("retry" in boards([row], Access(brain, Role.OWNER))[0].actions) == offered
    assert ("/retry/" in as_owner.get("/jobs/").content.decode()) == offered


def test_trying_again_queues_the_source(as_owner: Client, brain: Brain) -> None:
    row = source(brain, state="failed", error="It is broken.")
    response = as_owner.post(f"/sources/{row.pk}/retry/", {"back": "jobs"})
    row.refresh_from_db()
    assert (row.state, row.error, response.headers["Location"]) == ("queued", "", "/jobs/")


def test_many_sources_are_shown_in_pages_with_few_queries(
    as_owner: Client, brain: Brain, django_assert_max_num_queries: object
) -> None:
    for n in range(60):
        source(brain, title=f"file {n:02}", sha256=str(n), state="done", stage="finished")
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        page = as_owner.get(f"/brains/{brain.id}/sources/").content.decode()
    assert page.count('<li id="source-') == 50
    assert "Page 1 of 2 (60 in all)" in page


@pytest.mark.parametrize(
    ("state", "stage", "words"),
    [
        ("queued", "embed", "searchable"),
        ("queued", "extract", "searchable, graph waits its turn"),
        ("running", "extract", "searchable, graph growing"),
        ("waiting", "extract", "searchable, the rest waits"),
        ("done", "finished", "done"),
        ("failed", "extract", "failed"),
    ],
)
def test_a_source_that_can_be_asked_about_says_so_first(brain: Brain, state: str, stage: str, words: str) -> None:
    row = source(brain, state=state, stage=stage, searchable_at=timezone.now())
    assert boards([row], Access(brain, Role.READER))[0].state_words == words
