"""What a brain offers to be asked: worth asking, answerable, in the language of the source."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from brain import bootstrap
from brain.backends.llm.scripted import ScriptedLLM
from brain.models import Brain, Source
from brain.values import CompletionRequest
from graphqa.suggesting import MOST, suggestions
from tests.web.conftest import logged_in

LEASE = """# Lease of the harbour office

## Contents

Termination, keys, rent. Each of these has a section of its own in the pages that follow this one.

## 2.1 Termination of the lease

Either side may end the lease with a notice of sixty days. Hanbit Bank has its tenant Kim Minji.

## Copyright

All rights reserved by Nari Press, which is owned by Gil Publishing of Daegu.
"""
PUMP = """# 한빛펌프 안내

## 목차

설치 방법과 문의처는 아래에 차례로 나오며 각 절은 따로 읽을 수 있도록 짧게 나누어 두었습니다.

## 설치 방법

대전에 있는 한빛펌프는 조미라가 세웠다. 펌프는 평평한 바닥에 설치하고 전원을 연결한 뒤 밸브를 연다.
"""
Facts = Mapping[str, tuple[Sequence[tuple[str, str]], Sequence[tuple[str, str, str]]]]
FACTS: Facts = {
    "sixty days": (
        [("Hanbit Bank", "organization"), ("Kim Minji", "person"), ("lease", "concept")],
        [("Hanbit Bank", "tenant", "Kim Minji"), ("Kim Minji", "rented from", "Hanbit Bank")],
    ),
    "Nari Press": (
        [("Nari Press", "organization"), ("Gil Publishing", "organization")],
        [("Nari Press", "owner", "Gil Publishing")],
    ),
    "조미라가": (
        [("한빛펌프", "기관"), ("조미라", "사람"), ("대전", "장소")],
        [("한빛펌프", "설립자", "조미라"), ("한빛펌프", "위치", "대전")],
    ),
}

Upload = Callable[..., Source]


@pytest.fixture
def facts() -> None:
    """A model that finds the facts above in the passages that state them."""

    def reply(request: CompletionRequest) -> str:
        entities, relations = next((rows for piece, rows in FACTS.items() if piece in request.turns[-1].text), ((), ()))
        return json.dumps({"entities": entities, "relations": relations}, ensure_ascii=False)

    bootstrap.use("BRAIN_LLM", ScriptedLLM(reply))


def test_they_ask_about_facts_sections_and_the_whole_and_not_about_boilerplate(
    upload: Upload, facts: None, drain: Callable[[], None], brain: Brain
) -> None:
    upload(LEASE, "harbour lease.md")
    drain()
    assert suggestions(brain) == [
        "Who is the tenant of Hanbit Bank?",
        "What do the documents say about “Termination of the lease”?",
        "What are the main points of “harbour lease”?",
    ]


@pytest.mark.parametrize("page", ["en", "ko"])
def test_they_speak_the_language_of_the_source_whatever_the_page_speaks(
    upload: Upload, facts: None, drain: Callable[[], None], brain: Brain, page: str
) -> None:
    upload(PUMP, "펌프 안내.md")
    drain()
    with override(page):
        assert suggestions(brain) == [
            "한빛펌프의 설립자는 누구인가요?",
            "자료에서 “설치 방법”에 대해 무엇이라고 하나요?",
            "“펌프 안내”의 핵심 내용은 무엇인가요?",
        ]


def test_they_are_of_different_sources(upload: Upload, facts: None, drain: Callable[[], None], brain: Brain) -> None:
    upload(LEASE, "harbour lease.md")
    upload(PUMP, "펌프 안내.md")
    drain()
    found = suggestions(brain)
    assert len(found) == MOST
    assert {"Who is the tenant of Hanbit Bank?", "한빛펌프의 설립자는 누구인가요?"} <= set(found)


def test_a_relation_that_is_no_role_is_asked_about_by_its_ends(
    upload: Upload, plain_facts: None, drain: Callable[[], None], brain: Brain
) -> None:
    upload("Ada Byron (person) advises Engine Works (organization).", "scan_0001.txt")
    drain()
    assert suggestions(brain) == ["How are Ada Byron and Engine Works connected?"]


def test_what_two_passages_say_is_asked_about_first(
    upload: Upload, plain_facts: None, drain: Callable[[], None], brain: Brain
) -> None:
    once = ["Ada Byron (person) advises Engine Works (organization).", "Bo Lind (person) owns Copper Mill (place)."]
    once += ["Dora Fell (person) visits Tide Tower (place).", "Emil Grau (person) founded Salt House (organization)."]
    twice = "Cleo Dane (person) joined Difference Hall (organization)."
    upload(twice, "scan_0001.txt")
    upload("\n".join([*once, twice]), "scan_0002.txt")
    drain()
    assert suggestions(brain)[0] == "How are Cleo Dane and Difference Hall connected?"
    brain.sources.filter(title="scan_0001.txt").update(trashed_at=timezone.now())
    assert suggestions(brain)[0] != "How are Cleo Dane and Difference Hall connected?"


def test_no_two_ask_about_the_same(upload: Upload, plain_facts: None, drain: Callable[[], None], brain: Brain) -> None:
    upload("Ada Byron (person) advises Engine Works (organization).", "scan_0001.txt")
    upload("Ada Byron (person) visits Difference Hall (place).", "scan_0002.txt")
    drain()
    assert [question.count("Ada Byron") for question in suggestions(brain)] == [1, 0]


def test_before_there_is_a_graph_sections_and_titles_are_there_to_ask_about(
    upload: Upload, drain: Callable[[], None], brain: Brain
) -> None:
    upload(LEASE, "harbour lease.md")
    drain()
    assert suggestions(brain) == [
        "What do the documents say about “Termination of the lease”?",
        "What are the main points of “harbour lease”?",
    ]


def test_what_is_in_the_trash_is_not_offered(
    upload: Upload, facts: None, drain: Callable[[], None], brain: Brain
) -> None:
    upload(LEASE, "harbour lease.md")
    drain()
    brain.sources.update(trashed_at=timezone.now())
    assert suggestions(brain) == []


def test_they_stand_on_the_page_and_fill_in_the_question(
    upload: Upload, facts: None, drain: Callable[[], None], brain: Brain
) -> None:
    source = upload(LEASE, "harbour lease.md")
    drain()
    assert source.uploaded_by is not None
    client: Client = logged_in(source.uploaded_by)
    page = client.get(f"/brains/{brain.id}/ask/").content.decode()
    assert "?q=Who%20is%20the%20tenant%20of%20Hanbit%20Bank%3F" in page
