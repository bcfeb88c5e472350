"""One passage through a scripted model: what is kept, what is dropped and counted, what is tried again."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from brain.backends.llm.scripted import Reply, ScriptedLLM
from brain.errors import Cancelled, ModelMissing, ServiceRejected, ServiceUnavailable
from brain.values import Completion, CompletionRequest, Priority
from ingestion.extraction import Extracted, FoundEntity, FoundRelation, extract

PASSAGE = "Acme makes pumps. Mira Cho founded Acme in Seoul. The pumps need a valve."


def _reply(entities: list[Any], relations: list[Any]) -> str:
    return json.dumps({"entities": entities, "relations": relations}, ensure_ascii=False)


def _run(*replies: Reply, passage: str = PASSAGE, language: str = "en") -> Extracted:
    return extract(passage, language=language, heading=(), llm=ScriptedLLM(replies))


def _names(found: Extracted) -> list[str]:
    return [entity.name for entity in found.entities]


def test_facts_are_kept_as_the_passage_writes_them_with_the_sentence_they_stand_in() -> None:
    found = _run(_reply([["ACME", "organization"], ["mira  cho", "person"]], [["Mira Cho", "founded", "Acme"]]))
    said = "Mira Cho founded Acme in Seoul."
    assert found.entities == (
        FoundEntity("Acme", "organization", "Acme makes pumps.", 0, 4),
        FoundEntity("Mira Cho", "person", said, 18, 26),
    )
    assert found.relations == (FoundRelation("Mira Cho", "person", "founded", "Acme", "organization", said),)
    assert (found.state, found.reason) == ("done", "")
    assert [(call.model_id, call.finish, call.counts) for call in found.calls] == [
        ("scripted", "stop", {"entities": 2, "relations": 1})
    ]


def test_extraction_asks_as_ingestion_with_the_hints_in_schema_and_prompt() -> None:
    llm = ScriptedLLM([_reply([], [])])
    extract(
        PASSAGE,
        language="en",
        heading=("Manual", "Pumps"),
        llm=llm,
        entity_types=("maker", "part"),
        relation_names=("sub-category", "founded by"),
    )
    request = llm.history[0]
    schema = json.dumps(request.schema)
    assert request.priority is Priority.INGEST
    assert '["maker", "part"]' in schema
    assert '["sub-category", "founded by"]' in schema
    assert "Manual > Pumps" in request.turns[-1].text
    assert request.turns[-1].text.endswith(PASSAGE)


def test_only_the_last_turn_differs_between_passages_of_a_language() -> None:
    llm = ScriptedLLM([_reply([], [])] * 4)
    for passage, language in [("서울은 수도이다.", "ko"), ("부산은 항구이다.", "ko"), ("A b.", "en"), ("C d.", "en")]:
        extract(passage, language=language, heading=(), llm=llm)
    korean, other_korean, english, other_english = (request.turns[:-1] for request in llm.history)
    assert korean == other_korean
    assert english == other_english
    assert "한빛펌프" in korean[1].text
    assert "Hanbit" in english[1].text


# --- BR-16: replies cut at the limit ---------------------------------------------------------------------------

TWELVE = " ".join(f"Machine{number} hums." for number in "ABCDEFGHIJKL")
CUT_IN_THE_NINTH = (
    _reply([[f"Machine{number}", "product"] for number in "ABCDEFGHI"], []).split('"MachineI')[0] + '"Mac'
)


def test_a_cut_reply_keeps_its_whole_objects_and_is_tried_once_more_in_two_halves() -> None:
    llm = ScriptedLLM(
        [
            Completion(CUT_IN_THE_NINTH, "length", 1, 1, 0.0),
            _reply([["MachineA", "product"]], []),
            _reply([["MachineL", "product"]], [["MachineL", "beside", "MachineG"]]),
        ]
    )
    found = extract(TWELVE, language="en", heading=(), llm=llm)
    assert _names(found) == [f"Machine{number}" for number in "ABCDEFGHL"]
    assert found.state == "done"
    asked = [request.turns[-1].text.removeprefix("Passage:\n") for request in llm.history]
    assert asked[0] == TWELVE
    assert f"{asked[1]} {asked[2]}" == TWELVE


def test_a_reply_that_is_cut_again_leaves_what_was_whole_and_says_so() -> None:
    found = _run(*[Completion(CUT_IN_THE_NINTH, "length", 1, 1, 0.0)] * 3, passage=TWELVE)
    assert _names(found) == [f"Machine{number}" for number in "ABCDEFGH"]
    assert (found.state, len(found.calls)) == ("truncated", 3)
    assert "cut off" in found.reason


def test_a_reply_that_ends_inside_a_value_is_cut_whatever_the_server_says() -> None:
    assert _run(CUT_IN_THE_NINTH, CUT_IN_THE_NINTH, CUT_IN_THE_NINTH, passage=TWELVE).state == "truncated"


def test_one_object_repeated_to_the_limit_is_one_object() -> None:
    looping = '{"entities": [' + '["Acme", "organization"], ' * 40
    found = _run(*[Completion(looping, "length", 1, 1, 0.0)] * 3)
    assert (_names(found), found.state) == (["Acme"], "truncated")


# --- BR-17: replies that are no clean JSON ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        'Here you are: {"entities": [["Acme", "organization"]], "relations": []} Enjoy!',
        '```json\n{"entities": [{"name": "Acme", "type": "organization"}]}\n```',
        '<think>{"entities": [["Seoul", "place"]]}</think>{"entities": [["Acme", "organization"]]}',
        '{"entities": [["Acme", "organization"]]}\n{"relations": []}',
        '{"entities": [[["Acme", "organization"]]]}',
        '[{"name": "Acme", "type": "organization"}]',
        '{"nodes": [{"id": "Acme", "type": "organization"}], "edges": []}',
        '{"entities": [{"type": "place"}, {"name": null, "type": "x"}, {"name": "Acme", "type": "organization"}]}',
        '{"entities": [{"name": "Acme", "name": "Acme", "type": "organization"}]}',
        '{"entities": [["null", "x"], ["None", "x"], ["42", "x"], [42, "x"], ["", "x"], ["Acme", "organization"]]}',
    ],
)
def test_a_reply_in_another_shape_gives_the_same_entity(reply: str) -> None:
    found = _run(reply)
    assert [(entity.name, entity.type) for entity in found.entities] == [("Acme", "organization")]
    assert (found.relations, found.state) == ((), "done")


def test_what_is_dropped_is_counted_by_reason() -> None:
    rows = [["Acme", "x"], [None, "x"], ["none", "x"], ["42", "x"], [{}], ["Tokyo", "x"], ["it", "x"]]
    found = _run(_reply(rows, [["Acme", "in", "Tokyo"], ["Acme", "", "Seoul"], ["Acme", "is", "acme "]]))
    assert dict(found.calls[0].counts) == {
        "dropped_not_in_passage": 2,
        "dropped_null_name": 2,
        "dropped_number_name": 1,
        "dropped_pointer": 1,
        "empty_predicates": 1,
        "entities": 1,
        "malformed": 1,
        "minimal_entities": 1,
        "relations_without_end": 1,
        "self_loops": 1,
    }


def test_prose_alone_fails_the_passage_after_one_more_try() -> None:
    found = _run(*["I am sorry, I cannot do that."] * 3)
    assert (found.entities, found.state, len(found.calls)) == ((), "failed", 3)
    assert "no usable reply" in found.reason


# --- BR-18: loops and ends that were not listed ----------------------------------------------------------------


def test_there_is_no_relation_of_a_thing_with_itself() -> None:
    found = _run(_reply([["Acme", "organization"]], [["Acme", "owns", "Acme"], ["Acme", "owns", "acme "]]))
    assert (found.relations, dict(found.calls[0].counts)["self_loops"]) == ((), 2)


def test_a_fact_said_again_or_the_other_way_round_is_said_once() -> None:
    rows = [["Acme", "near", "Seoul"], ["acme", "NEAR", "Seoul"], ["Seoul", "near", "Acme"]]
    found = _run(_reply([], rows))
    assert [(one.subject, one.predicate, one.object) for one in found.relations] == [("Acme", "near", "Seoul")]
    assert found.calls[0].counts["repeated_relations"] == 2


def test_an_end_that_was_not_listed_is_made_minimal() -> None:
    found = _run(_reply([["Acme", "organization"]], [["Acme", "based in", "Seoul"]]))
    assert found.entities[1] == FoundEntity("Seoul", "concept", "", 43, 48)
    assert [(one.subject, one.object, one.object_type) for one in found.relations] == [("Acme", "Seoul", "concept")]


# --- BR-19: odd relations and long names -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "kept"),
    [("sub-category", "sub-category"), ("A,B", "A,B"), ("근무 하다", "근무 하다"), ("located_in", "located in")],
)
def test_a_relation_is_kept_as_it_is_read(written: str, kept: str) -> None:
    assert [one.predicate for one in _run(_reply([], [["Acme", written, "Seoul"]])).relations] == [kept]


@pytest.mark.parametrize("written", ["", "   ", "--", None, "null"])
def test_a_relation_that_says_nothing_is_dropped(written: str | None) -> None:
    assert _run(_reply([], [["Acme", written, "Seoul"]])).relations == ()


def test_a_relation_of_300_letters_is_cut() -> None:
    assert len(_run(_reply([], [["Acme", "r" * 300, "Seoul"]])).relations[0].predicate) == 100


@pytest.mark.parametrize("length", [1, 4_000, 12_000])
def test_a_long_name_is_cut_and_stands_whole_in_the_description(length: int) -> None:
    name = "긴" * length
    reply = Completion(_reply([[name, "개념"]], []), "stop", 1, 1, 0.0)
    found = _run(reply, passage=f"그것은 {name} 이다.", language="ko")
    assert [entity.name for entity in found.entities] == [name[:200]]
    assert name in found.entities[0].description or length == 1


# --- BR-20: nothing to extract ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "passage", ["", "\n\n\n", "\u3164", "12", "- 3 -", "Page 4 of 10", "iv", "제 3 쪽", "3/10\n\n4/10"]
)
def test_blank_passages_and_page_numbers_are_never_sent(passage: str) -> None:
    llm = ScriptedLLM([])
    found = extract(passage, language="", heading=(), llm=llm)
    assert (found.entities, found.relations, found.state, found.calls) == ((), (), "empty", ())
    assert (llm.history, "no words" in found.reason) == ([], True)


def test_a_passage_without_entities_is_done_with_none() -> None:
    found = _run(_reply([], []), passage="Hello world")
    assert (found.entities, found.state) == ((), "done")


def test_an_apology_becomes_no_entity() -> None:
    found = _run(_reply([["No text was given", "concept"]], [["I", "am", "sorry"]]), passage="Hello world")
    assert (found.entities, found.relations) == ((), ())


# --- what goes wrong around it ---------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [ServiceUnavailable("away"), ModelMissing("none")])
def test_an_environment_that_fails_passes_through(error: ServiceUnavailable | ModelMissing) -> None:
    with pytest.raises(type(error)):
        _run(error)


def test_a_request_to_stop_passes_through() -> None:
    with pytest.raises(Cancelled):
        extract(PASSAGE, language="en", heading=(), llm=ScriptedLLM(["{}"]), cancelled=lambda: True)


def test_a_passage_that_the_model_refuses_is_tried_in_halves_and_then_fails() -> None:
    found = _run(ServiceRejected("too long"), _reply([["Acme", "x"]], []), _reply([["valve", "x"]], []))
    assert (_names(found), found.state) == (["Acme", "valve"], "done")
    found = _run(*[ServiceRejected("too long")] * 3)
    assert (found.state, found.calls) == ("failed", ())


def test_twenty_chunks_of_which_two_go_wrong_cost_two() -> None:
    """BR-16 as a whole: the other eighteen are kept."""
    good = _reply([["Acme", "organization"]], [])

    def script(request: CompletionRequest) -> Reply:
        asked = request.turns[-1].text
        cut = Completion('{"entities": [["Acme", "organization"], ["Mi', "length", 1, 1, 0.0)
        return cut if "Chunk 7." in asked or "Chunk 11." in asked else good

    llm = ScriptedLLM(script)
    found = [extract(f"Acme. Chunk {number}. Acme.", language="en", heading=(), llm=llm) for number in range(1, 21)]
    assert [number for number, one in enumerate(found, 1) if one.state != "done"] == [7, 11]
    assert [_names(one) for one in found] == [["Acme"]] * 20


def test_a_model_that_repeats_itself_is_stopped_and_what_it_said_once_is_kept() -> None:
    row = '["Ada Byron","knows","Engine Works"]'
    endless = '{"entities":[["Ada Byron","person"],["Engine Works","organization"]],"relations":[' + ",".join(
        [row] * 50
    )
    llm = ScriptedLLM([endless])
    found = extract("Ada Byron knows Engine Works.", language="en", heading=(), llm=llm)
    assert found.state == "done"
    assert [(each.subject, each.predicate, each.object) for each in found.relations] == [
        ("Ada Byron", "knows", "Engine Works")
    ]
    assert found.calls[0].counts["stopped_loops"] == 1
    assert found.calls[0].reply.count(row) < 5


def test_a_model_whose_relations_lead_nowhere_is_stopped_at_the_second_in_a_row() -> None:
    rows = [
        ["Ada Byron", "knows", "Nobody"],
        ["Ada Byron", "knows", "Engine Works"],
        ["Ada Byron", "is", "Ada Byron"],
        ["Engine Works", "knows", "Somebody"],
        ["Engine Works", "employs", "Ada Byron"],
    ]
    reply = _reply([["Ada Byron", "person"], ["Engine Works", "organization"]], rows)
    found = extract("Ada Byron knows Engine Works.", language="en", heading=(), llm=ScriptedLLM([reply]))
    assert (found.state, [each.predicate for each in found.relations]) == ("done", ["knows"])
    assert found.calls[0].counts["stopped_loops"] == 1
    assert "employs" not in found.calls[0].reply


def test_rows_filled_with_one_word_of_the_example_are_dropped() -> None:
    reply = {
        "entities": [["A1", "product"], ["B2", "product"], ["C3", "product"], ["D4", "product"]],
        "relations": [["A1", "beside", "D4"], ["A1", "maker", "B2"], ["B2", "maker", "C3"], ["C3", "maker", "D4"]],
    }
    found = extract("A1, B2, C3 and D4.", language="en", heading=(), llm=ScriptedLLM([json.dumps(reply)]))
    assert [each.predicate for each in found.relations] == ["beside"]
    assert found.calls[0].counts["parroted_relations"] == 3


@pytest.mark.parametrize(("predicates", "written"), [((), 3), (("maker",), 4)], ids=["its own words", "given words"])
def test_a_model_that_fills_rows_with_a_word_of_the_example_is_stopped_at_the_third(
    predicates: tuple[str, ...], written: int
) -> None:
    names = ["A1", "B2", "C3", "D4", "E5"]
    rows = [[left, "maker", right] for left, right in itertools.pairwise(names)]
    found = extract(
        "A1, B2, C3, D4 and E5.",
        language="en",
        heading=(),
        llm=ScriptedLLM([_reply([[name, "product"] for name in names], rows)]),
        relation_names=predicates,
    )
    assert found.calls[0].reply.count("maker") == written


def test_half_a_sentence_is_no_name_and_a_long_name_is_one() -> None:
    clause = "재무부와 협력하여 시행되었으며, 규정 준수 모니터링을 지원하기 위해 설계되었다."
    ministry = "중소벤처기업부 산하 소상공인시장진흥공단 서울강원지역본부"
    passage = f"이 사업은 {clause} 주관은 {ministry}이다."
    reply = _reply([[clause, "사건"], [ministry, "기관"]], [[ministry, "주관", clause]])
    found = extract(passage, language="ko", heading=(), llm=ScriptedLLM([reply]))
    assert [each.name for each in found.entities] == [ministry]
    assert found.relations == ()
    assert found.calls[0].counts["dropped_clause"] == 2
