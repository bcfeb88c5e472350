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


@pytest.mark.parametrize(
    "question",
    [
        "Everything but bridge.txt: what is the daily meal allowance?",
        "What do all files but bridge.txt say about meals?",
        "Summarise everything but bridge.txt",
        "All but bridge.txt: what is the allowance?",
        "All of the other documents but bridge.txt: allowance?",
        "Disregard bridge.txt; what is the allowance?",
        "Please ignore bridge.txt. What is the allowance?",
        "What is the allowance? Please skip bridge.txt.",
        "What is the allowance (skip bridge.txt)?",
        "What is the allowance, ignoring bridge.txt?",
        "What is the allowance, leaving bridge.txt out?",
        "Leave bridge.txt out of it: what is the allowance?",
        "Leaving aside bridge.txt, what is the allowance?",
        "With bridge.txt excluded, what is the allowance?",
        "bridge.txt aside, what is the allowance?",
        "Do not look at bridge.txt. What is the allowance?",
        "Don't use bridge.txt: what is the allowance?",
        "Dont use bridge.txt: what is the allowance?",
        "Never mind bridge.txt, what is the allowance?",
        "What is the allowance, but don't look in bridge.txt?",
        "What is the allowance? Not from bridge.txt.",
        "What is the allowance, bar bridge.txt?",
        "All files bar bridge.txt: what is the allowance?",
        "Save for bridge.txt, what is the allowance?",
        "Every document save bridge.txt: the allowance?",
        "Aside from bridge.txt, what is the allowance?",
        "With the exception of bridge.txt, what is the allowance?",
        "Which other files than bridge.txt name an allowance?",
        "Which documents other than bridge.txt name an allowance?",
        "Forget bridge.txt. What is the allowance?",
        "Without looking at bridge.txt, what is the allowance?",
        "bridge.txt must not be used. What is the allowance?",
        "I want you to ignore bridge.txt. What is the allowance?",
        "Leave out the file bridge.txt: what is the allowance?",
        'Exclude "bridge.txt". What is the allowance?',
        "bridge.txt를 무시하고 식비는 얼마인가요?",
        "bridge.txt는 무시해 줘. 식비는?",
        "bridge.txt를 보지 말고 식비는?",
        "bridge.txt는 보지 마. 식비는?",
        "bridge.txt는 보지 마세요. 식비는?",
        "bridge.txt는 제외. 식비는?",
        "bridge.txt는 제외해줘. 식비는?",
        "bridge.txt 제외하고 식비는?",
        "식비는 얼마? bridge.txt는 빼줘",
        "bridge.txt는 빼 주세요. 식비는?",
        "bridge.txt는 빼고 식비는?",
        "bridge.txt 없이 식비는?",
        "bridge.txt 말고는 식비가 어디에 있나요?",
        "bridge.txt를 참고하지 말고 식비는?",
        "bridge.txt는 쓰지 말고 식비는?",
        "bridge.txt 내용은 쓰지 말고 식비는?",
        "bridge.txt에서 찾지 말고 식비는?",
        "bridge.txt 파일은 사용하지 마십시오. 식비는?",
        "bridge.txt가 아닌 다른 파일에서 식비는?",
        "bridge.txt 외의 파일에서 식비는?",
        "bridge.txt를 뺀 나머지에서 식비는?",
        "bridge.txt는 읽지 말아 주세요. 식비는?",
        "bridge.txt는 참고 말고 식비는?",
        "bridge.txt는 안 보고 식비는?",
        "bridge.txt만 빼고 식비는?",
        "bridge.txt는 생략하고 요약해 줘",
        "식비는 얼마인가요? bridge.txt는 무시",
        "bridge.txt를 배제하고 식비는?",
        "bridge.txt 이외의 파일에서 식비는?",
    ],
)
def test_there_are_many_ways_to_leave_a_file_out(question: str) -> None:
    found = named_files(question, TITLES)
    assert (found.sources, found.without) == ((), ("6",))


