"""Facts of the language model for a set's passages. The model is slow: its replies are kept, and asked for once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench import sets

if TYPE_CHECKING:
    from brain.models import Brain


def around(whole: sets.QuestionSet, count: int) -> sets.QuestionSet:
    """``count`` multi-hop questions, taken evenly, over their gold documents only: each distracts from the others."""
    multi = [question for question in whole.questions if question.multi]
    chosen = [multi[place * len(multi) // count] for place in range(count)]
    gold = frozenset[str]().union(*(question.gold for question in chosen))
    documents = tuple(each for each in whole.documents if any(unit.id in gold for unit in each.units))
    return sets.QuestionSet(f"{whole.name}/{count} questions", whole.language, documents, tuple(chosen))


def add_facts(brain: Brain, folder: Path, seconds: float) -> None:
    """Extract every passage as ingestion does. Ends the program when the model has had so many seconds: what it said
    is kept in the folder, and the next run goes on."""
    from bench.remembered import OutOfTime, remember
    from brain.ledger import facts, projection
    from brain.models import Chunk
    from ingestion.extraction import extract

    llm = remember(folder, seconds)
    chunks = list(Chunk.objects.filter(brain=brain).order_by("source_id", "ordinal"))
    # By text: sources have other ids in each run.
    for number, chunk in enumerate(sorted(chunks, key=lambda chunk: chunk.text), start=1):
        try:
            found = extract(chunk.text, language=chunk.language, heading=tuple(chunk.heading), llm=llm)
        except OutOfTime:
            raise SystemExit(f"{number - 1} of {len(chunks)} passages extracted; run it again to go on") from None
        facts.replace_chunk_facts(chunk, found.entities, found.relations, found.calls)
        Chunk.objects.filter(pk=chunk.pk).update(state=found.state)
        print(f"extracted {number} of {len(chunks)}", file=sys.stderr, flush=True)
    while projection.pending(brain.pk):
        projection.carry_out(brain.pk)


def keep_phrasings(brain: Brain, kept: int) -> None:
    """Take the further phrasings of every description out of the vectors."""
    from brain.ledger import indexes
    from brain.ledger.phrasings import MOST
    from brain.ledger.points import point_id
    from brain.models import Mention
    from brain.values import PointKind

    said = set(Mention.objects.filter(entity__brain=brain).values_list("source_id", "entity__key"))
    ids = [
        point_id(PointKind.ENTITY, brain.pk, source, key, number)
        for source, key in said
        for number in range(kept, MOST)
    ]
    indexes.active().remove(ids)
