"""From ranked refs to the passages that are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from django.utils import timezone

from brain.backends.rerankers.cross_encoder import CrossEncoderReranker
from brain.ledger import indexes
from brain.models import Chunk
from graphqa.question.plan import make_plan
from graphqa.question.scope import searched
from graphqa.retrieval.ranking import PER_SOURCE, Evidence, evidence
from graphqa.retrieval.search import Ranked, retrieve
from graphqa.retrieval.tuning import BIGRAMS, LEXICAL
from tests.graphqa.conftest import Library
from tests.stubs import tiny_cross_encoder

pytestmark = pytest.mark.django_db


def _ranked(library: Library, *names: str) -> list[Ranked]:
    refs = [chunk.ref for name in names for chunk in Chunk.objects.filter(source=library.sources[name])]
    return [Ranked(ref, 1 / place, {}, 0.0, None, "words") for place, ref in enumerate(refs, start=1)]


def _titles(found: Sequence[Evidence]) -> list[str]:
    return [each.title for each in found]


def test_passages_come_in_the_order_of_their_rank(library: Library) -> None:
    ranked = _ranked(library, "architect.txt", "bridge.txt")
    found = evidence(ranked, library.brain.pk, searched(library.brain.pk, None))
    assert [(each.title, each.score) for each in found] == [("architect.txt", 1.0), ("bridge.txt", 0.5)]


def test_a_cross_encoder_reads_title_and_text_and_has_the_last_word(library: Library, tmp_path: Path) -> None:
    folder = tiny_cross_encoder.write(tmp_path, ["bridge", "opened", "1932"])
    found = evidence(
        _ranked(library, "architect.txt", "bridge.txt"),
        library.brain.pk,
        searched(library.brain.pk, None),
        question="bridge 1932",
        reranker=CrossEncoderReranker(folder),
    )
    assert [(each.title, each.score) for each in found] == [("bridge.txt", 2.0), ("architect.txt", 0.0)]


def test_a_passage_whose_source_is_in_the_trash_is_left_out(library: Library) -> None:
    ranked, within = _ranked(library, "architect.txt", "bridge.txt"), searched(library.brain.pk, None)
    source = library.sources["architect.txt"]
    source.trashed_at = timezone.now()
    source.save()
    assert _titles(evidence(ranked, library.brain.pk, within)) == ["bridge.txt"]


def test_the_same_words_in_two_sources_are_shown_once(fill: Callable[[dict[str, str]], Library]) -> None:
    text = "The harbour bridge opened in 1932 and is 1,149 metres long."
    library = fill({"a.txt": text, "copy of a.txt": text, "b.txt": "It rains."})
    ranked = _ranked(library, "a.txt", "copy of a.txt", "b.txt")
    assert _titles(evidence(ranked, library.brain.pk, searched(library.brain.pk, None))) == ["a.txt", "b.txt"]


def test_what_comes_after_many_copies_is_still_shown(fill: Callable[[dict[str, str]], Library]) -> None:
    text = "The harbour bridge opened in 1932 and is 1,149 metres long."
    copies = [f"copy {number}.txt" for number in range(6)]
    library = fill(dict.fromkeys(copies, text) | {"b.txt": "It rains.", "c.txt": "It snows."})
    ranked = _ranked(library, *copies, "b.txt", "c.txt")
    found = evidence(ranked, library.brain.pk, searched(library.brain.pk, None), limit=2)
    assert _titles(found) == ["copy 0.txt", "b.txt"]


def test_one_source_does_not_crowd_out_the_others(fill: Callable[[dict[str, str]], Library]) -> None:
    many = "\n\n".join(f"Chapter {word}. " + f"{word} says its own {word} things. " * 40 for word in _WORDS)
    library = fill({"long.txt": many, "short.txt": "It rains."})
    ranked = _ranked(library, "long.txt", "short.txt")
    assert len(ranked) > PER_SOURCE + 2
    found = _titles(evidence(ranked, library.brain.pk, searched(library.brain.pk, None)))
    assert found == ["long.txt"] * PER_SOURCE + ["short.txt", "long.txt"]


def test_pieces_of_one_section_are_one_share_of_their_source(fill: Callable[[dict[str, str]], Library]) -> None:
    many = "\n\n".join(f"{word} says its own {word} things. " * 40 for word in _WORDS)
    library = fill({"law.txt": many, "short.txt": "It rains."})
    Chunk.objects.filter(source=library.sources["law.txt"]).update(heading=["Article 1"])
    ranked = _ranked(library, "law.txt", "short.txt")
    assert _titles(evidence(ranked, library.brain.pk, searched(library.brain.pk, None))) == ["law.txt"] * 8


_WORDS = ("amber", "birch", "copper", "dune", "ember", "fjord", "grove", "haze", "iris", "jade")


@pytest.mark.parametrize("leg", [LEXICAL, BIGRAMS])
def test_a_list_that_is_not_asked_for_finds_nothing(library: Library, leg: str) -> None:
    vectors, embedder = indexes.active(), indexes.active_embedder()
    plan, within = make_plan("소음 기준을 위반한 자의 과태료"), searched(library.brain.pk, None)
    found = retrieve(plan, library.brain.pk, within, vectors=vectors, embedder=embedder, legs=frozenset({leg}))
    assert {name for each in found.ranked for name in each.ranks} == {leg}
