"""Entities and relations are a function of what the chunks say."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from django.db import transaction

from brain.ledger import dump
from brain.ledger.facts import replace_chunk_facts
from brain.models import Brain, Chunk, Entity, Mention, Relation, RelationMention, Source
from brain.values import FoundEntity, FoundRelation

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def chunks(upload: Callable[..., Source], drain: Callable[[], None]) -> list[Chunk]:
    """One chunk in each of three sources."""
    for number in range(3):
        upload(f"Text number {number}.", f"{number}.txt")
    drain()
    return list(Chunk.objects.order_by("source__title"))


def say(chunk: Chunk, entities: list[FoundEntity], relations: list[FoundRelation] | None = None) -> None:
    with transaction.atomic():
        replace_chunk_facts(chunk, entities, relations or [], [])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Systems thinking", "systems  Thinking "),
        (unicodedata.normalize("NFC", "삼성전자"), unicodedata.normalize("NFD", "삼성전자")),
        ("ABC", "ＡＢＣ"),
        ("Acme Corp", "Acme\u00a0Corp"),
        ("Acme Corp", "Ac\u200bme Corp"),
        ("삼성전자", "삼성전자는"),
    ],
)
def test_two_spellings_of_one_name_are_one_entity_with_both_descriptions(
    one: str, other: str, chunks: list[Chunk]
) -> None:
    say(chunks[0], [FoundEntity(one, "organization", "first")])
    say(chunks[1], [FoundEntity(other, "organization", "second")])
    entity = Entity.objects.get()
    assert sorted(entity.mentions.values_list("description", flat=True)) == ["first", "second"]


@pytest.mark.parametrize("names", [("C", "C++", "C#"), ("AC/DC", "ACDC"), ("1.2", "12")])
def test_names_that_differ_in_signs_stay_apart(names: tuple[str, ...], chunks: list[Chunk]) -> None:
    say(chunks[0], [FoundEntity(name, "product") for name in names])
    assert set(Entity.objects.values_list("name", flat=True)) == set(names)


def test_a_person_and_a_restaurant_of_one_name_stay_apart(chunks: list[Chunk]) -> None:
    say(chunks[0], [FoundEntity("Carla", "person", "She cooks.")])
    say(chunks[1], [FoundEntity("Carla", "restaurant", "It opens at six.")])
    assert sorted(Entity.objects.values_list("name", "type")) == [("Carla", "person"), ("Carla", "restaurant")]


def test_a_relation_between_two_spellings_of_one_name_is_no_relation(chunks: list[Chunk]) -> None:
    say(
        chunks[0],
        [FoundEntity("Acme", "organization"), FoundEntity("acme ", "organization")],
        [FoundRelation("Acme", "organization", "is", "acme ", "organization")],
    )
    assert (Entity.objects.count(), Relation.objects.count(), RelationMention.objects.count()) == (1, 0, 0)


@pytest.mark.parametrize("predicate", ["sub-category", "A,B", "근무 하다", "x" * 300])
def test_a_predicate_is_kept_as_it_is_seen(predicate: str, chunks: list[Chunk]) -> None:
    ends = [FoundEntity("Kim", "person"), FoundEntity("Acme", "organization")]
    say(chunks[0], ends, [FoundRelation("Kim", "person", predicate, "Acme", "organization")])
    assert Relation.objects.get().predicate == predicate[:200]


def test_an_empty_predicate_is_dropped_and_the_rest_stays(chunks: list[Chunk]) -> None:
    ends = [FoundEntity("Kim", "person"), FoundEntity("Acme", "organization")]
    say(
        chunks[0],
        ends,
        [
            FoundRelation("Kim", "person", " _ ", "Acme", "organization"),
            FoundRelation("Kim", "person", "joins", "Acme", "organization"),
        ],
    )
    assert list(Relation.objects.values_list("predicate", flat=True)) == ["joins"]


def test_the_order_of_arrival_does_not_matter(chunks: list[Chunk], brain: Brain) -> None:
    said = [
        [FoundEntity("Acme Corp", "organization", "makes pumps")],
        [FoundEntity("ACME CORP", "company", "sells pumps")],
        [FoundEntity("acme corp", "company", "owns pumps")],
    ]
    for number in (0, 1, 2):
        say(chunks[number], said[number])
    forwards = dump.canonical(brain.pk, stores=False)
    for chunk in chunks:
        say(chunk, [])
    for number in (2, 0, 1):
        say(chunks[number], said[number])
    assert dump.canonical(brain.pk, stores=False) == forwards
    assert Entity.objects.get().name == "ACME CORP"


def test_saying_it_again_replaces_and_never_stacks(chunks: list[Chunk]) -> None:
    for _ in range(2):
        say(chunks[0], [FoundEntity("Kim", "person", "writes")])
    assert list(Mention.objects.values_list("name", "description")) == [("Kim", "writes")]
    say(chunks[0], [])
    assert (Mention.objects.count(), Entity.objects.count()) == (0, 0)
