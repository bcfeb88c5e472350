"""Near is not enough: what the model says of the passages before it answers from them."""

from __future__ import annotations

import pytest

from brain.backends.llm.scripted import ScriptedLLM
from brain.errors import Cancelled
from graphqa.answer.refusals import refusal
from graphqa.evidence.context import Context
from graphqa.evidence.verdict import Verdict, verdict
from graphqa.question.plan import make_plan
from tests.graphqa.conftest import Library

BORN = "Where was Ada Kim born?"
SALARY = "What salary did Ada Kim get in Busan?"


def test_a_question_that_the_passages_leave_open_is_refused_before_a_word_is_shown(english: Library) -> None:
    answer = english.ask(SALARY, yes=0.001)
    assert (answer.status, answer.text, answer.citations, english.said) == ("insufficient_context", "", (), [])
    assert answer.details["reading"]["answered"] is False
    assert (answer.details["reading"]["yes"], answer.confidence < 0.1) == (0.001, True)
    assert refusal(answer.details) == (
        "The documents speak of Ada Kim, Busan, but nothing in them was found about salary."
    )
    assert (answer.evidence[0].title, english.shown[0].evidence.title) == ("architect.txt", "architect.txt")


def test_a_question_whose_every_word_is_there_is_refused_too(english: Library) -> None:
    answer = english.ask("Did Ada Kim design Seoul University in 1932?", yes=0.001)
    assert answer.status == "insufficient_context"
    assert refusal(answer.details).endswith("but do not say what you asked.")


def test_the_passages_are_read_once_for_the_verdict_and_the_answer(library: Library) -> None:
    library.ask(BORN, ["Ada Kim was born in Busan."])
    judged, answered = (request.turns for request in library.llm.history)
    same, mark, _question = judged[1].text.partition("</passages>")
    assert judged[0] == answered[0]
    assert answered[1].text.startswith(same + mark)


def test_the_verdict_asks_in_the_language_of_the_question(library: Library) -> None:
    library.ask("소음 과태료는 얼마인가?", ["과태료는 300만원 이하이다 [1]."])
    assert library.llm.history[0].options == ("예", "아니요")


@pytest.mark.parametrize(
    "question", ["Summarise the document.", "What is this document about?", "이 문서를 요약해 줘."]
)
def test_a_document_is_summarised_although_no_passage_states_its_summary(library: Library, question: str) -> None:
    answer = library.ask(question, ["The Harbour Bridge was designed by Ada Kim."], yes=0.001)
    assert answer.status == "answered"


def _judged(yes: float) -> Verdict:
    plan = make_plan(BORN)
    return verdict(plan, Context((), (), (), 0), ScriptedLLM([], weighs=lambda _request: (yes, 1 - yes)))


def test_a_surer_model_is_believed_more() -> None:
    judged = [_judged(yes) for yes in (0.0, 0.05, 0.5, 0.95, 1.0)]
    assert [each.answered for each in judged] == [False, False, True, True, True]
    probabilities = [each.probability for each in judged]
    assert probabilities == sorted(probabilities)
    assert 0 < probabilities[0] < probabilities[-1] < 1


def test_a_verdict_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        verdict(make_plan(BORN), Context((), (), (), 0), ScriptedLLM([]), cancelled=lambda: True)
