"""A deleted source was never there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection

from brain import bootstrap, originals, reconcile
from brain.errors import DuplicateSource
from brain.ledger import deletion, dump, journal
from brain.models import Brain, Chunk, Deletion, Entity, Mention, Relation, Source, User
from ingestion import uploads

pytestmark = pytest.mark.django_db(transaction=True)

A = "Ada Byron (person) advises Engine Works (organization). Canary aardvark."
B = "Ada Byron (person) visits Difference Hall (place). Canary badger."
C = "Engine Works (organization) owns Difference Hall (place). Canary capybara."


def settle() -> None:
    while [journal.advance(each) for each in journal.due()]:
        pass


@pytest.fixture(autouse=True)
def _plain_facts(plain_facts: None) -> None:
    """Facts stand in the text."""


def test_deleting_one_of_three_equals_never_having_had_it(
    upload: Callable[..., Source], drain: Callable[[], None], brain: Brain, owner: User
) -> None:
    a = upload(A, "a.txt")
    upload(B, "b.txt")
    upload(C, "c.txt")
    drain()
    deletion.purge(a, owner)
    settle()
    after = dump.canonical(brain.pk)

    never = Brain.objects.create(name="never had A")
    upload(C, "c.txt", into=never)
    upload(B, "b.txt", into=never)
    drain()
    assert after == dump.canonical(never.pk)
    assert not any("aardvark" in line for line in after)


def test_an_entity_that_others_mention_stays_with_their_words_only(
    upload: Callable[..., Source], drain: Callable[[], None], brain: Brain, owner: User
) -> None:
    a = upload(A, "a.txt")
    upload(B, "b.txt")
    drain()
    before = deletion.preview(a)
    assert (before.entities_gone, before.entities_kept, before.facts) == (1, 1, 1)
    assert [(each.title, each.entities) for each in before.kept_thanks_to] == [("b.txt", 1)]
    deletion.purge(a, owner)
    settle()
    assert set(Entity.objects.values_list("name", flat=True)) == {"Ada Byron", "Difference Hall"}
    assert list(Relation.objects.values_list("predicate", flat=True)) == ["visits"]
    entity = next(each for each in bootstrap.graph_store().dump(str(brain.pk)).entities if each.name == "Ada Byron")
    assert [said.text for said in entity.descriptions] == [
        mention.description for mention in Mention.objects.filter(entity__name="Ada Byron")
    ]


def test_the_same_bytes_are_welcome_again_right_after_deletion(
    upload: Callable[..., Source], drain: Callable[[], None], brain: Brain, owner: User
) -> None:
    first = upload(A, "a.txt")
    drain()
    deletion.purge(first, owner)
    second = upload(A, "again.txt")
    settle()
    drain()
    assert list(Source.objects.filter(brain=brain).values_list("title", "state")) == [("again.txt", "done")]
    assert second.pk != first.pk


def test_a_file_that_another_brain_holds_stays_on_disk(
    upload: Callable[..., Source],
    drain: Callable[[], None],
    owner: User,
    stored_files: Callable[[], set[str]],
) -> None:
    mine = upload(A, "a.txt")
    other = Brain.objects.create(name="other")
    theirs = upload(A, "a.txt", into=other)
    drain()
    deletion.purge(mine, owner)
    settle()
    assert stored_files() == {theirs.sha256}
    deletion.purge(theirs, owner)
    settle()
    assert stored_files() == set()


def test_trash_hides_at_once_and_restore_brings_everything_back(
    upload: Callable[..., Source], drain: Callable[[], None], brain: Brain, owner: User
) -> None:
    a = upload(A, "a.txt")
    upload(B, "b.txt")
    drain()
    before = dump.canonical(brain.pk)
    deletion.trash(a, owner)
    reconcile.outboxes()
    names = {each.name for each in bootstrap.graph_store().dump(str(brain.pk)).entities}
    assert names == {"Ada Byron", "Difference Hall"}
    deletion.restore(a, owner)
    reconcile.outboxes()
    assert dump.canonical(brain.pk) == before


def test_deletion_asks_no_model_and_leaves_a_receipt(
    upload: Callable[..., Source], drain: Callable[[], None], owner: User
) -> None:
    a = upload(A, "a.txt")
    drain()
    asked = len(bootstrap.llm().history)  # type: ignore[attr-defined]
    deletion.purge(a, owner)
    settle()
    assert len(bootstrap.llm().history) == asked  # type: ignore[attr-defined]
    receipt = Deletion.objects.get()
    assert (receipt.step, receipt.sha256) == ("done", "")
    assert receipt.receipt == {
        "quotes": 0,
        "passages": 1,
        "mentions": 2,
        "entities": 2,
        "relations": 1,
        "points": receipt.receipt["points"],
        "files": 1,
    }
    assert receipt.receipt["points"] > 2


def test_reading_a_source_again_replaces_its_facts(
    upload: Callable[..., Source], drain: Callable[[], None], brain: Brain, owner: User
) -> None:
    a = upload(A, "a.txt")
    drain()
    before = dump.canonical(brain.pk)
    uploads.reread(a, owner)
    Source.objects.update(retry_at=None)
    drain()
    assert dump.canonical(brain.pk) == before


def test_deleting_a_brain_leaves_nothing_of_it(
    upload: Callable[..., Source],
    drain: Callable[[], None],
    brain: Brain,
    owner: User,
    stored_files: Callable[[], set[str]],
) -> None:
    upload(A, "a.txt")
    drain()
    deletion.purge_brain(brain, owner)
    Deletion.objects.update(retry_at=None)
    for _ in range(5):
        settle()
        Deletion.objects.update(retry_at=None)
    assert not Brain.objects.filter(pk=brain.pk).exists()
    assert (Chunk.objects.count(), Entity.objects.count(), stored_files()) == (0, 0, set())
    assert set(Deletion.objects.values_list("step", flat=True)) == {"done"}


def test_a_file_goes_within_the_transaction_that_saw_nobody_needs_it(
    upload: Callable[..., Source], drain: Callable[[], None], owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outside of one, an upload of the same bytes could commit in between and lose its original."""
    within: list[bool] = []

    def remove(_sha256: str) -> bool:
        within.append(connection.in_atomic_block)
        return True

    source = upload(A, "a.txt")
    drain()
    monkeypatch.setattr(originals, "remove", remove)
    deletion.purge(source, owner)
    settle()
    assert within == [True]


def test_a_lost_original_is_healed_by_the_same_bytes_and_costs_no_facts(
    upload: Callable[..., Source], drain: Callable[[], None], brain: Brain, owner: User
) -> None:
    source = upload(A, "a.txt")
    drain()
    before = dump.canonical(brain.pk)
    originals.path_of(source.sha256).unlink()
    uploads.reread(source, owner)
    Source.objects.update(retry_at=None)
    drain()
    source.refresh_from_db()
    assert (source.state, source.error_code) == ("waiting", "unavailable")
    assert Mention.objects.filter(source=source).count() == 2
    with pytest.raises(DuplicateSource, match="is back"):
        upload(A, "a.txt")
    Source.objects.update(retry_at=None)
    drain()
    assert dump.canonical(brain.pk) == before
