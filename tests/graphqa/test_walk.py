"""The graph made without a model, and the walk over it."""

from __future__ import annotations

import numpy as np
import pytest

from graphqa.retrieval.fusion import Fused, fuse
from graphqa.retrieval.lexical_graph import LexicalGraph, Row, build
from graphqa.retrieval.walk import Edge, transitions, walk

ROWS = [
    Row("s1:0", ("harbour bridge",), ("ada kim", "steel")),
    Row("s2:0", ("ada kim",), ("busan",)),
    Row("s3:0", ("busan",), ("korea",)),
    Row("s4:0", ("zebra",), ("savanna",)),
]


def _reached(graph: LexicalGraph, seeds: dict[int, float], weights: dict[Edge, float] | None = None) -> list[str]:
    mass = walk(transitions(graph.edges, graph.nodes, weights or {}), seeds, damping=0.6)[: len(graph.refs)]
    return [graph.refs[node] for node in np.argsort(-mass, kind="stable") if mass[node] > 0]


def test_a_walk_goes_from_what_is_named_to_what_is_about_it() -> None:
    assert _reached(build(ROWS), {0: 1.0}) == ["s1:0", "s2:0", "s3:0"]


def test_a_term_of_one_passage_only_is_no_node_unless_a_passage_is_about_it() -> None:
    assert sorted(build(ROWS).terms) == ["ada kim", "busan", "harbour bridge", "zebra"]


def test_a_term_that_stands_everywhere_is_no_node() -> None:
    rows = [Row(f"s{n}:0", (), ("company",)) for n in range(40)]
    assert build(rows).terms == {}


def test_a_title_inside_a_longer_name_is_named_too() -> None:
    rows = [Row("s1:0", (), ("muhammad bin saud al muqrin",)), Row("s2:0", ("muhammad bin saud",), ())]
    assert _reached(build(rows), {0: 1.0}) == ["s1:0", "s2:0"]


def test_a_cited_passage_is_reached_over_its_link() -> None:
    rows = [Row("s1:0", (), (), (("cites", "s1:1"),)), Row("s1:1", (), ()), Row("s1:2", (), (), (("next", "gone:0"),))]
    assert _reached(build(rows), {0: 1.0}) == ["s1:0", "s1:1"]


def test_an_extracted_entity_is_the_node_of_its_name() -> None:
    rows = [
        Row("s1:0", (), (), mentions=("ada kim",)),
        Row("s2:0", ("ada kim",), ()),
        Row("s3:0", (), (), mentions=("busan",)),
    ]
    graph = build(rows, relations=[("ada kim", "busan")])
    assert sorted(_reached(graph, {0: 1.0})) == ["s1:0", "s2:0", "s3:0"]


def test_what_a_passage_is_about_can_weigh_more() -> None:
    rows = [Row("q:0", (), ("kim",)), Row("a:0", (), ("kim",)), Row("b:0", ("kim",), ())]
    assert _reached(build(rows), {0: 1.0}, {Edge.OWNER: 5.0})[:2] == ["q:0", "b:0"]


def test_shares_add_up_to_one_and_nothing_comes_from_nothing() -> None:
    graph = build(ROWS)
    over = transitions(graph.edges, graph.nodes, {})
    assert walk(over, {0: 2.0, 1: 1.0}, damping=0.5).sum() == pytest.approx(1.0, abs=0.02)
    assert not walk(over, {}, damping=0.5).any()


def test_an_empty_brain_has_an_empty_graph() -> None:
    graph = build([])
    assert (graph.nodes, walk(transitions(graph.edges, 0, {}), {}, damping=0.5).size) == (0, 0)


def test_lists_are_fused_by_rank_and_weight() -> None:
    fused = fuse({"a": ["x", "y"], "b": ["y", "z"], "c": ["w"]}, {"a": 1.0, "b": 0.5}, k=1)
    assert fused == [
        Fused("y", 1 / 3 + 0.5 / 2, {"a": 2, "b": 1}),
        Fused("x", 1 / 2, {"a": 1}),
        Fused("z", 0.5 / 3, {"b": 2}),
    ]
