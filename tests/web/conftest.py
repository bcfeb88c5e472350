"""Four people: the owner of a brain, a reader of it, a stranger with a brain of their own, and an administrator."""

from __future__ import annotations

import pytest
from django.test import Client

from brain.models import Brain, Membership, Role, User

PASSWORD = "correct horse battery"


def person(name: str, **kwargs: bool) -> User:
    return User.objects.create_user(username=name, password=PASSWORD, **kwargs)


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def owner(db: None) -> User:
    return person("alice")


@pytest.fixture
def reader(db: None) -> User:
    return person("bob")


@pytest.fixture
def stranger(db: None) -> User:
    return person("charlie")


@pytest.fixture
def administrator(db: None) -> User:
    return person("dana", is_staff=True, is_superuser=True)


@pytest.fixture
def brain(owner: User, reader: User) -> Brain:
    made = Brain.objects.create(name="Contracts")
    Membership.objects.create(brain=made, user=owner, role=Role.OWNER)
    Membership.objects.create(brain=made, user=reader, role=Role.READER)
    return made


@pytest.fixture
def as_owner(owner: User) -> Client:
    return logged_in(owner)


@pytest.fixture
def as_reader(reader: User) -> Client:
    return logged_in(reader)


@pytest.fixture
def as_stranger(stranger: User) -> Client:
    return logged_in(stranger)


@pytest.fixture
def as_administrator(administrator: User) -> Client:
    return logged_in(administrator)
