"""Questions that name a file."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils.translation import override

from brain.models import Conversation, Message
from graphqa.answer.explained import explain
from graphqa.answer.refusals import refusal
from graphqa.question.named import Named, named_files
from graphqa.question.plan import make_plan
from graphqa.question.scope import Scope
from graphqa.retrieval.spread import halving
from tests.graphqa.conftest import Library

Fill = Callable[[dict[str, str]], Library]

TITLES = {
    "1": "helion.txt",
    "2": "contract_2024.pdf",
    "3": "Annual Report 2023.docx",
    "4": "한빛정밀.txt",
    "5": "계약서 최종.pdf",
    "6": "bridge.txt",
    "7": "notes.md",
    "8": "notes.txt",
    "A": "minutes.md",
    "B": "Apple.txt",
    "C": "a.txt",
    "D": "애플.txt",
    "E": "old.qrs",
}


@pytest.mark.parametrize(
    ("question", "sources", "rest"),
    [
        ("Summarise helion.txt", ["1"], "Summarise"),
        ("helion.txt 요약해 줘", ["1"], "요약해 줘"),
        ("Summarise Helion", ["1"], "Summarise"),
        ("what does contract_2024.pdf say about termination?", ["2"], "what does say about termination?"),
        ("What does Contract 2024.PDF say about termination?", ["2"], "What does say about termination?"),
        ("What does contract_2024 say?", ["2"], "What does say?"),
        ('Who signed the file "annual_report_2023.docx"?', ["3"], "Who signed ?"),
        ("Who signed the file annual report 2023?", ["3"], "Who signed ?"),
        ("한빛정밀.txt에서 보증 기간은?", ["4"], "보증 기간은?"),
        ("계약서_최종.hwp의 해지 조항은?", ["5"], "해지 조항은?"),
        ("한빛정밀 파일을 요약해 줘", ["4"], "요약해 줘"),
        ("Compare helion.txt with contract_2024.pdf", ["1", "2"], "Compare with"),
        ("Summarise notes.txt", ["8"], "Summarise"),
        ("Summarise notes.pdf", ["7", "8"], "Summarise"),
        ("Summarise NOTES.MD", ["7"], "Summarise"),
        ("a.txt에는 무엇이 있나요?", ["C"], "무엇이 있나요?"),
        ("Who wrote a.txt?", ["C"], "Who wrote ?"),
        ("Who wrote old.qrs?", ["E"], "Who wrote ?"),
        ("What does the Apple file say of pears?", ["B"], "What does the say of pears?"),
        ("Who wrote the file Apple, and when?", ["B"], "Who wrote , and when?"),
        ("애플 파일에서 배는 얼마인가요?", ["D"], "배는 얼마인가요?"),
    ],
)
def test_a_file_is_named_as_it_is_called_or_nearly_so(question: str, sources: list[str], rest: str) -> None:
    found = named_files(question, TITLES)
    assert (sorted(found.sources), found.rest) == (sources, rest)


@pytest.mark.parametrize(
    "question",
    [
        "Who designed the bridge?",
        "Summarise what Helion bought.",
        "한빛정밀의 대표이사는 누구인가요?",
        "What is in my helionic.txt?",
        "Are there any notes on bridges?",
        "I have only five minutes. How long is the Arlow bridge?",
        "I have only five minutes.How long is the Arlow bridge?",
        "Tell me about the bridge. Where is the Zorblatt factory?",
        "I crossed the bridge. Who built it?",
        "I crossed the bridge.who built it?",
        "Who wrote old .qrs?",
        "What does https://x.org/bridge.txt say?",
        "https://x.org/bridge.txt에는 무엇이 있나요?",
        "Which Apple file format?",
        "Which is the document Apple signed?",
        "애플 파일 형식은 무엇인가요?",
        "This is a. Who wrote it?",
    ],
)
def test_a_question_about_what_a_file_is_called_after_names_no_file(question: str) -> None:
    assert named_files(question, TITLES) == Named((), question)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("contract_2024_final_version_signed.pdf 요약해 줘", "ko"),
        ("Helion Dynamics International Corporation 요약해 줘", "ko"),
        ("What does 한빛정밀 make?", "en"),
        ("한빛정밀.txt", "ko"),
        ("Summarise 한빛정밀.txt", "en"),
        ("HR-7 warranty는?", "ko"),
    ],
)
def test_the_language_is_that_of_the_person_not_of_the_thing(question: str, language: str) -> None:
    titles = {**TITLES, "9": "contract_2024_final_version_signed.pdf"}
    assert make_plan(question, titles=lambda: titles).language == language


def test_what_a_file_is_asked_about_is_searched_for_without_its_name() -> None:
    plan = make_plan("What does Contract_2024.pdf say about Termination?", titles=lambda: TITLES)
    assert (plan.wanted, plan.narrow) == ("What does say about Termination?", ("termination",))
    assert (plan.is_overview, make_plan("helion.txt", titles=lambda: TITLES).is_of_the_whole) == (False, True)


def test_every_first_few_of_a_document_lie_far_apart() -> None:
    assert list(halving(range(9))) == [0, 4, 2, 6, 1, 3, 5, 7, 8]
    assert (list(halving([])), list(halving([3]))) == ([], [3])


KIM = "Ada Kim signed it in 1932."
FILES = {
    "old contract.txt": f"The rent of the hall is 500 euros. {KIM}",
    "new_contract.txt": "The rent of the hall is 700 euros. Bo Lee signed it in 1995.",
    "letter.txt": "The rent of the hall was too high for Ada Kim, who wrote to Bo Lee.",
}


def _titles(library: Library) -> set[str]:
    return {shown.evidence.title for shown in library.shown}


@pytest.mark.django_db
def test_only_the_named_file_is_asked(fill: Fill) -> None:
    library = fill(FILES)
    answer = library.ask("What is the rent in Old_Contract.pdf?", ["The rent of the hall is 500 euros [1]."])
    assert (answer.status, _titles(library)) == ("answered", {"old contract.txt"})
    assert answer.details["named"] == [str(library.sources["old contract.txt"].pk)]


@pytest.mark.django_db
def test_a_file_outside_of_the_chosen_ones_is_not_asked_though_it_is_named(fill: Fill) -> None:
    library = fill(FILES)
    scope = Scope(sources=(str(library.sources["letter.txt"].pk),))
    answer = library.ask("What is the rent in old contract.txt?", ["NOT IN THE DOCUMENTS"], scope=scope)
    assert (_titles(library), answer.details["named"]) == ({"letter.txt"}, [])


LEASES = {
    "lease_agreement.txt": "The rent of the hall is 500 euros. " * 40,
    "lease_amendment.txt": "The rent of the hall is 700 euros from May on.",
    "letter.txt": "The difference was too high for Ada Kim.",
}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "question",
    [
        "lease_agreement.txt와 lease_amendment.txt의 차이는?",
        "lease_agreement.txt와 lease_amendment.txt의 공통점은 무엇인가요?",
        "lease_agreement.txt와 lease_amendment.txt를 비교해 줘",
        "What are the differences between lease_agreement.txt and lease_amendment.txt?",
        "Compare lease_agreement.txt with lease_amendment.txt",
        "What do lease_agreement.txt and lease_amendment.txt have in common?",
    ],
)
def test_files_that_are_compared_are_both_read(fill: Fill, question: str) -> None:
    library = fill(LEASES)
    answer = library.ask(question, ["The rent of the hall is 700 euros from May on [2]."], yes=0.0)
    assert answer.status in {"answered", "partially_supported", "contradictory"}
    assert (_titles(library), answer.details["gap"]) == ({"lease_agreement.txt", "lease_amendment.txt"}, [])


def _long(file: str, about: str) -> str:
    return " ".join(f"{about} Clause {n} of the {file} has {n} lines of its own." for n in range(60))


@pytest.mark.django_db
@pytest.mark.parametrize("reads", [None, 20.0])
@pytest.mark.parametrize(
    "question",
    [
        "Compare the notice periods in hall.txt and roof.txt and yard.txt",
        "hall.txt와 roof.txt와 yard.txt의 notice period 차이는?",
    ],
)
def test_each_file_that_is_compared_has_passages_among_those_shown(
    fill: Fill, question: str, reads: float | None
) -> None:
    library = fill(
        {
            "hall.txt": _long("hall", "The notice period of the tenant is 90 days, the notice period is long."),
            "roof.txt": _long("roof", "A tenant may end it."),
            "yard.txt": "The weather was fine.",
        }
    )
    library.ask(question, lambda _request: "NOT IN THE DOCUMENTS", reads=reads)
    told = next(request.turns[-1].text for request in library.llm.history if request.options)
    assert [shown.evidence.title for shown in library.shown[:3]] == ["hall.txt", "roof.txt", "yard.txt"]
    assert all(f"[{shown.number}] {shown.evidence.title}" in told for shown in library.shown[:3])


@pytest.mark.django_db
def test_files_that_say_nearly_the_same_are_compared_all_the_same(fill: Fill) -> None:
    lease = "The tenant pays the rent on the fifth of each month, keeps no dogs and repairs what he breaks: {} euros."
    library = fill({"old.txt": lease.format(500), "new.txt": lease.format(700)})
    library.ask("Compare the rents in old.txt and new.txt", ["NOT IN THE DOCUMENTS"])
    assert _titles(library) == {"old.txt", "new.txt"}


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Compare the rents in helion.txt and notes.md", "the rents in and"),
        ("helion.txt와 notes.md의 임대료 차이는?", "임대료 ?"),
        ("What difference does helion.txt name?", "What difference does name?"),
    ],
)
def test_only_what_is_compared_is_looked_up(question: str, wanted: str) -> None:
    assert make_plan(question, titles=lambda: TITLES).wanted == wanted


@pytest.mark.django_db
@pytest.mark.parametrize(
    "question", ["Summarise nothere.pdf", "nothere.pdf 요약해 줘", "nothere.pdf", "“nothere.pdf”를 요약해 줘"]
)
def test_a_file_that_there_is_not_is_said_so_without_the_model(fill: Fill, question: str) -> None:
    library = fill(FILES)
    answer = library.ask(question)
    assert (answer.status, library.llm.history, library.shown) == ("insufficient_context", [], [])
    assert refusal(answer.details) == "No file of this name is in this brain: nothere.pdf."
    with override("ko"):
        assert refusal(answer.details) == "이 브레인에 이런 이름의 파일이 없습니다: nothere.pdf."


@pytest.mark.django_db
def test_a_file_outside_of_the_chosen_ones_is_not_said_to_be_nowhere(fill: Fill) -> None:
    library = fill(FILES)
    scope = Scope(sources=(str(library.sources["letter.txt"].pk),))
    answer = library.ask("Summarise new_contract.txt", scope=scope)
    assert refusal(answer.details) == ("No file of this name is in the part of the brain you chose: new_contract.txt.")
    with override("ko"):
        assert refusal(answer.details) == "고르신 범위에 이런 이름의 파일이 없습니다: new_contract.txt."


@pytest.mark.parametrize(
    "question",
    [
        "What does robots.txt tell a crawler?",
        "Summarise the rent in nothere.pdf",
        "Summarise https://x.org/nothere.pdf",
        "Summarise helion.txt",
        "nothere.pdf에서 임대료는?",
        "Summarise the document.",
    ],
)
def test_a_question_that_asks_for_more_is_looked_up(question: str) -> None:
    assert make_plan(question, titles=lambda: TITLES).unknown == ()


@pytest.mark.django_db
def test_a_refusal_does_not_miss_the_files_name(fill: Fill) -> None:
    answer = fill(FILES).ask("Which zeppelin does new_contract.txt speak of?", ["NOT IN THE DOCUMENTS"])
    assert answer.status == "insufficient_context"
    assert "zeppelin" in refusal(answer.details)
    assert "contract" not in refusal(answer.details)


@pytest.mark.django_db
@pytest.mark.parametrize("question", ["Summarise log.txt", "log.txt 요약해 줘", "Summarise the document.", "log.txt"])
def test_a_summary_is_told_from_all_over_the_file(fill: Fill, question: str) -> None:
    days = [f"Day {n}. {' '.join(f'Boat {n}-{k} left harbour {n}.' for k in range(90))}" for n in range(12)]
    library = fill({"log.txt": "\n\n".join(days)})
    library.ask(question, ["Boats left."])
    starts = sorted(shown.evidence.start for shown in library.shown[:4])
    length = len(library.sources["log.txt"].body.text)
    assert [round(4 * start / length) for start in starts] == [0, 1, 2, 3]


@pytest.mark.django_db
def test_how_it_was_answered_tells_which_file_was_named(fill: Fill, conversation: Conversation) -> None:
    library = fill(FILES)
    answer = library.ask("Summarise old contract.txt", ["The rent of the hall is 500 euros [1]."])
    message = Message.objects.create(conversation=conversation, ordinal=0, question="?", details=answer.details)
    lines = {line.name: line.text for line in explain(message, answer.details)}
    assert lines["Files named in the question"] == "old contract.txt"
