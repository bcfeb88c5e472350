"""What passages are about, name, and lead to, without a model."""

from __future__ import annotations

from brain.models import LinkKind
from brain.values import Document, Span
from ingestion.splitter import split
from ingestion.structure import Link, PassageStructure, outline

LAW = "소음진동관리법 시행령"


def _document(title: str, parts: list[tuple[tuple[str, ...], str]], language: str = "en") -> Document:
    text, spans = "", []
    for heading, body in parts:
        spans.append(Span(len(text), len(text) + len(body) + 2, heading=heading))
        text += body + "\n\n"
    return Document(text, tuple(spans), language, title)


def _outline(document: Document) -> tuple[PassageStructure, ...]:
    return outline(document, split(document))


def _law(*articles: str) -> tuple[PassageStructure, ...]:
    filler = " 그 밖에 필요한 사항은 환경부령으로 정한다." * 45
    return _outline(_document(LAW, [((article.split(")")[0] + ")",), article + filler) for article in articles], "ko"))


def _cites(structure: PassageStructure) -> list[tuple[str, int | None]]:
    return [(link.label, link.target_ordinal) for link in structure.links if link.kind == LinkKind.CITES]


def test_a_page_is_about_its_title_and_its_first_subject() -> None:
    (page,) = _outline(
        _document("Lover Come Back (1961 film).txt", [((), "Delbert Mann directed it in Paris, Texas.")])
    )
    assert page.about == ("delbert mann", "lover come back", "lover come back (1961 film)")
    assert page.terms == ("paris", "paris, texas", "texas")
    assert page.links == ()


def test_names_keep_the_small_words_inside_them() -> None:
    (page,) = _outline(_document("x", [((), "It was ruled by Muhammad bin Saud of the Emirate of Diriyah.")]))
    assert {"muhammad bin saud", "muhammad", "saud", "emirate"} <= {
        part for term in page.terms for part in (term, term.split(" of ")[0])
    }


def test_an_article_is_about_its_number_and_name() -> None:
    first, second = _law("제1조(목적) 기준을 정한다.", "제2조(정의) 용어의 뜻은 다음과 같다.")
    assert {f"{LAW}|제1조", "목적", LAW} <= set(first.about)
    assert {f"{LAW}|제2조", "정의", LAW} <= set(second.about)


def test_a_cited_article_is_linked_and_named() -> None:
    first, second = _law("제1조(목적) 기준을 정한다.", "제2조의2(과태료) 제1조제2항을 위반한 자, 제9조에 따른 자.")
    assert _cites(first) == []
    assert _cites(second) == [("제1조", 0), ("제9조", None)]
    assert f"{LAW}|제1조" in second.terms
    assert f"{LAW}|제2조의2" in second.about


def test_the_law_and_other_laws_are_told_from_the_decree() -> None:
    (first,) = _law("제1조(목적) 법 제5조에 따라, 「상법」 제3조와 제4조 및 제7조를 적용한다.")
    assert {"소음진동관리법|제5조", "상법|제3조"} <= set(first.terms)
    assert f"{LAW}|제5조" not in first.terms


def test_the_same_law_is_the_one_named_last() -> None:
    (first,) = _law(
        "제1조(목적) 「상법」에 따라 이사는 같은 법 제3조, 제4조제2항을 적용하고, 「개인정보 보호법」 제23조와 "
        "같은 법 시행령 제18조 및 같은 영 제19조를, 법 제5조와 동법 제6조를, 「전기법」 시행령 제7조를 적용한다."
    )
    assert [term for term in first.terms if "|" in term] == [
        "개인정보 보호법 시행령|제18조",
        "개인정보 보호법 시행령|제19조",
        "개인정보 보호법|제23조",
        "상법|제3조",
        "상법|제4조",
        "소음진동관리법|제5조",
        "소음진동관리법|제6조",
        "전기법 시행령|제7조",
    ]


def test_a_range_names_every_article_in_it() -> None:
    _first, second = _law("제1조(목적) 기준을 정한다.", "제9조(준용) 제1조부터 제4조까지를 준용한다.")
    assert [label for label, _target in _cites(second)] == ["제1조", "제2조", "제3조", "제4조"]


def test_passages_follow_each_other_and_their_section() -> None:
    long = "The valve opens slowly when pressure falls below the limit. " * 60
    passages = _outline(_document("Manual", [(("1 Valves",), long)]))
    assert len(passages) > 2
    assert passages[0].links == (Link(LinkKind.NEXT, "", 1),)
    assert passages[1].links == (Link(LinkKind.NEXT, "", 2), Link(LinkKind.SECTION, "1 Valves", 0))
    assert all("valves" in passage.about for passage in passages)


def test_sections_and_figures_are_followed() -> None:
    body = "Water flows through the pipe into the tank every day of the year. " * 20
    passages = _outline(
        _document(
            "Manual",
            [
                (("1 Start",), f"{body} See Section 2.1 and Figure 3."),
                (("2 Pumps", "2.1 Inlet"), body),
                (("3 Plans",), f"Figure 3: The inlet.\n{body}"),
            ],
        )
    )
    assert _cites(passages[0]) == [("Section 2.1", 1), ("Figure 3", 2)]
    assert _cites(passages[2]) == []


def test_korean_terms_are_nouns_and_compounds() -> None:
    (page,) = _outline(_document("y", [((), "서울특별시는 대한민국의 수도이다. GraphQL을 쓴다.")], "ko"))
    assert "대한민국" in page.terms
    assert "수도" in page.terms
    assert "graphql" in page.terms


def test_nothing_is_found_in_nothing() -> None:
    assert outline(Document("", (), ""), ()) == ()
