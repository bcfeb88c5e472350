"""Questions that leave a file out."""

from __future__ import annotations

import pytest

from brain.models import Conversation, Message
from graphqa.answer.explained import explain
from graphqa.question.named import Named, named_files
from tests.graphqa.test_named import FILES, TITLES, Fill, _titles


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("Not from bridge.txt: how long is it?", ": how long is it?"),
        ("Except bridge.txt, who writes of Ada?", ", who writes of Ada?"),
        ("bridge.txt 말고 에이다는 누구인가요?", "에이다는 누구인가요?"),
        ("bridge.txt를 제외하고 에이다는 누구인가요?", "에이다는 누구인가요?"),
        ("bridge.txt말고 에이다는 누구인가요?", "에이다는 누구인가요?"),
    ],
)
def test_a_file_that_is_left_out_is_not_asked_alone(question: str, rest: str) -> None:
    assert named_files(question, TITLES) == Named((), rest, ("6",))


@pytest.mark.parametrize(
    ("question", "sources", "without"),
    [
        ("Except for bridge.txt and minutes.md, who is Ada?", (), ("6", "A")),
        ("bridge.txt와 minutes.md 말고 누구인가요?", (), ("6", "A")),
        ("Who is Ada in minutes.md, not from bridge.txt?", ("A",), ("6",)),
    ],
)
def test_files_that_are_left_out_together_are_all_left_out(
    question: str, sources: tuple[str, ...], without: tuple[str, ...]
) -> None:
    found = named_files(question, TITLES)
    assert (found.sources, found.without) == (sources, without)


@pytest.mark.parametrize(
    ("question", "sources", "without", "rest"),
    [
        ("What is in minutes.md but not in bridge.txt?", ("A",), ("6",), "What is in ?"),
        ("What is in minutes.md and not in bridge.txt or a.txt?", ("A",), ("6", "C"), "What is in or ?"),
        ("Which clauses of minutes.md aren't mentioned in bridge.txt?", ("A",), ("6",), "Which clauses of ?"),
        ("What does minutes.md say that bridge.txt doesn't mention?", ("A",), ("6",), "What does say ?"),
        ("Which pages of minutes.md are missing from bridge.txt?", ("A",), ("6",), "Which pages of are ?"),
        ("Who is Ada? Leave out the file bridge.txt.", (), ("6",), "Who is Ada? ."),
        ("Summarise minutes.md, not bridge.txt", ("A",), ("6",), "Summarise"),
        ("minutes.md에는 있고 bridge.txt에는 없는 내용은?", ("A",), ("6",), "있고 내용은?"),
        ("bridge.txt에는 나와 있지 않은 회사는?", (), ("6",), "회사는?"),
        ("minutes.md에만 있는 내용은?", ("A",), (), "있는 내용은?"),
    ],
)
def test_what_stands_in_one_file_and_not_in_another_is_asked_of_the_one(
    question: str, sources: tuple[str, ...], without: tuple[str, ...], rest: str
) -> None:
    assert named_files(question, TITLES) == Named(sources, rest, without)


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("Why is the deposit not in bridge.txt?", "Why is the deposit not in ?"),
        ("Which pages are missing from bridge.txt?", "Which pages are missing from ?"),
        ("Is it true that bridge.txt does not mention Ada?", "Is it true that does not mention Ada?"),
        ("bridge.txt에 따르면 지급하지 않는 경우는?", "따르면 지급하지 않는 경우는?"),
        ("bridge.txt에서 허용하지 않는 행위는?", "허용하지 않는 행위는?"),
        ("bridge.txt에 보증금이 없나요?", "보증금이 없나요?"),
    ],
)
def test_what_a_file_lacks_is_asked_of_it_where_it_is_the_only_one(question: str, rest: str) -> None:
    assert named_files(question, TITLES) == Named(("6",), rest)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "question",
    ["Not from old contract.txt: what is the rent of the hall?", "new_contract.txt 말고 the rent of the hall는?"],
)
def test_all_files_are_asked_but_the_one_left_out(fill: Fill, question: str) -> None:
    library = fill(FILES)
    library.ask(question, ["The rent of the hall was too high [1]."])
    assert _titles(library) == FILES.keys() - {"old contract.txt" if "old" in question else "new_contract.txt"}


@pytest.mark.django_db
@pytest.mark.parametrize("question", ["What is not in old contract.txt?", "old contract.txt에는 없는 것은?"])
def test_what_is_not_in_a_file_is_told_from_all_over_the_others(fill: Fill, question: str) -> None:
    library = fill(FILES)
    answer = library.ask(question, ["The rent of the hall is 700 euros [1]."])
    assert (answer.status, _titles(library)) == ("answered", FILES.keys() - {"old contract.txt"})


@pytest.mark.django_db
def test_how_it_was_answered_tells_which_file_was_left_out(fill: Fill, conversation: Conversation) -> None:
    library = fill(FILES)
    answer = library.ask("What is in letter.txt but not in old contract.txt?", ["The rent was too high [1]."])
    message = Message.objects.create(conversation=conversation, ordinal=0, question="?", details=answer.details)
    lines = {line.name: line.text for line in explain(message, answer.details)}
    assert lines["Files left out, as the question says"] == "old contract.txt"
