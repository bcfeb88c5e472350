"""Sentences of an answer against the passages they cite."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType

import pytest

from brain.backends.embedders.hashing import HashEmbedder
from brain.language import terms
from graphqa.answer.texts import house_form, says_not_found
from graphqa.evidence.context import Shown
from graphqa.grounding.check import check
from graphqa.grounding.quotes import quote_of
from graphqa.language.sentences import sentences, statements
from graphqa.language.values import korean_names
from graphqa.retrieval.ranking import Evidence


def _shown(*texts: str) -> list[Shown]:
    return [
        Shown(
            number,
            Evidence(
                chunk_id=number,
                ref=f"s{number}:0",
                source=f"s{number}",
                title=f"file{number}",
                heading=(),
                text=text,
                start=0,
                language="en",
                page=None,
                second=None,
                dated=None,
                authority=0,
                score=1.0,
                cosine=None,
                reason="words",
                ranks={},
            ),
            text,
        )
        for number, text in enumerate(texts, start=1)
    ]


ONE = "The tower was built by Gustave Eiffel in 1889. It is 330 metres tall and weighs 10,100 tonnes."
TWO = "The bridge crosses the river Tay. It fell on 28 December 1879."


def _reasons(answer: str, *texts: str, question: str = "?") -> list[str]:
    return [each.reason for each in check(answer, _shown(*texts), question, HashEmbedder()).sentences]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("It is 330 metres tall [1].", ""),
        ("It weighs 10100 tonnes [1].", ""),
        ("It is 331 metres tall [1].", "number"),
        ("The tower was built by Norman Foster in 1889 [1].", "name"),
        ("Cats purr when they are content [1].", "meaning"),
        ("Cats purr when they are content.", "uncited"),
        ("The tower was built in 1889 [2].", ""),
    ],
)
def test_a_sentence_holds_only_if_its_numbers_names_and_meaning_do(answer: str, reason: str) -> None:
    assert _reasons(answer, ONE, TWO) == [reason]


@pytest.mark.parametrize(
    "answer",
    [
        "Is it 330 metres tall [1]?",
        "Is it 330 metres tall? [1]",
        "Was the tower built by Gustave Eiffel in 1889?",
        "330 metres인가 [1]?",
        "높이는 330 metres입니까 [1].",
        "높이는 330 metres인가요 [1]",
    ],
)
def test_a_question_given_back_is_no_answer(answer: str) -> None:
    found = check(answer, _shown(ONE), "?", HashEmbedder())
    assert (found.share, found.sentences, "[1]" in found.text) == (0.0, (), False)


@pytest.mark.parametrize(
    "answer",
    ["How tall is it? It is 330 metres tall [1].", "It is 330 metres tall [1]!", "높이는 330 metres이니까요 [1]."],
)
def test_what_is_told_beside_a_question_is_an_answer(answer: str) -> None:
    found = check(answer, _shown(ONE), "?", HashEmbedder())
    assert (found.share, len(found.sentences)) == (1.0, 1)


FORM = "First name\nAlice\nLast name\nKim\nEmergency contact\nBob\nDate\n3 May 2021"
STORY = "Alice Kim gave Bob a letter on Monday. She had written it in Lisbon in 1911. Her cat was called Otto."


@pytest.mark.parametrize(
    ("answer", "passage", "reason"),
    [
        ("Alice's last name is Bob [1].", FORM, "apart"),
        ("The emergency contact of Alice is Otto [1].", f"{FORM}\nPet\nOtto", "apart"),
        ("Alice Kim wrote the letter in Lisbon in 1911 [1].", STORY, ""),
        ("The cat of Alice Kim was called Otto [1].", STORY, ""),
        ("Bob wrote a book about the castles of Otto [1].", STORY, "apart"),
        ("The letter was given to Bob [1].", STORY, ""),
    ],
)
def test_what_a_sentence_says_together_stands_together(answer: str, passage: str, reason: str) -> None:
    assert _reasons(answer, passage, question="What is the name?") == [reason]


def test_a_value_may_be_told_in_the_words_of_the_question() -> None:
    passage = "The Lindqvist grant pays 1,250 euros."
    question = "How much money does somebody receive monthly from the Lindqvist grant?"
    assert "apart" not in _reasons("Somebody receives 1,250 monthly [1].", passage, question=question)


def test_a_sentence_may_join_what_two_passages_say() -> None:
    answer = "The tower was built by Gustave Eiffel in 1889, and the bridge fell on 28 December 1879 [1][2]."
    assert _reasons(answer, ONE, TWO) == [""]


def test_a_wrapped_line_is_one_statement_and_a_field_stands_alone() -> None:
    text = "The harbour of the northern town was opened in\n1911 by the mayor.\nName\nBob"
    assert [text[a:b] for a, b in statements(text)] == [text[:65], "Name", "Bob"]


def test_a_sentence_that_begins_at_the_end_of_a_line_goes_on_in_the_next() -> None:
    text = "Make very sure that it is the right device. If\nyou take the wrong one, all that is on a disk\nmay be lost."
    assert [text[a:b] for a, b in statements(text)] == [text[:43], text[44:]]


def test_names_of_the_question_need_not_stand_in_the_passage() -> None:
    assert _reasons(
        "Aunt Mary's bridge fell on 28 December 1879 [2].", ONE, TWO, question="When did Aunt Mary's bridge fall?"
    ) == [""]


def test_only_given_numbers_are_shown() -> None:
    found = check("The tower was built by Gustave Eiffel in 1889 [1][9], [3].", _shown(ONE), "?", HashEmbedder())
    assert (found.text.count("[1]"), "[9]" in found.text, "[3]" in found.text, found.removed) == (1, False, False, 2)


@pytest.mark.parametrize("marks", ["[1], [2]", "[1]; [2]", "[1] and [2]", "[1][2].\n[1], [2]", "[1][2]. [1], [2]."])
def test_what_stands_between_marks_goes_with_them(marks: str) -> None:
    found = check(f"The tower was built by Gustave Eiffel in 1889 {marks}", _shown(ONE, TWO), "?", HashEmbedder())
    assert found.text.rstrip(".") == "The tower was built by Gustave Eiffel in 1889 [1]"


def test_a_list_keeps_its_form_and_its_numbers_are_not_facts() -> None:
    found = check("1. It is 330 metres tall [1].\n2. It weighs 10,100 tonnes [1].", _shown(ONE), "?", HashEmbedder())
    assert found.text == "1. It is 330 metres tall [1].\n2. It weighs 10,100 tonnes [1]."
    assert found.share == 1.0


def test_an_empty_answer_holds_nothing() -> None:
    assert check("", _shown(ONE), "?", HashEmbedder()).share == 0.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Kim paid 3.5 million. He left.", ["Dr. Kim paid 3.5 million.", "He left."]),
        ("One [1]. Two [2].", ["One [1].", "Two [2]."]),
        ("One. [1] Two.", ["One. [1]", "Two."]),
        ("제3조에 따른다. 다음과 같다.\n- 하나", ["제3조에 따른다.", "다음과 같다.", "- 하나"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"thoughts": "hm", "answer": "It is 330 metres tall [1]."}', "It is 330 metres tall [1]."),
        ('```json\n{"answer": "Yes [1]."}\n```', "Yes [1]."),
        ("<think>secret</think>Yes [1].", "Yes [1]."),
        ("See ![x](https://evil.example/p.png) and [here](https://evil.example).", "See x and here."),
        ("**Bold** <b>claim</b> [1].", "Bold claim [1]."),
        ("Visit https://evil.example/login now.", "Visit evil.example/login now."),
        ("It is at [https://a.example/x](https://a.example/x) [1].", "It is at a.example/x [1]."),
        ("The site is https://a.example/guide[1].", "The site is a.example/guide[1]."),
        ("Write to <kim@a.example> or <https://a.example> [1].", "Write to kim@a.example or a.example [1]."),
        ('[the guide](guide.html "its title") helps [1](lease.pdf).', "the guide helps [1]."),
        ("See [here](https://a.example/A_(b)) [1].", "See here [1]."),
        ("[Kim [2]](mailto:kim@a.example) and [x](javascript:alert(1)).", "Kim [2] and x."),
        ("Run javascript:alert(1) or data:text/html,x now.", "Run or now."),
        ("Sample data:12 rows [1].", "Sample data:12 rows [1]."),
        ("제5조[시행](2020.1.1.)는 유효하다 [1].", "제5조[시행](2020.1.1.)는 유효하다 [1]."),
        ('{"plan": "nothing to say"}', ""),
    ],
)
def test_an_answer_has_the_house_form_whatever_the_reply_looks_like(reply: str, expected: str) -> None:
    assert house_form(reply) == expected


def test_an_address_that_was_asked_for_holds() -> None:
    passage = "The maintenance guide of the tower is at https://a.example/guide, open to all."
    answer = house_form("The maintenance guide of the tower is at https://a.example/guide [1].")
    assert answer == "The maintenance guide of the tower is at a.example/guide [1]."
    assert _reasons(answer, passage) == [""]


@pytest.mark.parametrize(
    "reply",
    [
        "NOT IN THE DOCUMENTS [1]",
        "문서에 없음",
        "",
        "발췌문에는 해당 내용이 없습니다.",
        "결론: 문서에 없음",
        "Answer: NOT IN THE DOCUMENTS",
        "The passages do not mention it [1].",
    ],
)
def test_a_refusal_is_recognised(reply: str) -> None:
    assert says_not_found(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "The documents do not mention any fines, but the fee is 9 pounds [1].",
        "It was opened in 1931 [2]. Who built it: NOT IN THE DOCUMENTS",
    ],
)
def test_a_refusal_beside_a_cited_answer_is_none(reply: str) -> None:
    assert not says_not_found(reply)


def test_an_answer_is_not_taken_for_a_refusal() -> None:
    assert not says_not_found("The tower does not contain a lift [1].")


def test_a_quote_goes_on_over_wrapped_lines() -> None:
    text = (
        "4.7 Verifying files\n"
        "You can verify the integrity of downloaded files against checksums provided\n"
        "in SHA256SUMS on the mirrors.\nNext is booting."
    )
    start, end = quote_of("Verify the integrity of files against checksums.", _shown(text)[0])
    assert text[start:end] == (
        "You can verify the integrity of downloaded files against checksums provided\nin SHA256SUMS on the mirrors."
    )


KINDS = ("terms: ", "korean_names: ")


def _reads(run: Callable[[], object]) -> Counter[str]:
    """Texts whose words, or whose names, were read, with how often."""
    read: Counter[str] = Counter()

    def watch(frame: FrameType, event: str, _arg: object) -> None:
        if event == "call" and frame.f_code in {terms.__code__, korean_names.__code__}:
            read[f"{frame.f_code.co_name}: {frame.f_locals['text']}"] += 1

    sys.setprofile(watch)
    try:
        run()
    finally:
        sys.setprofile(None)
    return read


def test_a_passage_is_read_once_however_many_sentences_are_held_against_it() -> None:
    told = ["한빛정밀은 1987년 김도현이 대전에서 세운 회사이다.", "본사는 2011년에 세종으로 옮겼다."]
    answer = "한빛정밀은 김도현이 세웠다 [1]. 본사는 2011년에 옮겼다 [1]. 본사는 세종에 있다. 1987년에 세웠다 [1][2]."
    shown = _shown(" ".join(told), ONE)
    read = _reads(lambda: check(answer, shown, "한빛정밀은 어떤 회사인가?", HashEmbedder()))
    for piece in [*told, *(f"{each}." for each in ONE[:-1].split(". "))]:
        assert [sum(read[text] for text in read if text.startswith(kind) and piece in text) for kind in KINDS] == [1, 1]


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("The monthly rent of 27 Cobbler Lane is 1,350 euros [1].", ""),
        ("The monthly rent of 27 Cobbler Lane is 2,000 euros [1].", "number"),
        ("The monthly rent of 29 Cobbler Lane is 1,350 euros [1].", "number"),
    ],
)
def test_the_number_of_a_house_need_not_stand_beside_what_is_said_of_the_house(claim: str, reason: str) -> None:
    lease = "Lease of 27 Cobbler Lane between Orvane Ltd and Tilda Brockhurst.\nThe rent is 1,350 euros a month."
    question = "What is the monthly rent of 27 Cobbler Lane?"
    assert [each.reason for each in check(claim, _shown(lease), question, HashEmbedder()).sentences] == [reason]


def test_a_number_is_not_taken_from_a_statement_beside_the_one_that_says_it() -> None:
    lease = "The boiler is repaired within 7 days of written notice.\nThe notice period is 90 days."
    claims = "The notice period is 90 days [1]. The notice period is 7 days [1]. It is repaired within 7 days [1]."
    found = check(claims, _shown(lease), "How long is the notice period?", HashEmbedder()).sentences
    assert [each.reason for each in found] == ["", "apart", ""]


@pytest.mark.parametrize(
    "said",
    [
        "David Smith (28 October 1872 – 25 April 1930) was an English film director.",
        "He won the 1999 World Drivers' Championship for Ferrari.",
        'Like their brother side, "St. Georg" was a founding member of the German Association.',
        'Movies such as "We\'re the Millers" (2013) have been shot in Leland.',
        "You’ll be shown the first screens of the installer in rescue mode.",
        "전체 이미지를 사용해 설치하는 경우가 아니라면, 네트워크 미러를 사용해야 합니다.",
    ],
)
def test_a_sentence_copied_from_its_passage_is_supported(said: str) -> None:
    assert _reasons(f"{said[:-1]} [1].", said) == [""]


@pytest.mark.parametrize(
    ("said", "passage", "reason"),
    [
        ("해지하려면 3 месяца 전에 통지해야 한다 [1].", "해지하려면 3개월 전에 통지해야 한다.", "script"),
        ("계약은 解除할 수 있다 [1].", "계약은 해제할 수 있다.", "script"),
        ("The tower は 330 metres tall [1].", ONE, "script"),
        ("갑(甲)은 계약을 해제할 수 있다 [1].", "갑(甲)은 계약을 해제할 수 있다.", ""),
        ("The α decay takes 3 days [1].", "Here the Α decay takes 3 days.", ""),
        ("The naïve model weighs 5 µg, 3 ㎏ and ½ ℓ [1].", "The naïve model weighs 5 µg, 3 ㎏ and ½ ℓ.", ""),
    ],
)
def test_words_in_a_script_of_neither_passage_nor_question_do_not_hold(said: str, passage: str, reason: str) -> None:
    assert _reasons(said, passage) == [reason]


def test_a_word_in_another_script_may_stand_in_the_question() -> None:
    assert _reasons("解除 is what ends it [1].", "The word that ends it is one of law.", question="What is 解除?") == [
        ""
    ]
