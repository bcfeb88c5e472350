"""What the model is asked. The first turns are the same for every passage of a language, so that their state is
computed once; hints come next, the passage last.

The example is in the passage's own language: an example in another one makes a small model answer in that.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from brain.values import Turn

PROMPT_VERSION = "1"


@dataclass(frozen=True, slots=True)
class Wording:
    rules: str
    example: str
    example_reply: str
    passage: str
    section: str
    types: str
    relations: str
    entity_types: tuple[str, ...]


def _reply(entities: list[list[str]], relations: list[list[str]]) -> str:
    return json.dumps({"entities": entities, "relations": relations}, ensure_ascii=False, separators=(",", ":"))


ENGLISH = Wording(
    rules=(
        "You read one passage and write down the facts it states, as JSON.\n"
        '"entities": people, organisations, places, products and terms it is about, each as [name, type].\n'
        '"relations": facts that the passage states about two of them, each as [subject, relation, object].\n'
        "Copy every name from the passage letter by letter. Few sure facts are better than many. "
        "No pronouns, no guesses, nothing twice. Nothing to say: empty lists."
    ),
    example=(
        "Hanbit Pump, a maker of water pumps in Daejeon, was founded by Mira Cho in 1998. "
        "Its HP-20 pump needs a pressure valve. It was well received."
    ),
    example_reply=_reply(
        [
            ["Hanbit Pump", "organization"],
            ["Daejeon", "place"],
            ["Mira Cho", "person"],
            ["HP-20", "product"],
            ["pressure valve", "product"],
        ],
        [
            ["Hanbit Pump", "located in", "Daejeon"],
            ["Hanbit Pump", "founded by", "Mira Cho"],
            ["HP-20", "made by", "Hanbit Pump"],
            ["HP-20", "needs", "pressure valve"],
        ],
    ),
    passage="Passage:",
    section="Section:",
    types="Types:",
    relations="Use only these relations:",
    entity_types=("person", "organization", "place", "product", "event", "work", "law", "date", "concept"),
)

KOREAN = Wording(
    rules=(
        "글 한 단락을 읽고 그 안에 적힌 사실을 JSON으로 적는다.\n"
        '"entities": 글이 다루는 사람, 기관, 장소, 제품, 용어. 하나마다 [이름, 유형].\n'
        '"relations": 글이 그 가운데 둘 사이에 대해 말한 사실. 하나마다 [주어, 관계, 목적어].\n'
        "이름은 글에 적힌 그대로, 조사 없이 옮긴다. 확실한 것만 적게 적는다. "
        "대명사, 추측, 반복은 적지 않는다. 없으면 빈 목록."
    ),
    example=(
        "대전에 있는 물 펌프 회사 한빛펌프는 1998년 조미라가 세웠다. "
        "이 회사의 HP-20 펌프에는 압력 밸브가 필요하다. 평이 좋았다."
    ),
    example_reply=_reply(
        [["한빛펌프", "기관"], ["대전", "장소"], ["조미라", "사람"], ["HP-20", "제품"], ["압력 밸브", "제품"]],
        [
            ["한빛펌프", "위치", "대전"],
            ["한빛펌프", "설립자", "조미라"],
            ["HP-20", "제조사", "한빛펌프"],
            ["HP-20", "필요", "압력 밸브"],
        ],
    ),
    passage="글:",
    section="절:",
    types="유형:",
    relations="관계는 다음 중에서만 고른다:",
    entity_types=("사람", "기관", "장소", "제품", "사건", "작품", "법률", "날짜", "개념"),
)


def wording(language: str) -> Wording:
    return KOREAN if language == "ko" else ENGLISH


def turns(
    passage: str,
    *,
    language: str,
    heading: tuple[str, ...] = (),
    entity_types: Sequence[str] = (),
    relation_names: Sequence[str] = (),
) -> tuple[Turn, ...]:
    said = wording(language)
    asked = []
    if entity_types:
        asked.append(f"{said.types} {', '.join(entity_types)}")
    if relation_names:
        asked.append(f"{said.relations} {', '.join(relation_names)}")
    if heading:
        asked.append(f"{said.section} {' > '.join(heading)[:200]}")
    asked.append(f"{said.passage}\n{passage.strip()}")
    return (
        Turn("system", said.rules),
        Turn("user", f"{said.passage}\n{said.example}"),
        Turn("assistant", said.example_reply),
        Turn("user", "\n".join(asked)),
    )
