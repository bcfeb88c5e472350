"""From question to checked answer, with a model that says what the test tells it to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import override

from brain.backends.llm.scripted import ScriptedLLM
from brain.errors import ModelMissing, ServiceUnavailable
from brain.models import Brain, Conversation, Message, Source
from brain.values import Completion, CompletionRequest
from graphqa.answer.page import shown
from graphqa.answer.refusals import refusal
from graphqa.answer.withheld import Withheld
from graphqa.answering import Answer
from graphqa.question.plan import Exchange, normalise
from graphqa.question.scope import Scope
from tests.graphqa.conftest import KOREAN, Library

BORN = "Where was Ada Kim born?"


def _cited(answer: Answer) -> list[tuple[int, str, str]]:
    return [(each.number, each.title, each.quote) for each in answer.citations]


def _number_of(library: Library, title: str) -> int:
    return next(each.number for each in library.shown if each.evidence.title == title)


def _saying(sentence: str, title: str) -> object:
    """A model that finds the number of a file in its prompt and cites it."""

    def script(request: CompletionRequest) -> str:
        lines = request.turns[-1].text.splitlines()
        line = next(line for line in lines if line.startswith("Passage [") and title in line)
        return sentence.replace("[#]", line.split(" ")[1])

    return script


def test_an_answer_cites_the_passage_that_says_so(library: Library) -> None:
    answer = library.ask(BORN, _saying("Ada Kim was born in Busan [#].", "architect"))  # type: ignore[arg-type]
    number = _number_of(library, "architect.txt")
    assert answer.status == "answered"
    assert answer.text == f"Ada Kim was born in Busan [{number}]."
    assert _cited(answer) == [(number, "architect.txt", "Ada Kim was born in Busan in 1890.")]
    assert "".join(library.said) == f"Ada Kim was born in Busan [{number}]."


def test_the_quote_lies_where_the_citation_says(library: Library) -> None:
    answer = library.ask(BORN, _saying("Ada Kim was born in Busan [#].", "architect"))  # type: ignore[arg-type]
    cited = answer.citations[0]
    text = library.sources["architect.txt"].body.text
    assert text[cited.start : cited.end] == cited.quote


def test_each_sentence_that_cites_a_number_has_its_quote_there(fill: Callable[[dict[str, str]], Library]) -> None:
    said = [
        "Ada Kim was born in Busan in 1890.",
        "She studied engineering at Seoul University.",
        "Ada Kim designed the Harbour Bridge in 1925.",
        "She received the Steel Medal in 1933.",
    ]
    library = fill({"life.txt": " ".join(said)})
    born, studied, designed, medal = (f"{each[:-1]} [1]." for each in said)
    answer = library.ask("Who was Ada Kim?", [f"{medal} {born} {medal} {studied}"])
    assert answer.text == f"{medal} {born} {medal} {studied}"
    assert _cited(answer) == [(1, "life.txt", said[3]), (1, "life.txt", said[0]), (1, "life.txt", said[1])]
    answer = library.ask("Who was Ada Kim?", [f"{born} {studied} {designed} {medal}"])
    assert _cited(answer) == [(1, "life.txt", each) for each in said[:3]]


def test_a_number_that_was_not_given_is_removed(library: Library) -> None:
    answer = library.ask(BORN, ["Ada Kim was born in Busan [77]."])
    assert "[77]" not in answer.text
    assert answer.status == "answered"
    assert answer.details["calls"][0]["removed_numbers"] == 1
    assert [title for _number, title, _quote in _cited(answer)] == ["architect.txt"]


def test_a_wrong_number_is_put_right(library: Library) -> None:
    answer = library.ask(BORN, _saying("Ada Kim was born in Busan [#].", "bridge"))  # type: ignore[arg-type]
    assert [title for _number, title, _quote in _cited(answer)] == ["architect.txt"]


def test_a_year_that_no_passage_holds_is_marked(library: Library) -> None:
    answer = library.ask(BORN, ["Ada Kim was born in Busan [1]. She died in 1777 [1]."])
    assert answer.status == "partially_supported"
    assert "1777" in answer.text
    assert answer.details["calls"][0]["faults"] == ["number"]


@pytest.mark.parametrize("said", ["as page 42 says", "as article 1777 says"])
def test_a_place_that_no_passage_names_is_marked(library: Library, said: str) -> None:
    answer = library.ask(BORN, [f"Ada Kim was born in Busan [1]. She studied engineering, {said} [1]."])
    assert answer.status == "partially_supported"
    assert answer.details["calls"][0]["faults"] == ["number"]
    assert {each.page for each in answer.citations} == {None}


@pytest.mark.parametrize(
    "reply", ['{"thoughts": "obey", "answer": "Ada Kim was born in Busan."}', "```\nAda Kim was born in Busan.\n```"]
)
def test_another_form_becomes_the_house_form(library: Library, reply: str) -> None:
    answer = library.ask(BORN, [reply])
    number = _number_of(library, "architect.txt")
    assert (answer.status, answer.text) == ("answered", f"Ada Kim was born in Busan [{number}].")


def test_a_foreign_name_is_not_supported(english: Library) -> None:
    answer = english.ask(BORN, ["She was born in Paris to Louis Blanc [1]."] * 2)
    assert answer.status == "insufficient_context"
    assert answer.citations == ()
    assert [bool(request.options) for request in english.llm.history] == [True, False, False]


@pytest.mark.parametrize("reply", ["", "   ", "NOT IN THE DOCUMENTS", "The passages do not mention this."])
def test_a_model_that_finds_nothing_gives_no_answer(english: Library, reply: str) -> None:
    answer = english.ask(BORN, [reply])
    assert (answer.status, answer.text, answer.citations) == ("insufficient_context", "", ())


@pytest.mark.parametrize("reply", ["[#]", "Yes [#].", "[#][9]"])
def test_of_a_reply_that_only_points_the_statement_is_shown(library: Library, reply: str) -> None:
    answer = library.ask(BORN, _saying(reply, "architect"))  # type: ignore[arg-type]
    number = _number_of(library, "architect.txt")
    assert (answer.status, answer.text) == ("answered", f"Ada Kim was born in Busan in 1890 [{number}].")
    assert _cited(answer) == [(number, "architect.txt", "Ada Kim was born in Busan in 1890.")]


def test_a_reply_that_points_at_something_else_is_no_answer(english: Library) -> None:
    assert english.ask("Where was Ada Kim born?", ["[9]", "[9]"]).status == "insufficient_context"


def test_prose_without_numbers_gets_them(library: Library) -> None:
    answer = library.ask(BORN, ["Ada Kim was born in Busan in 1890."])
    assert answer.status == "answered"
    assert [title for _number, title, _quote in _cited(answer)] == ["architect.txt"]


def test_a_question_about_something_else_asks_no_model(english: Library) -> None:
    answer = english.ask("Which enzyme digests lactose?")
    assert answer.status == "insufficient_context"
    assert answer.citations == ()
    assert english.llm.history == []


@pytest.mark.parametrize("question", ["🙂", "🙂🎉"])
def test_a_question_without_words_asks_no_model(library: Library, question: str) -> None:
    answer = library.ask(normalise(question, limit=100))
    assert (answer.status, answer.citations, library.llm.history) == ("insufficient_context", (), [])


def test_a_refusal_names_what_was_typed(english: Library) -> None:
    answer = english.ask("How many enzymes did Ada Kim digest in Busan?", ["NOT IN THE DOCUMENTS"])
    assert refusal(answer.details) == (
        "The documents speak of Ada Kim, Busan, but nothing in them was found about enzymes."
    )
    assert answer.evidence[0].title == "architect.txt"


def test_a_korean_refusal_names_nouns_without_their_particles(fill: Callable[[dict[str, str]], Library]) -> None:
    answer = fill(KOREAN).ask("소음 과태료를 감면받는 절차는 무엇인가?", ["문서에 없음"])
    with override("ko"):
        assert refusal(answer.details) == "자료에 나오는 것: 소음, 과태료. 찾지 못한 것: 감면, 절차."


def test_a_refusal_says_how_many_files_cannot_be_searched_yet(english: Library) -> None:
    for name, state in (("a", "queued"), ("b", "running"), ("c", "failed")):
        Source.objects.create(
            brain=english.brain, title=name, media_type="text/plain", sha256=name, size=1, state=state
        )
    answer = english.ask("Which enzyme digests lactose?")
    assert refusal(answer.details) == (
        "Your documents do not hold an answer to this. Nothing was found about: enzyme, digests, lactose. "
        "2 files cannot be searched yet. Ask again when they can."
    )


def test_an_empty_brain_asks_no_model(brain: Brain) -> None:
    library = Library(brain, {})
    answer = library.ask(BORN)
    assert (answer.status, answer.citations, library.llm.history) == ("insufficient_context", (), [])


def test_korean_is_answered_from_korean(library: Library) -> None:
    answer = library.ask("소음 과태료는 얼마인가?", ["과태료는 300만원 이하이다 [1]."])
    assert answer.status == "answered"
    assert [title for _number, title, _quote in _cited(answer)] == ["법률.txt"]


@pytest.mark.parametrize(
    ("question", "file", "rules"),
    [
        ("architect.txt 요약해 줘", "architect.txt", "한국어 한 문장에서"),
        ("Summarise 법률.txt", "법률.txt", "plain English sentences"),
    ],
)
def test_a_file_is_told_of_in_the_language_it_is_asked_about(
    library: Library, question: str, file: str, rules: str
) -> None:
    library.ask(question, ["NOT IN THE DOCUMENTS"])
    assert {shown.evidence.title for shown in library.shown} == {file}
    assert rules in library.llm.history[-1].turns[-1].text


def test_what_is_only_in_another_file_is_not_in_the_chosen_one(library: Library) -> None:
    scope = Scope(sources=(str(library.sources["bridge.txt"].pk),))
    answer = library.ask("Where did Ada Kim study engineering?", ["NOT IN THE DOCUMENTS"], scope=scope)
    assert answer.status == "insufficient_context"
    assert {each.title for each in answer.evidence} <= {"bridge.txt"}


def test_a_trashed_source_is_not_asked(english: Library) -> None:
    from django.utils import timezone

    Source.objects.filter(pk=english.sources["architect.txt"].pk).update(trashed_at=timezone.now())
    answer = english.ask(BORN, ["NOT IN THE DOCUMENTS"])
    assert "architect.txt" not in {each.title for each in answer.evidence}


@pytest.mark.parametrize("error", [ModelMissing(), ServiceUnavailable()])
def test_sources_are_shown_although_the_model_is_away(library: Library, error: ModelMissing) -> None:
    with pytest.raises(type(error)):
        library.ask(BORN, [error])
    assert "architect.txt" in {each.evidence.title for each in library.shown}


def test_a_follow_up_becomes_a_question_of_its_own(library: Library) -> None:
    history = [Exchange("Who designed the Harbour Bridge?", "Ada Kim designed it [1].")]
    answer = library.ask(
        "Where was she born?",
        lambda request: "Where was Ada Kim born?" if request.max_tokens < 100 else "Ada Kim was born in Busan [1].",
        history=history,
    )
    assert answer.standalone == "Where was Ada Kim born?"
    assert answer.details["rewritten"] == "model"
    assert answer.status == "answered"


def test_a_rewrite_that_brings_in_other_names_is_not_used(library: Library) -> None:
    history = [Exchange("Who designed the Harbour Bridge?", "Ada Kim designed it [1].")]
    answer = library.ask(
        "When did it open?",
        lambda request: "When did Donald Duck open?" if request.max_tokens < 100 else "It opened in 1932 [1].",
        history=history,
    )
    assert answer.standalone == "When did it open? (Harbour Bridge)"
    assert answer.details["rewritten"] == "terms"


@pytest.mark.parametrize("turns", [40])
def test_a_long_chat_stays_inside_a_small_context(library: Library, turns: int) -> None:
    history = [Exchange(f"Question {n} about Ada Kim?", "Ada Kim " * 60) for n in range(turns)]
    answer = library.ask(
        "Where was she born?", lambda _request: "Ada Kim was born in Busan.", history=history, context_tokens=2048
    )
    assert answer.status == "answered"
    assert {each.number for each in answer.citations} <= {each.number for each in library.shown}


def test_a_reply_that_was_cut_keeps_what_was_said(library: Library) -> None:
    cut = Completion("Ada Kim was born in Busan [1]. She stud", "length", 10, 10, 0.1)
    answer = library.ask(BORN, [cut])
    assert "Ada Kim was born in Busan" in answer.text
    assert answer.details["calls"][0]["finish"] == "length"


def test_the_stand_in_model_answers_too(library: Library) -> None:
    library.llm = ScriptedLLM.from_setting("scripted")
    answer = library.ask(BORN, library.llm._script)
    assert answer.status in {"answered", "partially_supported"}
    assert answer.citations


def test_a_model_that_reads_slowly_is_shown_less(fill: Callable[[dict[str, str]], Library]) -> None:
    beside = {n: " ".join(f"Stone {n}{k} lay beside path {k}{n}." for k in range(60)) for n in range(8)}
    library = fill({f"{n}.txt": f"Lighthouse {n} was built by Ada Kim. {beside[n]}" for n in beside})

    def tokens(reads: float | None) -> int:
        answer = library.ask("Who built the lighthouse?", ["Ada Kim [1]."], reads=reads)
        return int(answer.details["context_tokens"])

    assert tokens(None) == tokens(1000.0) > tokens(40.0) >= tokens(1.0) > 200


def test_of_a_korean_file_a_slow_model_is_shown_more_than_one_passage(
    fill: Callable[[dict[str, str]], Library],
) -> None:
    beside = {n: " ".join(f"돌{n}{k}은 길{k}{n} 옆에 놓여 있었다." for k in range(60)) for n in range(3)}
    library = fill({f"{n}.txt": f"등대를 지은 사람은 김아다이다. {beside[n]}" for n in beside})
    answer = library.ask("등대를 지은 사람은 누구입니까?", ["등대를 지은 사람은 김아다이다 [1]."], reads=1.0)
    assert answer.details["shown"] > 1


@pytest.mark.parametrize(
    ("question", "reply", "words"),
    [
        ("육아휴직 과태료는 얼마인가요?", "300만원 이하의 과태료를 부과한다 [1].", "육아휴직"),
        ("소음 과태료는 얼마인가요?", "300만원 이하의 과태료를 부과한다 [1].", ""),
    ],
)
@pytest.mark.django_db
def test_a_person_is_told_what_no_document_holds(
    fill: Callable[[dict[str, str]], Library], conversation: Conversation, question: str, reply: str, words: str
) -> None:
    answer = fill(KOREAN).ask(question, [reply])
    message = Message.objects.create(
        conversation=conversation,
        ordinal=0,
        question=question,
        standalone=question,
        status=answer.status,
        answer=answer.text,
        details=answer.details,
    )
    each = shown(message, Withheld({}))
    page = render_to_string("graphqa/_message.html", {"each": each, "access": None, "brain": conversation.brain})
    assert answer.status == "answered"
    assert each.unheld == words
    assert ("No document that was searched" in page) is bool(words)


@pytest.mark.django_db
def test_a_refusal_shows_what_the_nearest_passages_say(english: Library, conversation: Conversation) -> None:
    answer = english.ask(BORN, ["NOT IN THE DOCUMENTS"])
    message = Message.objects.create(
        conversation=conversation,
        ordinal=0,
        question=BORN,
        standalone=BORN,
        status=answer.status,
        details=answer.details,
        evidence=[{"ref": each.ref, "reason": each.reason, "score": each.score} for each in answer.evidence],
    )
    said = next(each for each in shown(message, Withheld({})).nearest if each.title == "architect.txt")
    text = english.sources["architect.txt"].body.text
    assert said.text == "Ada Kim was born in Busan in 1890."
    assert f"start={text.index(said.text)}&end={text.index(said.text) + len(said.text)}" in said.url
    Source.objects.filter(title="architect.txt").update(trashed_at=timezone.now())
    assert "architect.txt" not in [each.title for each in shown(message, Withheld({})).nearest]


def test_a_person_is_told_that_an_answer_was_withdrawn(english: Library) -> None:
    answer = english.ask(BORN, ["She was born in Paris to Louis Blanc [1]."] * 2)
    assert refusal(answer.details).startswith("An answer was written")
    assert not refusal(english.ask(BORN, ["NOT IN THE DOCUMENTS"]).details).startswith("An answer was written")
