"""A question in one language, its answer in documents of the other."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.template.loader import render_to_string

from brain.backends.llm.scripted import ScriptedLLM
from brain.errors import Cancelled
from brain.models import Conversation, Message
from brain.values import Completion, CompletionRequest
from graphqa.answer.page import shown
from graphqa.answer.withheld import Withheld
from graphqa.answering import Answer
from graphqa.language.figures import figures
from graphqa.question.plan import make_plan
from graphqa.question.translated import translated
from tests.graphqa.conftest import FILES, KOREAN, Library

Fill = Callable[[dict[str, str]], Library]

ASKED = "에이다 김은 어디에서 태어났나요?"
IN_ENGLISH = "Where was Ada Kim born?"
TOLD = "에이다 김은 1890년에 부산에서 태어났습니다."


def _model(translations: dict[str, str], answer: str = "NOT IN THE DOCUMENTS") -> Callable[[CompletionRequest], str]:
    """Translates what it knows, and answers everything else alike."""

    def reply(request: CompletionRequest) -> str:
        if not request.turns[0].text.startswith("Translate"):
            return answer
        line = request.turns[-1].text.splitlines()[0]
        return translations[line.partition(": ")[2]]

    return reply


def _asked(library: Library) -> list[str]:
    """What the model was asked to do, in order."""
    return [
        "weigh" if each.options else "translate" if each.turns[0].text.startswith("Translate") else "answer"
        for each in library.llm.history
    ]


def _born(library: Library, told: str = TOLD) -> Answer:
    english = "Ada Kim was born in Busan in 1890"
    model = _model({ASKED: IN_ENGLISH, f"{english}.": told}, f"{english} [1].")
    return library.ask(ASKED, model)


def test_a_korean_question_beside_korean_files_is_answered_from_an_english_one(library: Library) -> None:
    answer = _born(library)
    assert (answer.status, answer.standalone) == ("answered", ASKED)
    assert answer.text == "Ada Kim was born in Busan in 1890 [1].\n\n에이다 김은 1890년에 부산에서 태어났습니다 [1]."
    assert [(each.title, each.quote) for each in answer.citations] == [
        ("architect.txt", "Ada Kim was born in Busan in 1890.")
    ]
    assert answer.details["translated"] == {"language": "en", "question": IN_ENGLISH, "answer": True}
    assert _asked(library) == ["translate", "weigh", "answer", "translate"]
    assert "".join(library.said) == answer.text


def test_an_english_question_is_answered_from_a_korean_file(library: Library) -> None:
    question, fine = "What is the highest fine for noise?", "제1조를 위반한 자에게는 300만원 이하의 과태료를 부과한다."
    said = "Whoever violates Article 1 pays a fine of up to 300만원."
    model = _model({question: "소음에 대한 과태료는 최대 얼마인가?", fine: said}, f"{fine[:-1]} [1].")
    answer = library.ask(question, model)
    assert (answer.status, answer.citations[0].title) == ("answered", "법률.txt")
    assert answer.text == f"{fine[:-1]} [1].\n\n{said[:-1]} [1]."


@pytest.mark.parametrize(
    "told",
    [
        "에이다 김은 1980년에 부산에서 태어났습니다.",
        "Ada Kim was born in Busan in 1890.",
        "",
        "1890",
        "에이다 김은 1890년에 부산ity에서 태어났습니다.",
        "에이다 김은 1890년에 釜山에서 태어났습니다.",
    ],
)
def test_a_translation_with_other_numbers_or_half_words_is_left_out(library: Library, told: str) -> None:
    answer = _born(library, told)
    assert answer.text == "Ada Kim was born in Busan in 1890 [1]."


def test_what_the_own_language_answers_is_not_translated(library: Library) -> None:
    answer = library.ask(IN_ENGLISH, ["Ada Kim was born in Busan [1]."])
    assert answer.status == "answered"
    assert "translated" not in answer.details
    assert _asked(library) == ["weigh", "answer"]


def test_a_brain_of_one_language_is_not_asked_in_another(fill: Fill) -> None:
    library = fill(KOREAN)
    assert library.ask("김치찌개는 어떻게 끓이나요?").status == "insufficient_context"
    assert library.llm.history == []


def test_the_other_language_is_looked_in_where_the_own_one_does_not_answer(fill: Fill) -> None:
    library = fill({**FILES, "life.txt": "에이다 김은 다리를 설계한 사람이다. 에이다 김은 어디에서 태어났는지 모른다."})
    model = _model({ASKED: IN_ENGLISH})
    library.ask(ASKED, model)
    assert _asked(library) in (
        ["translate", "weigh", "answer", "weigh", "answer"],
        ["weigh", "answer", "translate", "weigh", "answer"],
    )


def test_a_refusal_tells_of_the_question_in_its_own_words(library: Library) -> None:
    model = _model({"에이다 김의 급여는 얼마인가요?": "How much was the salary of Ada Kim?"})
    answer = library.ask("에이다 김의 급여는 얼마인가요?", model)
    assert (answer.status, answer.text) == ("insufficient_context", "")
    assert answer.details["translated"] == {"language": "en", "question": "How much was the salary of Ada Kim?"}
    assert answer.details["gap"]
    assert not [word for word in answer.details["gap"] if word.isascii()]


def test_what_was_found_in_neither_language_is_refused_without_reading(library: Library) -> None:
    model = _model({"김치찌개는 어떻게 끓이나요?": "How is kimchi stew cooked?"})
    assert library.ask("김치찌개는 어떻게 끓이나요?", model).status == "insufficient_context"
    assert _asked(library) == ["translate"]


@pytest.mark.parametrize("question", ["이 문서를 요약해 줘", "architect.txt를 요약해 줘", "🙂"])
def test_whole_documents_and_nothing_are_not_translated(library: Library, question: str) -> None:
    library.ask(question, lambda _request: "NOT IN THE DOCUMENTS")
    assert "translate" not in _asked(library)


@pytest.mark.parametrize(
    ("question", "reply", "kept"),
    [
        ("2023년 계약은 언제 끝나나요?", "When does the contract of 2023 end?", True),
        ("2023년 계약은 언제 끝나나요?", "When does the contract of 2022 end?", False),
        ("계약은 언제 끝나나요?", "계약은 언제 끝나나요?", False),
        ("계약은 언제 끝나나요?", "", False),
        ("계약은 언제 끝나나요?", "When does the contract end? " + "It ends at the end. " * 10, False),
        ("계약은 언제 끝나나요?", '"When does the contract end?"', True),
    ],
)
def test_a_translation_keeps_the_numbers_and_brings_nothing_else(question: str, reply: str, kept: bool) -> None:
    plan = translated(make_plan(question), "en", ScriptedLLM([reply]))
    assert (plan is not None) == kept
    if plan is not None:
        assert (plan.standalone, plan.wanted, plan.language) == (reply.strip('"'), reply.strip('"'), "en")


def test_stopping_is_heard_while_it_translates() -> None:
    with pytest.raises(Cancelled):
        translated(make_plan(ASKED), "en", ScriptedLLM([Completion("Where", "cancelled", 1, 1, 0.1)]))


@pytest.mark.django_db
def test_a_person_is_told_that_an_answer_is_translated(library: Library, conversation: Conversation) -> None:
    answer = _born(library)
    message = Message.objects.create(
        conversation=conversation,
        ordinal=0,
        question=ASKED,
        standalone=ASKED,
        status=answer.status,
        answer=answer.text,
        details=answer.details,
    )
    each = shown(message, Withheld({}))
    page = render_to_string("graphqa/_message.html", {"each": each, "access": None, "brain": conversation.brain})
    assert "The answer was checked in theirs" in page
    assert [line.text for line in each.explained if line.name == "Searched in the other language as"] == [IN_ENGLISH]


@pytest.mark.parametrize(
    ("english", "korean"),
    [
        ("It was signed on 11 March 2024.", "2024년 3월 11일에 체결되었다."),
        ("It was signed on March 11, 2024.", "2024년 3월 11일에 체결되었다."),
        ("The fine is 3 million won.", "과태료는 300만 원이다."),
        ("The fine is 3,000,000 won.", "과태료는 300만원이다."),
        ("Revenue was 187 billion won in May.", "5월 매출은 1,870억 원이었다."),
        ("May the tenant keep a cat?", "임차인은 고양이를 키울 수 있나요?"),
        ("Article 5 of 2.50 euros", "2.50유로의 제5조"),
    ],
)
def test_numbers_are_the_same_in_both_languages(english: str, korean: str) -> None:
    assert figures(english) == figures(korean)
