"""Questions as they are searched."""

from __future__ import annotations

import pytest

from graphqa.question.plan import Exchange, leans, make_plan


@pytest.mark.parametrize(
    "question",
    [
        "Where was she born?",
        "And the second one?",
        "Why?",
        "그는 언제 태어났나요?",
        "그럼 과태료는?",
        "왜?",
        "그 회사의 연차는 며칠인가요?",
        "이 규정은 언제 바뀌었나요?",
        "수습 기간은요?",
    ],
)
def test_a_question_that_points_back_leans_on_history(question: str) -> None:
    assert leans(question)


@pytest.mark.parametrize(
    "question",
    [
        "Where was Ada Kim born?",
        "소음진동관리법의 과태료는 얼마인가?",
        "Which river does the Harbour Bridge cross?",
        "그래프는 무엇인가요?",
    ],
)
def test_a_whole_question_does_not(question: str) -> None:
    assert not leans(question)


def test_without_a_model_the_terms_of_the_last_question_are_added() -> None:
    plan = make_plan("Where was she born?", [Exchange("Who was Ada Kim?", "An engineer [1].")])
    assert (plan.standalone, plan.rewritten) == ("Where was she born? (Ada Kim)", "terms")


@pytest.mark.parametrize(
    ("question", "before", "searched"),
    [
        ("When does it end?", "What are the main points of “lease.md”?", "When does it end? (lease)"),
        ("When does it end?", "What does Report_Final.pdf say of rent?", "When does it end? (Report Final, rent)"),
        (
            "그건 언제 끝나나요?",
            "“펌프 안내.md”의 핵심 내용은 무엇인가요?",
            "그건 언제 끝나나요? (펌프, 안내)",
        ),
        ("그럼 과태료는?", "계약서.hwp 파일에서 위약금은 얼마인가요?", "그럼 과태료는? (계약서, 위약금)"),
    ],
)
def test_of_a_file_that_was_named_its_name_is_added_and_nothing_else(question: str, before: str, searched: str) -> None:
    assert make_plan(question, [Exchange(before, "")]).standalone == searched


def test_keywords_are_narrow_names_and_broad_words() -> None:
    plan = make_plan("Which river does the Harbour Bridge cross?")
    assert (plan.language, plan.narrow) == ("en", ("harbour bridge",))
    assert {"river", "cross"} <= set(plan.broad)


def test_korean_keywords_come_from_morphemes() -> None:
    plan = make_plan("제5조를 위반하면 과태료는 얼마인가?")
    assert plan.language == "ko"
    assert {"과태료", "제5조"} <= set(plan.narrow)
    assert "위반" in plan.narrow
