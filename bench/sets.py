"""The saved question sets, as documents and questions. Nothing here knows how retrieval works."""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brain.values import Document, Span

DATA = Path(os.environ.get("BRAIN_DATA", Path(__file__).resolve().parent.parent.parent / "shared" / "data"))


@dataclass(frozen=True, slots=True)
class Unit:
    """What counts as found: a stretch of a document that the set names by id (a whole page, an article)."""

    id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SetDocument:
    document: Document
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """``added``: share of the known answer that stands in the last article of a two-step question alone."""

    text: str
    gold: frozenset[str]
    multi: bool | None = None
    answers: tuple[str, ...] = ()
    added: float | None = None


@dataclass(frozen=True, slots=True)
class QuestionSet:
    name: str
    language: str
    documents: tuple[SetDocument, ...]
    questions: tuple[Question, ...]


def load(name: str, *, pool: int | None = None) -> QuestionSet:
    """A set by the name of its folder; ``pool`` cuts the number of documents."""
    loaders = {
        "ko_finreg": _finreg,
        "multihop_en_2wiki101": _two_wiki,
        "multihop_en_hotpot_synaptic": _hotpot,
        "multihop_en_100_small": _hotpot_small,
    }
    if name not in loaders:
        raise SystemExit(f"{name}: expected one of {', '.join(sorted(loaders))}")
    folder = DATA / name
    if not folder.is_dir():
        raise SystemExit(f"{folder} is missing; BRAIN_DATA names another place")
    return loaders[name](folder, pool)


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _page(id: str, title: str, text: str) -> SetDocument:
    document = Document(text, (Span(0, len(text)),), "en", title)
    return SetDocument(document, (Unit(id, 0, len(text)),))


def _two_wiki(folder: Path, pool: int | None) -> QuestionSet:
    pages = read_json(folder / "corpus_6119.json")[: pool or 780]
    questions = tuple(
        Question(each["question"], frozenset(each["gold_titles"]), each["multihop_only"])
        for each in read_json(folder / "questions_101.json")
    )
    documents = tuple(_page(page["title"], page["title"], page["text"]) for page in pages)
    return QuestionSet(f"{folder.name}/{len(pages)}", "en", documents, questions)


def _hotpot(folder: Path, pool: int | None) -> QuestionSet:
    data = read_json(folder / "hotpotqa_200.json")
    documents = tuple(_page(id, page["title"], page["text"]) for id, page in list(data["corpus"].items())[:pool])
    questions = tuple(
        Question(text, frozenset(data["qrels"][id]), True, _one(data["answers"].get(id)))
        for id, text in data["queries"].items()
    )
    return QuestionSet(folder.name, "en", documents, questions)


def _hotpot_small(folder: Path, pool: int | None) -> QuestionSet:
    pages = list(read_json(folder / "hotpotqa_100_corpus_994.json").items())[:pool]
    documents = tuple(_page(title, title, "".join(sentences)) for title, sentences in pages)
    questions = tuple(
        Question(
            each["question"], frozenset(title for title, _sentence in each["supporting_facts"]), True, each["answer"]
        )
        for each in read_json(folder / "hotpotqa_100.json")
    )
    return QuestionSet(folder.name, "en", documents, questions)


def _finreg(folder: Path, _pool: int | None) -> QuestionSet:
    """Each law is one document; its articles stand in the order of their numbers, as in the law."""
    laws: dict[str, list[tuple[str, str]]] = defaultdict(list)
    articles = read_json(folder / "corpus_338.json")
    for id, article in articles.items():
        laws[article["law"]].append((id, article["text"]))
    documents = tuple(_law(title, some) for title, some in sorted(laws.items()))
    for each in read_json(folder / "multihop_60.json"):
        _ORDER[each["query"]] = each["relevant_docs"]
    questions = tuple(
        Question(
            each["query"], frozenset(each["relevant_docs"]), multi, added=_added(each, articles) if multi else None
        )
        for name, multi in (("multihop_60.json", True), ("single_60.json", False))
        for each in read_json(folder / name)
    )
    return QuestionSet(folder.name, "ko", documents, questions)


def _added(each: dict[str, Any], articles: dict[str, dict[str, str]]) -> float:
    """Of the pairs of letters that the known answer has and the question has not: the share that the second article
    has and the first has not."""
    told = _PLACES.sub("", _GROUNDS.split(each["answer"])[0])
    first, second = (_pairs(articles[id]["text"]) for id in each["relevant_docs"])
    wanted = _pairs(told) - _pairs(each["query"])
    return len((wanted & second) - first) / max(1, len(wanted))


