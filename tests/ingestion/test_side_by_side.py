"""Passages that are worked on at the same time cost each other nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from brain.errors import Cancelled, ServiceUnavailable
from ingestion import side_by_side


def test_all_are_worked_on_at_once_and_given_in_order() -> None:
    together = threading.Barrier(3, timeout=5)

    def work(item: int, _cancelled: Callable[[], bool]) -> int:
        together.wait()
        return item * 10

    assert list(side_by_side.run(work, [3, 1, 2], lambda: False)) == [(3, 30), (1, 10), (2, 20)]


def test_what_one_found_is_given_before_the_error_of_another() -> None:
    def work(item: int, _cancelled: Callable[[], bool]) -> int:
        if item == 1:
            raise ServiceUnavailable
        return item

    pairs = side_by_side.run(work, [1, 2], lambda: False)
    assert next(pairs) == (2, 2)
    with pytest.raises(ServiceUnavailable):
        next(pairs)


def test_all_stop_when_the_work_is_over() -> None:
    def work(_item: int, cancelled: Callable[[], bool]) -> int:
        over = threading.Event()
        while not cancelled():
            over.wait(0.01)
        raise Cancelled

    with pytest.raises(Cancelled):
        list(side_by_side.run(work, [1, 2], lambda: True))
