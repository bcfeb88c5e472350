"""Questions that compare named files, or ask for whatever is in them: no passage states the answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphqa.question.plan import make_plan
from tests.graphqa.conftest import Library

Fill = Callable[[dict[str, str]], Library]

TITLES = {"1": "a.txt", "2": "b.txt", "3": "policy_2021.txt", "4": "policy_2024.txt", "5": "계약서.txt"}


@pytest.mark.parametrize(
    "question",
    [
        "What is not in a.txt but in b.txt?",
        "Is there anything not in a.txt but in b.txt?",
        "Which facts are only in b.txt?",
        "Which clauses of b.txt are missing from a.txt?",
        "Does policy_2024.txt contradict policy_2021.txt?",
        "what's new in policy_2024.txt compared with policy_2021.txt",
        "What changed between policy_2021.txt and policy_2024.txt?",
        "Are policy_2021.txt and policy_2024.txt consistent with each other?",
        "What is different in policy_2024.txt than in policy_2021.txt?",
        "Do a.txt and b.txt say the same?",
        "b.txt에만 있는 것은?",
        "a.txt에는 없고 b.txt에만 있는 내용은 무엇인가요?",
        "a.txt와 b.txt 두 파일의 차이는?",
        "policy_2021.txt와 policy_2024.txt는 어떻게 다른가요?",
        "policy_2024.txt는 policy_2021.txt와 모순되나요?",
        "policy_2021.txt와 비교해서 policy_2024.txt에서 바뀐 점은?",
        "policy_2024.txt에 새로 추가된 내용은? policy_2021.txt와 비교해 줘",
        "a.txt와 b.txt는 서로 일치하나요?",
        "계약서.txt에는 어떤 조항이 있나요?",
    ],
)
def test_whole_files_are_asked_about(question: str) -> None:
    plan = make_plan(question, titles=lambda: TITLES)
    assert (plan.is_overview, plan.is_of_the_whole) == (True, True)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How did the allowance change between policy_2021.txt and policy_2024.txt?", "How did the allowance and ?"),
        ("policy_2021.txt와 policy_2024.txt의 식비는 어떻게 달라졌나요?", "식비는 어떻게 ?"),
        ("Do a.txt and b.txt name the same builder?", "Do and name the builder?"),
        ("Which boats are only in b.txt?", "Which boats are only in ?"),
        ("What is new in policy_2024.txt about meals?", "What is new in about meals?"),
        ("계약서.txt에서 변경 조항은?", "변경 조항은?"),
        ("계약서.txt의 추가 비용은?", "추가 비용은?"),
    ],
)
def test_what_is_compared_or_asked_about_is_looked_up(question: str, wanted: str) -> None:
    plan = make_plan(question, titles=lambda: TITLES)
    assert (plan.is_overview, plan.wanted) == (False, wanted)


def test_without_a_named_file_the_same_words_are_looked_up() -> None:
    assert not make_plan("Which facts are only in the appendix?", titles=lambda: TITLES).is_overview
    assert make_plan("What changed between 2021 and 2024?").wanted == "What changed between 2021 and 2024?"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("Is there anything not in a.txt but in b.txt?", {"b.txt"}),
        ("Which facts are only in b.txt?", {"b.txt"}),
        ("Does b.txt contradict a.txt?", {"a.txt", "b.txt"}),
        ("what's new in b.txt compared with a.txt", {"a.txt", "b.txt"}),
    ],
)
def test_the_model_is_asked_of_those_files(fill: Fill, question: str, titles: set[str]) -> None:
    library = fill(
        {
            "a.txt": "The greenhouse of Tromso was built in 1998 by Marta Hovland.",
            "b.txt": "The boathouse was built in 2005 by Marta Hovland. It holds 12 boats.",
            "c.txt": "Nothing changed.",
        }
    )
    answer = library.ask(question, ["The boathouse holds 12 boats [1][2]."], yes=0.0)
    assert answer.status != "insufficient_context"
    assert ({shown.evidence.title for shown in library.shown}, answer.details["gap"]) == (titles, [])
