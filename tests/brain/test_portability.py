"""A brain moves from one installation to another and is the same there."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils.translation import override
from pytest_django.fixtures import Settings

from brain import bootstrap, originals
from brain.ledger import deletion, dump, journal
from brain.models import Alias, Brain, Citation, Conversation, DatedBy, Membership, Message, Role, Source, User
from brain.portability import BadArchive, load, tables

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _plain_facts(plain_facts: None) -> None:
    """Facts stand in the text."""


@pytest.fixture
def filled(brain: Brain, owner: User, upload: Callable[..., Source], drain: Callable[[], None]) -> Brain:
    """Two sources with shared entities, a decision, a conversation; and a second brain that knows the same people."""
    upload("Ada Byron (person) advises Engine Works (organization).", "a.txt")
    upload("Ada Byron (person) visits Difference Hall (place).", "b.txt")
    other = Brain.objects.create(name="Other")
    Membership.objects.create(brain=other, user=owner, role=Role.READER)
    upload("Ada Byron (person) owns Difference Hall (place).", "c.txt", into=other)
    drain()
    Alias.objects.create(brain=brain, key="1" * 32, leads_to="2" * 32, name="A. B.", decided_by=owner)
    asked = Conversation.objects.create(brain=brain, user=owner, title="Who?")
    message = Message.objects.create(conversation=asked, ordinal=1, question="Who is Ada?", status="answered")
    source = brain.sources.order_by("title").first()
    assert source is not None
    Citation.objects.create(
        message=message, number=1, source=source, chunk=source.chunks.first(), title="a.txt", quote="Ada Byron"
    )
    return brain


def forget_everything() -> None:
    """What a fresh installation holds: nothing."""
    for brain in Brain.objects.all():
        deletion.purge_brain(brain, None)
    while [journal.advance(each) for each in journal.due()]:
        pass
    User.objects.all().delete()
    assert not list(settings.ORIGINALS_DIR.glob("??/*"))
    bootstrap.close_all()


def everything() -> dict[str, Any]:
    """All that must be equal afterwards, rows and stores and what people did."""
    return {
        brain.name: (
            str(brain.pk),
            dump.canonical(brain.pk),
            list(brain.memberships.values_list("user__username", "role")),
            list(brain.sources.values_list("title", "created_at", "uploaded_by__username", "stage_seconds")),
            list(Message.objects.filter(conversation__brain=brain).values_list("question", "created_at", "status")),
            list(Citation.objects.filter(message__conversation__brain=brain).values_list("quote", "chunk__text")),
        )
        for brain in Brain.objects.all()
    }


def test_an_exported_brain_is_the_same_after_import(filled: Brain, tmp_path: Path) -> None:
    before = everything()
    call_command("export", str(tmp_path / "all.zip"), "--with-accounts")
    forget_everything()
    call_command("import", str(tmp_path / "all.zip"))
    assert everything() == before
    assert User.objects.get(username="owner").check_password("correct horse battery")
    assert {path.name for path in settings.ORIGINALS_DIR.glob("??/*")} == set(
        Source.objects.values_list("sha256", flat=True)
    )
    assert (tmp_path / "all.zip").stat().st_mode & 0o077 == 0
    del filled


def test_one_brain_goes_without_the_others_and_without_passwords(filled: Brain, tmp_path: Path) -> None:
    call_command("export", str(tmp_path / "one.zip"), "--brain", filled.name)
    with zipfile.ZipFile(tmp_path / "one.zip") as file:
        written = b"".join(file.read(name) for name in file.namelist())
    assert b"Engine Works" in written
    assert b"c.txt" not in written
    assert b"md5$" not in written
    forget_everything()
    call_command("import", str(tmp_path / "one.zip"))
    assert list(Brain.objects.values_list("name", flat=True)) == [filled.name]
    owner = User.objects.get(username="owner")
    assert (owner.is_active, owner.has_usable_password()) == (False, False)


def told_to_make() -> list[str]:
    """What health says is to be made, after its label."""
    out = StringIO()
    call_command("health", stdout=out)
    return [line.removeprefix("to make").strip() for line in out.getvalue().splitlines() if line.startswith("to make")]


INDEX = "Imported brains whose search index is still to be made: 2. Stop Brain, then run: manage.py rebuild --vectors"
GRAPH = "Imported brains whose graph is still to be made: 2. Stop Brain, then run: manage.py rebuild --graph"


@pytest.mark.parametrize(
    ("graph", "command", "left"),
    [
        ("sql", ("rebuild",), []),
        ("sql", ("rebuild", "--vectors"), []),
        ("sql", ("rebuild", "--graph"), [INDEX]),
        ("memory", ("rebuild",), []),
        ("memory", ("rebuild", "--vectors"), [GRAPH]),
        ("memory", ("rebuild", "--graph"), [INDEX]),
        ("memory", ("verify", "--mend"), []),
        ("sql", ("verify", "--mend"), []),
    ],
)
def test_health_says_what_an_import_of_rows_left_to_make(
    filled: Brain, tmp_path: Path, settings: Settings, graph: str, command: tuple[str, ...], left: list[str]
) -> None:
    settings.BRAIN_GRAPH = graph
    call_command("export", str(tmp_path / "all.zip"))
    assert told_to_make() == []
    forget_everything()
    Brain.objects.create(name="Made here")
    call_command("import", str(tmp_path / "all.zip"), "--rows-only")
    assert told_to_make() == ([GRAPH, INDEX] if graph == "memory" else [INDEX])
    call_command(*command, stdout=StringIO())
    assert told_to_make() == left
    with override("ko"):
        assert [each.split(": manage.py")[-1] for each in told_to_make()] == [
            each.split(": manage.py")[-1] for each in left
        ]
        assert all("만들지 않은 브레인: 2개" in each for each in told_to_make())
    del filled


def test_after_a_whole_import_nothing_is_to_be_made(filled: Brain, tmp_path: Path) -> None:
    call_command("export", str(tmp_path / "all.zip"))
    forget_everything()
    call_command("import", str(tmp_path / "all.zip"), stdout=StringIO())
    assert told_to_make() == []
    del filled


@pytest.mark.parametrize(
    ("unknown_then", "marks"), [(set(), [DatedBy.PERSON, ""]), ({"dated_by"}, [DatedBy.LATER, DatedBy.LATER])]
)
def test_files_of_an_export_without_dates_are_dated_later(
    filled: Brain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unknown_then: set[str], marks: list[str]
) -> None:
    a, b = filled.sources.order_by("title")
    Source.objects.filter(pk=a.pk).update(dated_by=DatedBy.PERSON)
    with monkeypatch.context() as older:
        older.setattr(tables, "_NOT_MOVED", tables._NOT_MOVED | unknown_then)
        call_command("export", str(tmp_path / "all.zip"))
    forget_everything()
    call_command("import", str(tmp_path / "all.zip"), stdout=StringIO())
    assert [Source.objects.get(pk=each.pk).dated_by for each in (a, b)] == marks


def test_a_brain_that_is_here_already_is_refused_and_nothing_changes(filled: Brain, tmp_path: Path) -> None:
    call_command("export", str(tmp_path / "all.zip"))
    before = everything()
    with pytest.raises(CommandError, match="is here already"):
        call_command("import", str(tmp_path / "all.zip"))
    assert everything() == before
    with pytest.raises(CommandError, match="exists already"):
        call_command("export", str(tmp_path / "all.zip"), "--brain", str(filled.pk))


def test_a_brain_whose_name_is_taken_is_imported_under_another(filled: Brain, tmp_path: Path) -> None:
    bundle = str(tmp_path / "one.zip")
    call_command("export", bundle, "--brain", filled.name)
    facts = dump.canonical(filled.pk)
    forget_everything()
    Brain.objects.create(name=filled.name)
    with pytest.raises(CommandError, match=rf'"{filled.name}" here\. .+: manage\.py import FILE --name "NEW NAME"$'):
        call_command("import", bundle)
    assert list(Brain.objects.values_list("name", flat=True)) == [filled.name]
    call_command("import", bundle, "--name", " Old library ")
    assert Brain.objects.get(pk=filled.pk).name == "Old library"
    assert dump.canonical(filled.pk) == facts


def test_an_export_of_several_brains_takes_no_other_name(filled: Brain, tmp_path: Path) -> None:
    call_command("export", str(tmp_path / "all.zip"))
    forget_everything()
    with pytest.raises(CommandError, match="holds 2 brains"):
        call_command("import", str(tmp_path / "all.zip"), "--name", "Both")
    assert not Brain.objects.exists()


def test_nothing_that_is_being_deleted_is_exported(filled: Brain, owner: User, tmp_path: Path) -> None:
    source = filled.sources.first()
    assert source is not None
    deletion.purge(source, owner)
    with pytest.raises(CommandError, match="deletion is still being carried out"):
        call_command("export", str(tmp_path / "all.zip"))
    assert list(tmp_path.iterdir()) == []


def test_a_missing_original_stops_the_export_with_a_sentence(filled: Brain, tmp_path: Path) -> None:
    source = filled.sources.order_by("title").first()
    assert source is not None
    originals.remove(source.sha256)
    with pytest.raises(CommandError, match=r'The original of "a\.txt" is missing'):
        call_command("export", str(tmp_path / "all.zip"))
    assert list(tmp_path.iterdir()) == []


def _changed(path: Path, change: Callable[[str, bytes], bytes]) -> Path:
    """A copy of an export with other contents."""
    changed = path.with_name("changed.zip")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return changed


def test_a_damaged_file_is_refused_before_anything_is_written(filled: Brain, tmp_path: Path) -> None:
    call_command("export", str(tmp_path / "all.zip"))
    forget_everything()
    flipped = _changed(tmp_path / "all.zip", lambda name, data: data[::-1] if "chunks" in name else data)
    with pytest.raises(BadArchive, match=r"chunks\.jsonl"):
        load(flipped)
    newer = _changed(
        tmp_path / "all.zip",
        lambda name, data: json.dumps({**json.loads(data), "version": 99}).encode() if "manifest" in name else data,
    )
    with pytest.raises(BadArchive, match="newer Brain"):
        load(newer)
    (tmp_path / "short.zip").write_bytes((tmp_path / "all.zip").read_bytes()[:-200])
    with pytest.raises(BadArchive, match="cut short"):
        load(tmp_path / "short.zip")
    assert not Brain.objects.exists()
    assert not list(settings.ORIGINALS_DIR.glob("??/*"))
    del filled
