"""The sentences and examples the model sees, in English and in Korean.

The examples are computed once and then reused, so that they cost nothing per passage. They show what a small model
does not do by itself: few rows, the passage's own names, most of the given relations left unused, and nothing at all
where nothing is said.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from brain import kinds

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Example:
    passage: str
    entities: Rows
    relations: Rows
    relation_names: tuple[str, ...] = ()

    @property
    def reply(self) -> str:
        return json.dumps(
            {"entities": self.entities, "relations": self.relations}, ensure_ascii=False, separators=(",", ":")
        )


@dataclass(frozen=True, slots=True)
class Wording:
    """``entity_types``: offered where the brain names none; the last one stands for anything else."""

    rules: str
    passage: str
    section: str
    types: str
    relations: str
    entity_types: tuple[str, ...]
    examples: tuple[Example, ...]


ENGLISH = Wording(
    rules=(
        "You read one passage and write down the facts it states, as JSON.\n"
        '"entities": people, organisations, places, products and terms it is about, each as [name, type].\n'
        '"relations": facts about two of them that the passage states, each as [A, relation, B]: '
        "the relation of A is B.\n"
        "Copy every name from the passage letter by letter. Few sure facts are better than many. "
        "No pronouns, no guesses, nothing twice. Nothing stated: empty lists."
    ),
    passage="Passage:",
    section="Section:",
    types="Types:",
    relations="Use only these relations, and only those that are stated:",
    entity_types=kinds.ENGLISH,
    examples=(
        Example(
            "Hanbit Pump, a maker of water pumps in Daejeon, was founded by Mira Cho in 1998. "
            "Its HP-20 pump needs a pressure valve. It was well received.",
            (
                ("Hanbit Pump", "organization"),
                ("Daejeon", "place"),
                ("Mira Cho", "person"),
                ("HP-20", "product"),
                ("pressure valve", "product"),
            ),
            (
                ("Hanbit Pump", "location", "Daejeon"),
                ("Hanbit Pump", "founder", "Mira Cho"),
                ("HP-20", "maker", "Hanbit Pump"),
                ("HP-20", "needs", "pressure valve"),
            ),
        ),
        Example(
            "The Glass Harbor is a 1987 novel by the Irish writer Tom Keane; like Low Tide, it sold well in France.",
            (("The Glass Harbor", "work"), ("Tom Keane", "person"), ("Low Tide", "work")),
            (("The Glass Harbor", "author", "Tom Keane"),),
            ("publisher", "author", "translator", "award received", "country of origin", "followed by", "main subject"),
        ),
        Example(
            "It was shown again in the spring, and the critics who came were kinder this time.",
            (),
            (),
            ("owner", "opened by", "part of", "capital"),
        ),
    ),
)

KOREAN = Wording(
    rules=(
        "글 한 단락을 읽고 그 안에 적힌 사실을 JSON으로 적는다.\n"
        '"entities": 글이 다루는 사람, 기관, 장소, 제품, 용어. 하나마다 [이름, 유형].\n'
        '"relations": 글이 그 가운데 둘에 대해 말한 사실. 하나마다 [A, 관계, B]: A의 관계는 B이다.\n'
        "이름은 글에 적힌 그대로, 조사 없이 옮긴다. 확실한 것만 적게 적는다. "
        "대명사, 추측, 반복은 적지 않는다. 적힌 사실이 없으면 빈 목록."
    ),
    passage="글:",
    section="절:",
    types="유형:",
    relations="관계는 다음 중에서, 글에 적힌 것만 쓴다:",
    entity_types=kinds.KOREAN,
    examples=(
        Example(
            "대전에 있는 물 펌프 회사 한빛펌프는 1998년 조미라가 세웠다. "
            "이 회사의 HP-20 펌프에는 압력 밸브가 필요하다. 평이 좋았다.",
            (
                ("한빛펌프", "기관"),
                ("대전", "장소"),
                ("조미라", "사람"),
                ("HP-20", "제품"),
                ("압력 밸브", "제품"),
            ),
            (
                ("한빛펌프", "위치", "대전"),
                ("한빛펌프", "설립자", "조미라"),
                ("HP-20", "제조사", "한빛펌프"),
                ("HP-20", "필요", "압력 밸브"),
            ),
        ),
        Example(
            "《유리 항구》는 아일랜드 작가 톰 킨이 1987년에 쓴 소설로, 《썰물》처럼 프랑스에서 잘 팔렸다.",
            (("유리 항구", "작품"), ("톰 킨", "사람"), ("썰물", "작품")),
            (("유리 항구", "저자", "톰 킨"),),
            ("출판사", "저자", "번역자", "수상", "원산국", "후속작", "주제"),
        ),
        Example("봄에 다시 열렸고, 이번에 온 사람들의 평은 조금 더 나았다.", (), (), ("소유자", "개막", "수도")),
    ),
)


def wording(language: str) -> Wording:
    """Korean for Korean; English for everything else."""
    return KOREAN if language == "ko" else ENGLISH
