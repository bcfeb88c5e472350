"""A document's date: where it is from, how a person changes it, and what it decides."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client

from brain.backends.llm.scripted import ScriptedLLM
from brain.models import Brain, Source
from graphqa import tasks
from graphqa.answer.refusals import refusal
from graphqa.answering import Answer, answer
from graphqa.ports import Ports
from graphqa.question.scope import Scope

LEAVE = "How many days of annual leave do Hanbit employees have?"

pytestmark = pytest.mark.usefixtures("plain_facts")


@pytest.fixture
def rules(upload: Callable[..., Source], drain: Callable[[], None]) -> list[Source]:
    told = "{}\n\nThe annual leave of employees at Hanbit is {} days per year."
    new = upload(told.format("Date: 1 March 2024", 18), "a.txt")
    made = [new, upload(told.format("Rules", 15), "b-2021-03-01.txt")]
    drain()
    return made


def _ask(brain: Brain, scope: Scope | None = None) -> Answer:
    given = tasks.ports()
    llm = ScriptedLLM(["The annual leave is 18 days per year [1]."] * 2, weighs=lambda _request: (1.0, 0.0))
    ports = Ports(given.vectors, given.embedder, lambda: llm)
    return answer(LEAVE, brain.pk, ports=ports, scope=scope)


def _by(brain: Brain) -> list[tuple[str, str]]:
    titles = {str(id): title for id, title in Source.objects.values_list("id", "title")}
    found = _ask(brain).details["contradictions"]
    return [(titles[each["first"].split(":")[0]], each["resolved_by"]) for each in found]


@pytest.mark.parametrize("given", ["2020-02-30", "next May"])
def test_a_day_that_is_none_is_refused_with_a_sentence(as_owner: Client, rules: list[Source], given: str) -> None:
    page = as_owner.post(f"/sources/{rules[0].pk}/about/", {"document_date": given, "authority": "0"}, follow=True)
    assert "Enter a valid date." in page.content.decode()
    rules[0].refresh_from_db()
    assert rules[0].document_date == date(2024, 3, 1)


def test_only_those_in_the_chosen_dates_are_asked_and_who_is_left_with_none_is_told_so(
    brain: Brain, rules: list[Source]
) -> None:
    found = _ask(brain, Scope(since=date(2024, 1, 1)))
    assert {each.title for each in found.evidence} == {"a.txt"}
    outside = _ask(brain, Scope(since=date(2025, 1, 1)))
    assert outside.status == "insufficient_context"
    assert refusal(outside.details).startswith("No file of this brain is in the part that you chose")
