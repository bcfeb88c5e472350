"""The numbers of retrieval, one set per language, and where each comes from (``python -m bench.retrieval``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from graphqa.retrieval.walk import Edge

LEXICAL = "words"
BIGRAMS = "letters"
DENSE = "meaning"
ENTITIES = "entities"
RELATIONS = "relations"
WALK = "walk"
# Not a list: passages over the whole of a document.
SPREAD = "spread"


@dataclass(frozen=True)
class Tuning:
    """``legs``: weight of each list in the fusion. ``seed_passages`` of the fused list start the walk, ``term_share``
    of the mass starts at the terms the question names. ``in_front`` first hits stay where the fused list has them:
    without that, questions that need one passage lose a point. ``blend`` is the weight of the fused list beside the
    walk's in the final order."""

    legs: Mapping[str, float]
    edges: Mapping[Edge, float]
    seed_passages: int
    term_share: float
    damping: float
    in_front: int
    blend: float = 0.0
    rrf_k: int = 60
    per_list: int = 100


# A passage that cites another says where its answer goes on; neighbours say little more than that they are near.
_STRUCTURE = {Edge.NEXT: 0.1, Edge.SECTION: 0.1, Edge.CITES: 30.0, Edge.CITED: 0.3}
_EXTRACTED = {Edge.MENTION: 2.0, Edge.MENTIONED: 2.0, Edge.RELATES: 2.0}

ENGLISH = Tuning(
    legs=MappingProxyType({LEXICAL: 0.3, DENSE: 1.0, ENTITIES: 0.3, RELATIONS: 0.2}),
    edges=MappingProxyType({Edge.OWNER: 20.0, Edge.LINK: 10.0, **_STRUCTURE, **_EXTRACTED}),
    seed_passages=3,
    term_share=0.3,
    damping=0.6,
    in_front=2,
    blend=0.1,
)
KOREAN = Tuning(
    legs=MappingProxyType({LEXICAL: 1.0, BIGRAMS: 1.0, DENSE: 0.5, ENTITIES: 0.3, RELATIONS: 0.2}),
    edges=MappingProxyType({Edge.OWNER: 2.0, Edge.LINK: 2.0, **_STRUCTURE, **_EXTRACTED}),
    seed_passages=3,
    term_share=0.0,
    damping=0.5,
    in_front=3,
)
# The words of a question find nothing in documents of the other language.
CROSS_LANGUAGE = Tuning(
    legs=MappingProxyType({LEXICAL: 0.2, DENSE: 1.0, ENTITIES: 0.5, RELATIONS: 0.2}),
    edges=ENGLISH.edges,
    seed_passages=3,
    term_share=0.0,
    damping=0.5,
    in_front=3,
)
MODES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "naive": frozenset({LEXICAL, BIGRAMS, DENSE}),
        "local": frozenset({ENTITIES, WALK}),
        "global": frozenset({RELATIONS, WALK}),
        "hybrid": frozenset({ENTITIES, RELATIONS, WALK}),
        "mix": frozenset({LEXICAL, BIGRAMS, DENSE, ENTITIES, RELATIONS, WALK}),
    }
)


@dataclass(frozen=True)
class Languages:
    """Which share of a brain's passages is in which language."""

    share: Mapping[str, float] = field(default_factory=dict)

    def tuning(self, language: str) -> Tuning:
        if self.share and self.share.get(language, 0.0) < 0.02:
            return CROSS_LANGUAGE
        return KOREAN if language == "ko" else ENGLISH
