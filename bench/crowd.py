"""A large brain, made up: invented names and words as passages and facts, a few of them hubs, the same each time."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from brain.models import Brain, Chunk
    from brain.ports import Embedder
    from brain.values import Vector, VectorPoint

PHRASINGS = 4
_PER_SOURCE = 20
_QUESTIONS = 200
_AT_ONCE = 5000


class Made:
    """The brain, made if it is not there: the same names and questions each time."""

    def __init__(self, entities: int, chunks: int) -> None:
        from brain.models import Brain

        self._random = random.Random(11)
        self.names = _names(self._random, entities)
        self._words = [_word(self._random) for _ in range(20_000)]
        self.questions = [self._question() for _ in range(_QUESTIONS)]
        self._asking = {name: question for question in self.questions for name in self.names_in(question)}
        found = Brain.objects.filter(name="latency").first()
        self.brain: Brain = found or Brain.objects.create(name="latency")
        if found is None:
            self._fill(chunks)

    def key(self, name: str) -> str:
        from brain.identity import entity_key

        return entity_key(name, "person")

    def names_in(self, question: str) -> list[str]:
        return [" ".join(question.rstrip("?").split()[at : at + 2]) for at in (3, 6)]

    def _question(self) -> str:
        one, two = (self.names[place] for place in _zipf(self._random, len(self.names), 2))
        return f"Who worked with {one} and {two}?"

    def _fill(self, chunks: int) -> None:
        from brain import reconcile

        passages: list[Chunk] = []
        for number in range(chunks // _PER_SOURCE):
            passages.extend(self._source(number))
            if number % 100 == 0:
                print(f"{len(passages)} passages", file=sys.stderr, flush=True)
        self._facts(passages)
        # As a running server's watch does within a minute of so many changes.
        reconcile.deleted_points()

    def _source(self, number: int) -> list[Chunk]:
        from django.db import transaction

        from brain.ledger import indexes
        from brain.ledger.points import chunk_points
        from brain.models import Chunk, Source, SourceStage, SourceState
        from brain.text import digest
        from brain.values import Document, Span
        from ingestion import reading

        text = "\n\n".join(self._passage() for _ in range(_PER_SOURCE))
        document = Document(text, (Span(0, len(text)),), "en", f"{self.names[number]} {number}")
        source = Source.objects.create(
            brain=self.brain,
            title=document.title,
            media_type="text/plain",
            sha256=digest(text),
            size=len(text),
            state=SourceState.DONE,
            stage=SourceStage.FINISHED,
        )
        read = reading.prepare(document)
        with transaction.atomic():
            reading.replace_rows(source, read)
        chunks = list(Chunk.objects.filter(source=source).select_related("source"))
        indexes.active().upsert(chunk_points(chunks, Near(indexes.active_embedder(), self.questions, number)))
        return chunks

    def _passage(self) -> str:
        """About 790 characters: one piece for the splitter."""
        named = [self.names[place] for place in _zipf(self._random, len(self.names), 12)]
        words = self._random.choices(self._words, k=84)
        for name in named:
            words.insert(self._random.randrange(len(words)), name)
        return " ".join(words)[:780] + "."

    def _facts(self, passages: Sequence[Chunk]) -> None:
        from brain.identity import fold_name, relation_key
        from brain.models import Entity, Mention, Relation, RelationMention

        entities = [
            Entity(brain=self.brain, key=self.key(name), name=name, folded=fold_name(name), type="person")
            for name in self.names
        ]
        entities = Entity.objects.bulk_create(entities, batch_size=_AT_ONCE)
        places = {place: {self._random.randrange(len(passages))} for place in range(len(entities))}
        for place in _zipf(self._random, len(entities), 3 * len(entities)):
            places[place].add(self._random.randrange(len(passages)))
        Mention.objects.bulk_create(
            (
                Mention(
                    entity=entities[place],
                    chunk=passages[at],
                    source_id=passages[at].source_id,
                    own_key=entities[place].key,
                    name=entities[place].name,
                    type="person",
                    description="who did something worth a line",
                )
                for place, held in places.items()
                for at in sorted(held)
            ),
            batch_size=_AT_ONCE,
        )
        ends = dict.fromkeys(
            (one, two)
            for one, two in zip(
                self._random.sample(range(len(entities)), len(entities)),
                _zipf(self._random, len(entities), len(entities)),
                strict=True,
            )
            if one != two
        )
        made = [
            Relation(
                brain=self.brain,
                key=relation_key(entities[one].key, "knows", entities[two].key),
                subject=entities[one],
                predicate="knows",
                object=entities[two],
            )
            for one, two in ends
        ]
        relations = Relation.objects.bulk_create(made, batch_size=_AT_ONCE)
        said = [(each, passages[min(places[one])]) for each, (one, _two) in zip(relations, ends, strict=True)]
        RelationMention.objects.bulk_create(
            (
                RelationMention(
                    relation=each,
                    chunk=chunk,
                    source_id=chunk.source_id,
                    subject_key=each.subject.key,
                    object_key=each.object.key,
                    predicate="knows",
                )
                for each, chunk in said
            ),
            batch_size=_AT_ONCE,
        )
        self._points(entities, [passages[min(places[place])] for place in range(len(entities))], "entity", PHRASINGS)
        self._points([each for each, _chunk in said], [chunk for _each, chunk in said], "relation", 1)

    def _points(self, items: Sequence[Any], chunks: Sequence[Chunk], kind: str, each: int) -> None:
        from brain.ledger import indexes

        near = Near(indexes.active_embedder(), self.questions, len(kind))
        for first in range(0, len(items), _AT_ONCE):
            some = range(first, min(first + _AT_ONCE, len(items)))
            vectors = near.embed_passages([""] * (len(some) * each))
            for place in some:
                if kind == "entity" and (question := self._asking.get(self.names[place])):
                    at = (place - first) * each
                    vectors[at : at + each] = near.close_to(question, each)
            points = _kind_points(self.brain, kind, [(items[place], chunks[place]) for place in some], each, vectors)
            indexes.active().upsert(list(points))
            print(f"{first + len(some)} {kind} points of {each}", file=sys.stderr, flush=True)


def _kind_points(
    brain: Brain, kind: str, items: Sequence[tuple[Any, Chunk]], each: int, vectors: Vector
) -> Iterator[VectorPoint]:
    from brain.ledger.points import point_id
    from brain.values import PointKind, VectorPoint

    for place, (item, chunk) in enumerate(items):
        for number in range(each):
            id = point_id(kind, brain.pk, chunk.source_id, item.key, number)
            yield VectorPoint(
                id=id,
                brain=str(brain.pk),
                source=str(chunk.source_id),
                kind=PointKind(kind),
                ref=item.key,
                digest=id[:32],
                dense=vectors[place * each + number],
            )


class Near:
    """An embedder whose passages lie about the middle of the questions: cosines of 0.75 to 0.9, as e5 gives."""

    def __init__(self, embedder: Embedder, questions: Sequence[str], seed: int) -> None:
        self._embedder = embedder
        self.model_id, self.dimension = embedder.model_id, embedder.dimension
        middle = np.mean([_embedded(embedder, question) for question in questions[:32]], axis=0)
        self._middle = middle / np.linalg.norm(middle)
        self._random = np.random.default_rng(seed)

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        noise = self._random.standard_normal((len(texts), self.dimension)) / self.dimension**0.5
        rows = self._middle + self._random.uniform(0.4, 0.8, (len(texts), 1)) * noise
        return _unit(rows)

    def close_to(self, question: str, count: int) -> Vector:
        """Cosines of about 0.95: what a question names is found first, hubs too."""
        noise = self._random.standard_normal((count, self.dimension)) / self.dimension**0.5
        return _unit(_embedded(self._embedder, question) + 0.3 * noise)

    def embed_query(self, text: str) -> Vector:
        raise NotImplementedError


def _unit(rows: Any) -> Vector:
    unit: Vector = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


_questions_embedded: dict[str, Any] = {}


def _embedded(embedder: Embedder, question: str) -> Any:
    if question not in _questions_embedded:
        _questions_embedded[question] = embedder.embed_query(question)
    return _questions_embedded[question]


def _names(rng: random.Random, count: int) -> list[str]:
    firsts, lasts = ([_word(rng).capitalize() for _ in range(2 * int(count**0.5) + 8)] for _ in range(2))
    found: dict[str, None] = {}
    while len(found) < count:
        found[f"{rng.choice(firsts)} {rng.choice(lasts)}"] = None
    return list(found)


def _word(rng: random.Random) -> str:
    return "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(rng.randint(2, 4)))


def _zipf(rng: random.Random, count: int, picks: int) -> list[int]:
    """Places, small ones often: of 100,000, the most frequent comes in each hundredth pick."""
    return [min(int(count ** rng.uniform(0.2, 1.0)), count - 1) for _ in range(picks)]
