"""How good and how fast extraction is with the language model of this installation.

    python -m bench.extraction kg_text2kgbench_wikidata [--limit 50]    triples against gold ones
    python -m bench.extraction ko_wiki_tech [--limit 20]                speed and valid replies on real passages

Scores: lower case, blanks and underscores removed, mean over sentences that have gold triples. ``pair_f1`` is from a
run of its own without hints and compares subject-object pairs. Weights are those of BRAIN_MODELS.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.homes import start_django, temporary_home
from bench.report import report
from bench.sets import DATA

if TYPE_CHECKING:
    from brain.ports import LLM
    from ingestion.extraction import Extracted

Triple = tuple[str, str, str]


@dataclass(slots=True)
class Tally:
    """What several passages came to."""

    characters: int = 0
    seconds: float = 0.0
    passages: int = 0
    valid: int = 0
    calls: int = 0
    tokens: int = 0
    prompt_tokens: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, passage: str, found: Extracted, seconds: float) -> None:
        self.characters += len(passage)
        self.seconds += seconds
        self.passages += 1
        self.valid += found.state in {"done", "empty"}
        self.calls += len(found.calls)
        for call in found.calls:
            self.tokens += call.completion_tokens
            self.prompt_tokens += call.prompt_tokens
            self.counts.update(call.counts)

    def fields(self) -> dict[str, Any]:
        names = self.counts["entities"] + self.counts["minimal_entities"]
        missing = self.counts["dropped_not_in_passage"]
        return {
            "chars_per_minute": round(60 * self.characters / self.seconds) if self.seconds else None,
            "valid_share": round(self.valid / self.passages, 4) if self.passages else None,
            "names_not_in_text_share": round(missing / (names + missing), 4) if names + missing else 0.0,
            "calls": self.calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.tokens,
            "counts": dict(sorted(self.counts.items())),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", help="a folder under the data, or a path")
    parser.add_argument("--limit", type=int, default=50)
    arguments = parser.parse_args()
    started = time.monotonic()
    with temporary_home() as home:
        start_django(home)
        from brain import bootstrap

        folder = Path(arguments.dir) if Path(arguments.dir).is_dir() else DATA / arguments.dir
        llm = bootstrap.llm()
        llm.count_tokens("load the weights before the clock starts")
        measured = (
            sentences(folder, arguments.limit, llm)
            if (folder / "ontologies").is_dir()
            else articles(folder, arguments.limit, llm)
        )
        speed = getattr(llm, "speed", None)
        report(
            set=folder.name,
            model=llm.model_id,
            **measured,
            tokens_per_second=speed and speed.tokens_per_second,
            prompt_tokens_per_second=speed and speed.prompt_tokens_per_second,
            seconds=round(time.monotonic() - started, 1),
        )
        bootstrap.close_all()


def sentences(folder: Path, limit: int, llm: LLM) -> dict[str, Any]:
    tally, bare = Tally(), Tally()
    scores: list[tuple[float, float, float]] = []
    pairs: list[tuple[float, float, float]] = []
    for sentence, gold, relations in itertools.islice(_gold(folder), limit):
        found = _extract(sentence, llm, tally, relations)
        said = {(one.subject, one.predicate, one.object) for one in found.relations}
        scores.append(score({_folded(one) for one in said}, {_folded(one) for one in gold}))
        found = _extract(sentence, llm, bare, ())
        ends = {_folded((one.subject, "", one.object)) for one in found.relations}
        pairs.append(score(ends, {_folded((one[0], "", one[2])) for one in gold}))
        print(f"{len(scores)} {scores[-1]} {pairs[-1]}", file=sys.stderr)
    precision, recall, f1 = (round(sum(part) / len(scores), 4) for part in zip(*scores, strict=True))
    return {
        "n": len(scores),
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "pair_f1": round(sum(one[2] for one in pairs) / len(pairs), 4),
        **tally.fields(),
    }


def articles(folder: Path, limit: int, llm: LLM) -> dict[str, Any]:
    """The first ``limit`` passages of the articles, cut as the product cuts them."""
    from brain.language import detect_language
    from brain.text import clean_text
    from brain.values import Document
    from ingestion.splitter import split

    tally = Tally()
    texts = (
        clean_text(f"{article['title']}\n\n{article['content']}")
        for path in sorted(folder.glob("*.json"))
        for article in json.loads(path.read_text(encoding="utf-8"))
    )
    split_texts = (passage for text in texts for passage in split(Document(text, (), detect_language(text))))
    passages = list(itertools.islice(split_texts, limit))
    # The prompt's beginning is computed once for all passages of a language: not the first one's time.
    _extract(passages[0].text[:80], llm, Tally(), (), language=passages[0].language)
    for passage in passages:
        _extract(passage.text, llm, tally, (), language=passage.language, heading=passage.heading)
        print(f"{tally.passages} {tally.fields()}", file=sys.stderr)
    unscored = dict.fromkeys(("precision", "recall", "f1", "pair_f1"))
    return {"n": tally.passages, **unscored, **tally.fields(), "notes": "this set has no gold triples"}


def score(said: set[Triple], gold: set[Triple]) -> tuple[float, float, float]:
    """Precision, recall, F1; nothing said scores 0."""
    right = len(said & gold)
    precision = right / len(said) if said else 0.0
    recall = right / len(gold)
    return precision, recall, 2 * right / (len(said) + len(gold)) if right else 0.0


def _extract(
    text: str,
    llm: LLM,
    tally: Tally,
    relations: tuple[str, ...],
    *,
    language: str = "en",
    heading: tuple[str, ...] = (),
) -> Extracted:
    from ingestion.extraction import extract

    started = time.monotonic()
    found = extract(text, language=language, heading=heading, llm=llm, relation_names=relations)
    tally.add(text, found, time.monotonic() - started)
    return found


def _gold(folder: Path) -> Iterator[tuple[str, list[Triple], tuple[str, ...]]]:
    """Sentences with gold triples, one from each ontology in turn."""
    from brain.text import clean_text

    columns = []
    for path in sorted((folder / "ontologies").glob("*_ontology.json")):
        ontology = json.loads(path.read_text(encoding="utf-8"))
        relations = tuple(relation["label"] for relation in ontology["relations"])
        truth = folder / "ground_truth" / f"ont_{path.name.removesuffix('_ontology.json')}_ground_truth.jsonl"
        rows = [json.loads(line) for line in truth.read_text(encoding="utf-8").splitlines()]
        columns.append(
            [
                (clean_text(row["sent"]), [(one["sub"], one["rel"], one["obj"]) for one in row["triples"]], relations)
                for row in rows
                if row["triples"]
            ]
        )
    for together in itertools.zip_longest(*columns):
        yield from (one for one in together if one is not None)


def _folded(triple: Triple) -> Triple:
    subject, predicate, obj = ("".join(part.lower().replace("_", " ").split()) for part in triple)
    return subject, predicate, obj


if __name__ == "__main__":
    main()
