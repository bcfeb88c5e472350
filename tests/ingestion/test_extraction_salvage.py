"""JSON out of whatever a small model writes."""

from __future__ import annotations

from typing import Any

import pytest

from ingestion.extraction.json_salvage import Pairs, Salvaged, salvage


@pytest.mark.parametrize(
    ("text", "values", "cut"),
    [
        ('{"a": [["x", "y"]]}', [Pairs((("a", [["x", "y"]]),))], False),
        ('Sure! Here it is:\n```json\n[["x", "y"]]\n```\nAnything else?', [[["x", "y"]]], False),
        ('<think>maybe {"a": [["no"]]}</think>[["x", "y"]]', [[["x", "y"]]], False),
        ('<think>maybe {"a": [["no"]]}', [], False),
        ('[["x", "y"], ["z", "w', [[["x", "y"]]], True),
        ('[["x", "y"], ["z"', [[["x", "y"]]], True),
        ('{"a": [["x", "y"]], "b": [["z"', [Pairs((("a", [["x", "y"]]),))], True),
        ('[{"name": "x"}, {"name": "y", "ty', [[Pairs((("name", "x"),))]], True),
        ('{"a": [["x"]]} and {"b": [["y"]]}', [Pairs((("a", [["x"]]),)), Pairs((("b", [["y"]]),))], False),
        ('{"k": "first", "k": "second"}', [Pairs((("k", "first"), ("k", "second")))], False),
        ("[null, None, true, 4.5]", [[None, None, True, "4.5"]], False),
        ('["a\\u00e9", "b\\qc", "line\nend"]', [["aé", "bqc", "line\nend"]], False),
        ("set notation {x | x > 1} is not JSON", [], False),
        ("", [], False),
    ],
)
def test_whole_items_are_kept(text: str, values: list[Any], cut: bool) -> None:
    assert salvage(text) == Salvaged(tuple(values), cut)


def test_nesting_without_end_is_no_answer_and_no_crash() -> None:
    assert salvage("[" * 5000) == Salvaged((), False)


@pytest.mark.parametrize(
    ("text", "usable"),
    [
        ("I am sorry, no text was given.", False),
        ("As said in [1].", False),
        ("{}", True),
        ("[]", True),
        ('["a"]', True),
    ],
)
def test_prose_is_no_answer_and_an_empty_list_is_one(text: str, usable: bool) -> None:
    assert salvage(text).usable is usable
