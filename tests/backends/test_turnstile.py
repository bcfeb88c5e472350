"""Chat before ingestion, one at a time."""

from __future__ import annotations

import threading

import pytest

from brain.backends.llm.turnstile import Passes, Turnstile
from brain.errors import Cancelled
from brain.values import Priority


def test_ingestion_stands_aside_as_soon_as_somebody_waits() -> None:
    turnstile = Turnstile()
    order: list[str] = []
    in_step, waiting = threading.Event(), threading.Event()

    def ingest() -> None:
        for number in range(3):
            with turnstile.step(None):
                order.append(f"step {number}")
                if number == 0:
                    in_step.set()
                    assert waiting.wait(5)

    def chat() -> None:
        assert in_step.wait(5)
        with turnstile.chat(None):
            order.append("chat")

    threads = [threading.Thread(target=ingest), threading.Thread(target=chat)]
    for thread in threads:
        thread.start()
    while not turnstile.chats_waiting:
        pass
    waiting.set()
    for thread in threads:
        thread.join(5)
    assert order == ["step 0", "chat", "step 1", "step 2"]
    assert turnstile.chats_waiting == 0


def test_a_chat_that_is_cancelled_in_the_queue_leaves_it() -> None:
    turnstile = Turnstile()
    with turnstile.step(None):
        with pytest.raises(Cancelled), turnstile.chat(lambda: True):
            pass
        assert turnstile.chats_waiting == 0


def test_so_many_answers_as_there_are_places_run_at_once_and_the_first_comes_first() -> None:
    turnstile = Turnstile(places=2)
    inside: list[int] = []
    leave = [threading.Event() for _number in range(4)]

    def chat(number: int) -> None:
        with turnstile.chat(None), turnstile.chat(None):  # one that is inside is not asked to wait for itself
            inside.append(number)
            assert leave[number].wait(5)

    threads = [threading.Thread(target=chat, args=(number,)) for number in range(4)]
    for number, thread in enumerate(threads):
        thread.start()
        while turnstile.chats_waiting <= number:
            pass
    while len(inside) < 2:
        pass
    assert sorted(inside) == [0, 1]
    for number in (1, 0, 2, 3):
        leave[number].set()
        while number in (1, 0) and len(inside) < 4 - number:
            pass
    for thread in threads:
        thread.join(5)
    assert inside[2:] == [2, 3]


def test_who_asked_first_is_answered_first_though_it_came_later() -> None:
    turnstile = Turnstile()
    order: list[float] = []

    def chat(asked: float) -> None:
        with turnstile.chat(None, asked):
            order.append(asked)

    with turnstile.chat(None, 1.0):
        threads = [threading.Thread(target=chat, args=(asked,)) for asked in (4.0, 2.0, 3.0)]
        for number, thread in enumerate(threads):
            thread.start()
            while turnstile.chats_waiting <= number + 1:
                pass
    for thread in threads:
        thread.join(5)
    assert order == [2.0, 3.0, 4.0]


def test_an_extraction_that_is_cancelled_while_it_waits_for_its_lane_stops() -> None:
    lane = threading.Lock()
    passes = Passes(Turnstile(), Priority.INGEST, lambda: True)
    with lane, pytest.raises(Cancelled), passes.whole(lane):
        pass
    assert not lane.locked()


def test_the_engine_is_free_again_after_an_error() -> None:
    turnstile, lane = Turnstile(), threading.Lock()
    with pytest.raises(ValueError, match="boom"), Passes(turnstile, Priority.CHAT, None).whole(lane):
        raise ValueError("boom")
    with Passes(turnstile, Priority.INGEST, None).whole(lane), turnstile.step(None):
        assert turnstile.chats_waiting == 0