@pytest.mark.parametrize(
    "question",
    [
        "Nothing but bridge.txt: what is the allowance?",
        "Why is the deposit not in bridge.txt?",
        "Why does bridge.txt leave out the allowance?",
        "Why is bridge.txt excluded?",
        "Is bridge.txt out of date?",
        "Why should we ignore bridge.txt?",
        "What should not be used according to bridge.txt?",
        "What must not be switched off in bridge.txt?",
        "What does bridge.txt say we should ignore?",
        "Who set up bridge.txt?",
        "bridge.txt에서 쓰지 말라고 한 것은?",
        "bridge.txt에서 사용하지 말아야 할 것은?",
        "bridge.txt에서 제외되는 것은?",
        "bridge.txt에서 제외한 항목은?",
        "bridge.txt를 무시해도 되나요?",
        "bridge.txt를 제외한 이유는?",
        "bridge.txt는 왜 제외했나요?",
        "bridge.txt에서 빼야 할 것은?",
        "bridge.txt에서 무시하라고 한 것은?",
        "bridge.txt에서 보지 말고 버리라고 한 것은?",
        "bridge.txt에 예외 없이 적용되는 규칙은?",
        "bridge.txt에서 식비를 제외하고 얼마인가요?",
        "bridge.txt에서 제외하고 있는 비용은?",
        "bridge.txt에서 빼고 계산하는 비용은?",
        "bridge.txt에서 무시하고 넘어가는 비용은?",
        "bridge.txt에서 제외한 비용은?",
        "Don't forget bridge.txt: what is the allowance?",
        "Do not ignore bridge.txt: what is the allowance?",
        "bridge.txt도 빼지 말고 식비는?",
        "bridge.txt는 무시하지 말고 식비는?",
        "bridge.txt만 보고 식비는?",
        "Everything is fine but bridge.txt says 90, why?",
        "Does bridge.txt include everything but meals?",
        "What does bridge.txt say besides meals?",
        "Summarise bridge.txt except for meals",
        "What does bridge.txt exclude?",
    ],
)
def test_what_only_sounds_as_if_a_file_were_left_out_is_asked_of_it(question: str) -> None:
    found = named_files(question, TITLES)
    assert (found.sources, found.without) == (("6",), ())


@pytest.mark.parametrize(
    ("question", "sources", "without"),
    [
        ("I read minutes.md but what does bridge.txt say?", ("A", "6"), ()),
        ("What is not in minutes.md but in bridge.txt?", ("6",), ("A",)),
        ("Why does minutes.md ignore bridge.txt?", ("A", "6"), ()),
        ("Instead of bridge.txt, use minutes.md: who is Ada?", ("A",), ("6",)),
        ("Ignore bridge.txt, and what does minutes.md say?", ("A",), ("6",)),
        ("Summarise minutes.md, ignore bridge.txt", ("A",), ("6",)),
        ("Everything but a.txt, bridge.txt and minutes.md: who is Ada?", (), ("C", "6", "A")),
        ("Ignore a.txt and bridge.txt and minutes.md: who is Ada?", (), ("C", "6", "A")),
        ("a.txt, bridge.txt와 minutes.md는 보지 말고 에이다는?", (), ("C", "6", "A")),
        ("a.txt, bridge.txt 빼고 에이다는?", (), ("C", "6")),
        ("a.txt에서, bridge.txt 말고 에이다는?", ("C",), ("6",)),
        ("bridge.txt is old, so ignore bridge.txt: what does minutes.md say?", ("A",), ("6",)),
        ("bridge.txt는 초안이에요. bridge.txt는 빼고 에이다는 누구인가요?", (), ("6",)),
        ("bridge.txt 대신 minutes.md에서 에이다는?", ("A",), ("6",)),
    ],
)
def test_of_several_files_those_are_left_out_that_are_meant(
    question: str, sources: tuple[str, ...], without: tuple[str, ...]
) -> None:
    found = named_files(question, TITLES)
    assert (found.sources, found.without) == (sources, without)


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
