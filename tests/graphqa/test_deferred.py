"""A law that leaves what is asked to an article that is not there has not answered."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import translation

from graphqa.answer.refusals import refusal
from graphqa.question.scope import Scope
from tests.graphqa.conftest import Library

pytestmark = pytest.mark.django_db

Fill = Callable[[dict[str, str]], Library]
POWERS = "제61조(명령권) 증권선물위원회는 제19조 각 호의 업무에 관한 금융감독원의 처분을 취소할 수 있다."
DUTIES = "제19조(업무) 증권선물위원회는 다음 각 호의 업무를 한다.\n1. 불공정거래의 조사\n2. 회계감리"
LIMIT = "제12조(한도) 법 제9조제3항에서 “대통령령으로 정하는 금액”이란 5억원을 말한다."
WHAT_DUTIES = "증권선물위원회가 금융감독원의 처분을 취소할 수 있는 업무는 무엇인가?"


def test_what_is_left_to_an_article_that_is_not_there_is_refused_without_asking_the_model(fill: Fill) -> None:
    library = fill({"설치법": POWERS})
    answer = library.ask(WHAT_DUTIES)
    assert (answer.status, answer.text, library.llm.history) == ("insufficient_context", "", [])
    assert answer.details["deferred"] == ["제19조"]
    assert [shown.evidence.title for shown in library.shown] == ["설치법"]
    assert refusal(answer.details) == "The documents leave this to what they do not hold: 제19조."
    with translation.override("ko"):
        assert (
            refusal(answer.details) == "자료는 이 내용을 다른 조문에 따라 정하는데, 그 조문이 자료에 없습니다: 제19조."
        )


def test_with_the_article_it_is_answered(fill: Fill) -> None:
    answer = fill({"설치법": f"{DUTIES}\n\n{POWERS}"}).ask(WHAT_DUTIES, ["불공정거래의 조사와 회계감리이다 [1]."])
    assert (answer.status, "deferred" in answer.details) == ("answered", False)


def test_an_article_of_another_law_of_the_same_number_does_not_help(fill: Fill) -> None:
    library = fill({"설치법": POWERS, "은행법": "제19조(자본금) 은행의 자본금은 1천억원 이상이어야 한다."})
    assert library.ask(WHAT_DUTIES).details["deferred"] == ["제19조"]


def test_an_article_outside_of_the_chosen_files_is_not_there(fill: Fill) -> None:
    library = fill({"설치법 시행령": POWERS.replace("제19조", "법 제19조"), "설치법": DUTIES})
    assert library.ask(WHAT_DUTIES, ["불공정거래의 조사와 회계감리이다 [1]."]).details.get("deferred") is None
    chosen = Scope(sources=(str(library.sources["설치법 시행령"].pk),))
    assert library.ask(WHAT_DUTIES, scope=chosen).details["deferred"] == ["제19조"]


@pytest.mark.parametrize(
    ("text", "question", "reply"),
    [
        (POWERS, "금융감독원의 업무에 관한 처분을 취소할 수 있는 기관은 어디인가?", "증권선물위원회이다 [1]."),
        (POWERS, "증권선물위원회의 처분 취소는 어느 업무 조문을 따르는가?", "제19조를 따른다 [1]."),
        (LIMIT, "대통령령으로 정하는 한도 금액은 얼마인가?", "5억원이다 [1]."),
    ],
)
def test_what_the_sentence_says_itself_is_answered(fill: Fill, text: str, question: str, reply: str) -> None:
    answer = fill({"설치법": text}).ask(question, [reply])
    assert (answer.status, "deferred" in answer.details) == ("answered", False)