def _pairs(text: str) -> set[str]:
    words = re.findall(r"\w+", re.sub(r"<[^>]*>", "", text))
    return {word[at : at + 2] for word in words for at in range(max(1, len(word) - 1))}


# An answer ends with the articles it rests on, and names them in between.
_GROUNDS = re.compile(r"[(\[]?\s*근거")
_PLACES = re.compile(r"(조문 [AB]\s*)?\(?제\d+조(의\d+)?\S*\)?")


def _law(title: str, articles: list[tuple[str, str]]) -> SetDocument:
    text, units, spans = "", [], []
    for id, body in sorted(articles, key=lambda article: _number(article[1])):
        start = len(text)
        text += body
        units.append(Unit(id, start, len(text)))
        text += "\n\n"
        spans.append(Span(start, len(text), heading=(_ARTICLE.match(body).group(0).strip(),)))  # type: ignore[union-attr]
    return SetDocument(Document(text, tuple(spans), "ko", title), tuple(units))


_ARTICLE = re.compile(r"제(\d+)조(?:의(\d+))?(?:\([^)]*\))?")


def _number(text: str) -> tuple[int, int]:
    found = _ARTICLE.match(text)
    return (int(found.group(1)), int(found.group(2) or 0)) if found else (0, 0)


def _one(answer: str | None) -> tuple[str, ...]:
    return (answer,) if answer else ()


# --- questions that the documents do not answer ---------------------------------------------------------------


def load_with_refusals(name: str, *, pool: int | None = None) -> QuestionSet:
    """Some questions have no answer in the documents: their gold is empty. ``pool``: so many articles of SQuAD."""
    if name == "abstain_squad2":
        return _squad(DATA / name, pool)
    if name == "ko_finreg":
        return _finreg_held_out(load(name))
    raise SystemExit(f"{name}: expected abstain_squad2 or ko_finreg")


def evenly(questions: Sequence[Question], limit: int) -> list[Question]:
    """As many with an answer as without, each taken evenly over the set."""
    chosen = []
    for kind in (True, False):
        some = [each for each in questions if bool(each.gold) is kind]
        wanted = min(len(some), limit // 2)
        chosen.append([some[place * len(some) // wanted] for place in range(wanted)])
    return [each for pair in zip(*chosen, strict=False) for each in pair]


def _squad(folder: Path, pool: int | None) -> QuestionSet:
    documents, questions = [], []
    for article in read_json(folder / "squad2_8_articles.json")["data"][:pool]:
        text, units = "", []
        for number, paragraph in enumerate(article["paragraphs"]):
            id = f"{article['title']}/{number}"
            units.append(Unit(id, len(text), len(text) + len(paragraph["context"])))
            text += paragraph["context"] + "\n\n"
            for each in paragraph["qas"]:
                answers = tuple(dict.fromkeys(answer["text"] for answer in each["answers"]))
                gold = frozenset() if each["is_impossible"] else frozenset({id})
                questions.append(Question(each["question"], gold, None, answers if gold else ()))
        title = article["title"].replace("_", " ")
        documents.append(SetDocument(Document(text, (Span(0, len(text)),), "en", title), tuple(units)))
    return QuestionSet(folder.name, "en", tuple(documents), tuple(questions))


def _finreg_held_out(whole: QuestionSet) -> QuestionSet:
    """Without the article that a two-step question leads to, it has no answer; one-step questions keep theirs.

    The set's own answers say otherwise of half of them: ``Question.added`` is below a quarter where the first article
    states the answer and the second only what a word of it means."""
    kept = {id for each in whole.questions if not each.multi for id in each.gold}
    first = {id for each in whole.questions if each.multi for id in _gold_order(each)[:1]}
    gone = {id for each in whole.questions if each.multi for id in _gold_order(each)[1:]} - kept - first
    documents = []
    for each in whole.documents:
        articles = [(unit.id, each.document.text[unit.start : unit.end]) for unit in each.units if unit.id not in gone]
        if articles:
            documents.append(_law(each.document.title, articles))
    questions = []
    for question in whole.questions:
        if not question.multi:
            questions.append(question)
        elif question.gold & gone:
            questions.append(Question(question.text, frozenset(), True, added=question.added))
    return QuestionSet(f"{whole.name}/held-out", "ko", tuple(documents), tuple(questions))


def _gold_order(question: Question) -> list[str]:
    """Gold articles as the set lists them: the one that cites, then the one that is cited."""
    return _ORDER[question.text]


_ORDER: dict[str, list[str]] = {}
