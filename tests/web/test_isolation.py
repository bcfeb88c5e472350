"""BR-38, S-18, S-19: every route and verb of the URL table, asked by everybody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from brain.models import Brain, Deletion, Feedback, Membership, Message, Source, User
from tests.web.conftest import logged_in, person
from tests.web.world import CANARY, World, make_world

#: Pages that need no login; each has tests of its own.
OPEN = {"setup", "login", "language", "invitation", "healthz", "metrics", "favicon"}
#: Pages that belong to nobody: the person's own, or lists of what is theirs.
OWN = {"home", "logout", "password", "jobs", "models"}
#: For those who administer the installation only.
STAFF = {"people", "person_link", "person_switch", "person_delete", "health", "inspect"}
VERBS = ("get", "head", "post", "put", "patch", "delete", "options")


def routes(patterns: list[URLPattern | URLResolver] | None = None) -> Iterator[URLPattern]:
    for each in patterns or get_resolver().url_patterns:
        if isinstance(each, URLPattern):
            yield each
        elif each.app_name != "admin":
            yield from routes(each.url_patterns)


def names(patterns: set[str]) -> list[str]:
    return sorted(patterns)


ALL = {str(route.name) for route in routes() if route.name}
OF_A_BRAIN = names(ALL - OPEN - OWN - STAFF)


@pytest.fixture
def world(brain: Brain, owner: User) -> World:
    return make_world(brain, owner)


def path_of(name: str, world: World) -> str:
    """The route with this world's ids in it."""
    known = {
        "brain_id": world.brain.id,
        "source_id": world.source.id,
        "conversation_id": world.conversation.id,
        "message_id": world.message.id,
        "key": world.entity.key,
        "person_id": world.conversation.user_id,
    }
    (_text, places), *_others = get_resolver().reverse_dict.getlist(name)[0][0]
    return reverse(name, kwargs={place: known[place] for place in places})


def state() -> tuple[object, ...]:
    """What a request could have changed."""
    return (
        sorted(Brain.objects.values_list("id", "name", "deleted_at", "entity_types", "relation_names")),
        sorted(Membership.objects.values_list("brain", "user", "role"), key=str),
        sorted(Source.objects.values_list("id", "state", "trashed_at", "purge_requested_at", "authority")),
        sorted(Message.objects.values_list("id", "status", "cancel_requested")),
        Feedback.objects.count(),
        Deletion.objects.count(),
        sorted(User.objects.values_list("id", "is_active", "password")),
    )


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("name", OF_A_BRAIN)
def test_a_stranger_finds_nothing(as_stranger: Client, world: World, name: str, verb: str) -> None:
    before = state()
    response = getattr(as_stranger, verb)(path_of(name, world))
    assert response.status_code in {404, 405}
    assert CANARY.encode() not in response.content
    assert state() == before


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("name", names(ALL - OPEN))
def test_nobody_is_sent_to_the_login(client: Client, world: World, name: str, verb: str) -> None:
    before = state()
    response = getattr(client, verb)(path_of(name, world))
    assert response.status_code in {302, 405}
    if response.status_code == 302:
        assert response.headers["Location"].startswith("/login/")
    assert state() == before


@pytest.mark.parametrize("name", OF_A_BRAIN)
def test_a_former_member_finds_nothing(as_reader: Client, reader: User, world: World, name: str) -> None:
    Membership.objects.filter(user=reader).delete()
    for verb in ("get", "post"):
        assert getattr(as_reader, verb)(path_of(name, world)).status_code in {404, 405}


@pytest.mark.parametrize(
    "name", ["conversation", "conversation_delete", "message", "message_stop", "message_feedback", "message_stream"]
)
def test_another_member_does_not_see_my_chats(as_reader: Client, world: World, name: str) -> None:
    for verb in ("get", "post"):
        assert getattr(as_reader, verb)(path_of(name, world)).status_code in {404, 405}


@pytest.mark.parametrize("name", names(STAFF))
def test_pages_for_administrators_do_not_exist_for_others(as_owner: Client, world: World, name: str) -> None:
    before = state()
    for verb in ("get", "post"):
        assert getattr(as_owner, verb)(path_of(name, world)).status_code in {404, 405}
    assert state() == before


CHANGES_A_BRAIN = [
    "upload",
    "source_retry",
    "source_about",
    "source_reread",
    "source_delete",
    "source_restore",
    "source_purge",
    "brain_rename",
    "brain_hints",
    "brain_delete",
    "member_set",
    "member_remove",
]


@pytest.mark.parametrize("name", CHANGES_A_BRAIN)
def test_a_reader_changes_nothing(as_reader: Client, world: World, name: str) -> None:
    before = state()
    assert as_reader.post(path_of(name, world)).status_code == 403
    assert state() == before


@pytest.mark.parametrize("name", names(ALL - OPEN))
def test_a_get_changes_nothing(as_owner: Client, world: World, name: str) -> None:
    before = state()
    response = as_owner.get(path_of(name, world))
    response.close()
    assert state() == before


@pytest.mark.parametrize("name", names(ALL - {"healthz", "metrics", "favicon"}))
def test_no_post_without_a_token_is_accepted(owner: User, world: World, name: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    before = state()
    path = (
        path_of(name, world) if name not in {"setup", "invitation"} else f"/{name}/a/b/".replace("setup/a/b", "setup/a")
    )
    assert client.post(path, {"name": "x"}).status_code in {403, 405}
    assert state() == before


def test_search_and_autocomplete_keep_brains_apart(as_stranger: Client, stranger: User, world: World) -> None:
    own = Brain.objects.create(name="Mine")
    Membership.objects.create(brain=own, user=stranger, role="owner")
    for path in (
        f"/brains/{own.id}/graph/search/?q={CANARY}",
        f"/brains/{own.id}/graph/data/?around={world.entity.key}",
        f"/brains/{own.id}/graph/?entity={world.entity.key}",
        f"/brains/{own.id}/sources/?q=z",
        "/jobs/",
        "/",
    ):
        response = as_stranger.get(path, headers={"accept": "application/json"})
        assert response.status_code == 200
        assert CANARY not in response.content.decode().replace(f"q={CANARY}", "").replace(f"“{CANARY}”", "")
    for path in (
        f"/brains/{own.id}/graph/?message={world.message.id}",
        f"/brains/{own.id}/graph/entities/{world.entity.key}/",
    ):
        assert as_stranger.get(path).status_code == 404


def test_a_deleted_brain_is_gone_for_its_owner_too(as_owner: Client, world: World) -> None:
    as_owner.post(f"/brains/{world.brain.id}/delete/", {"name": world.brain.name})
    for name in OF_A_BRAIN:
        assert as_owner.get(path_of(name, world)).status_code in {404, 405}


def test_a_session_ends_with_logout_with_a_new_password_and_with_the_account(db: None) -> None:
    for end in ("logout", "password", "switched off"):
        user = person(f"user {end}".replace(" ", "-"))
        client, elsewhere = logged_in(user), logged_in(user)
        cookie = client.cookies["sessionid"].value
        if end == "logout":
            client.post("/logout/")
        elif end == "password":
            user.set_password("another long phrase")
            user.save()
        else:
            User.objects.filter(pk=user.pk).update(is_active=False)
        again = elsewhere if end != "logout" else Client()
        again.cookies["sessionid"] = cookie
        assert again.get("/").status_code == 302, end
