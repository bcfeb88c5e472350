"""``manage.py ingest`` cares for its own files, ends when they are done, and says by its exit what became of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone
from pytest_django.fixtures import Settings

from brain.ledger import indexes
from brain.models import Brain, Source, SourceState
from brain.startup import hold_home

pytestmark = pytest.mark.django_db(transaction=True)


def ingest(brain: Brain, *files: Path, search_only: bool = False) -> tuple[list[str], list[str]]:
    out, err = StringIO(), StringIO()
    try:
        call_command("ingest", str(brain.pk), *map(str, files), search_only=search_only, stdout=out, stderr=err)
    except CommandError as error:
        err.write(f"error: {error}\n")
    return out.getvalue().splitlines(), err.getvalue().splitlines()


@pytest.fixture
def text(tmp_path: Path) -> Callable[[str, str], Path]:
    def _write(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return _write


def test_beside_the_web_server_nothing_is_stored_on_embedded_stores(
    brain: Brain, text: Callable[[str, str], Path], stored_files: Callable[[], set[str]], settings: Settings
) -> None:
    said = (
        f'error: Brain is running on "{settings.BRAIN_HOME}". Stop it first: beside it this works only with the '
        "vectors on a Qdrant server (BRAIN_VECTORS=http://...). Nothing was changed."
    )
    server = hold_home()
    assert server is not None
    with server:
        assert ingest(brain, text("a.txt", "Ada Byron.")) == ([], [said])
    assert (Source.objects.count(), stored_files()) == (0, set())


def test_beside_another_command_nothing_is_stored_either(
    brain: Brain, text: Callable[[str, str], Path], settings: Settings, tmp_path: Path
) -> None:
    settings.BRAIN_VECTORS = "edge"
    settings.VECTORS_DIR = tmp_path / "vectors"
    from brain.backends.vectors.edge import EdgeVectorStore

    index = indexes.configured()
    other = EdgeVectorStore(settings.VECTORS_DIR / index.name, index.dimension)
    out, err = ingest(brain, text("a.txt", "Ada Byron."))
    assert (out, len(err)) == ([], 1)
    assert "is in use by another process" in err[0]
    assert Source.objects.count() == 0
    other.close()


def test_files_of_others_are_left_alone(
    brain: Brain, plain_facts: None, upload: Callable[..., Source], text: Callable[[str, str], Path]
) -> None:
    other = upload("Grace Hopper (person) advises Navy (organization).", "other.txt")
    out, err = ingest(brain, text("a.txt", "Ada Byron (person) advises Engine Works (organization)."))
    assert out == ["a.txt: done", f"1 of 1 file taken into “{brain.name}” ({brain.pk})."]
    assert err == []
    other.refresh_from_db()
    assert (other.state, other.stage) == (SourceState.QUEUED, "read")


def test_a_file_that_is_there_already_is_no_error_and_no_work_for_others(
    brain: Brain, plain_facts: None, upload: Callable[..., Source], text: Callable[[str, str], Path]
) -> None:
    file = text("a.txt", "Ada Byron (person) advises Engine Works (organization).")
    ingest(brain, file)
    other = upload("Grace Hopper (person) advises Navy (organization).", "other.txt")
    out, err = ingest(brain, file)
    assert err == [f"{file}: This file is in the brain already, as “a.txt”."]
    assert out[0] == "a.txt: done"
    other.refresh_from_db()
    assert other.state == SourceState.QUEUED


def test_a_file_that_a_worker_beside_it_has_is_waited_for(
    brain: Brain, plain_facts: None, upload: Callable[..., Source], text: Callable[[str, str], Path]
) -> None:
    words = "Ada Byron (person) advises Engine Works (organization)."
    source = upload(words, "a.txt")
    Source.objects.filter(pk=source.pk).update(
        state=SourceState.RUNNING, lease_owner="another", lease_until=timezone.now() + timedelta(seconds=0.5)
    )
    out, _err = ingest(brain, text("a.txt", words))
    assert out[0] == "a.txt: done"


def test_refused_and_failed_files_are_counted_in_an_error_after_the_others_are_done(
    brain: Brain, plain_facts: None, text: Callable[[str, str], Path], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\nnothing of a PDF follows\n")
    good = text("good.txt", "Ada Byron (person) advises Engine Works (organization).")
    out, err = ingest(brain, text("empty.txt", ""), tmp_path / "missing.txt", broken, good)
    assert [line.partition(" ")[0] for line in out[:1]] == ["broken.pdf:"]
    assert out[1:] == ["good.txt: done", f"2 of 4 files taken into “{brain.name}” ({brain.pk})."]
    assert err[1:] == [
        f"{tmp_path / 'missing.txt'}: No such file or directory",
        "error: Refused: 2, failed: 1 of 4 files. The lines above say why.",
    ]


def test_files_whose_graph_is_left_for_later_are_called_searchable(
    brain: Brain, text: Callable[[str, str], Path]
) -> None:
    out, err = ingest(brain, text("helion.txt", "Ada Byron advises Engine Works."), search_only=True)
    assert out == ["helion.txt: searchable", f"1 of 1 file taken into “{brain.name}” ({brain.pk})."]
    assert err == []
