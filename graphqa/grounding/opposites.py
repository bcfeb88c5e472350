"""Whether a sentence says the opposite of what the passages say in words that are the same otherwise: "rose" for
"fell", "before" for "after", the landlord's for the tenant's.

Clause by clause, as for negations: it is at fault if a clause of a passage that shares nearly all its other words has
only the opposite word, and none that shares as many has the same word, or denies the opposite.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphqa.grounding.clauses import Clause, clauses
from graphqa.grounding.passages import Passage
from graphqa.language.wording import content

# One side, the other; words are stemmed as any others. Only words that are opposites wherever they stand: "right" and
# "light" are not, nor "buy" and "sell": who buys from one is sold to by him.
_TABLE = """
rise rose risen rising increase grow grew climb | fall fell fallen decrease decline drop shrink shrank
rise rose risen rising increase raise | reduce lower cut
before | after
more above over exceed | less fewer below under
higher larger bigger longer older | lower smaller shorter younger
begin began begun start commence | end finish expire terminate
include | exclude
accept approve adopt pass | reject refuse deny decline
early earlier | late later
first | last
import | export
arrive arrival | depart departure leave left
hire appoint employ recruit | dismiss fire resign
mandatory compulsory obligatory required | optional voluntary
temporary | permanent
landlord lessor | tenant lessee
buyer purchaser | seller vendor
employer | employee
plaintiff claimant | defendant
lender creditor | borrower debtor
morning | evening afternoon
north northern | south southern
east eastern | west western
internal | external
maximum highest most | minimum lowest least
increase gain profit | loss
born birth | died death
증가 늘 늘어나 증대 | 감소 줄 줄어들 축소
오르 상승 인상 올리 | 내리 하락 인하 떨어지
시작 개시 착수 | 종료 끝나 끝 마치 만료
포함 | 제외
승인 가결 의결 채택 통과 수락 | 거부 부결 기각 반려 거절
찬성 | 반대
참석 출석 | 불참 결석
입사 취임 채용 임명 선임 | 퇴사 퇴임 사임 해고 해임
가입 | 탈퇴
매수인 | 매도인
임대인 | 임차인
채권자 | 채무자
원고 | 피고
고용주 사용자 | 근로자
수입 | 수출
유상 유료 | 무상 무료
의무 필수 | 선택 임의
출발 | 도착
최대 최고 | 최소 최저
오전 아침 | 오후 저녁
상반기 | 하반기
국내 | 국외 해외
흑자 이익 | 적자 손실
"""
_PAIRS = [tuple(content(side) for side in line.split(" | ")) for line in _TABLE.strip().splitlines()]
# The share of a clause's other words that a passage's clause must have, and the fewest of them.
_SHARED, _FEWEST = 0.75, 2


def opposed(said: str, passages: Sequence[Passage]) -> bool:
    words = content(said)
    pairs = [pair for pair in _both_ways() if pair[0] & words]
    return bool(pairs) and any(
        _otherwise(clause, *pair, passages)
        for clause in clauses(said)
        for pair in pairs
        if pair[0] & clause.said and not pair[1] & clause.said
    )


def are_opposite(said: Clause, told: Clause) -> bool:
    """Whether one says a word whose opposite the other says: "not accepted" is what "rejected" means."""
    return any(one & said.said and other & told.said for one, other in _both_ways())


def _both_ways() -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    for one, other in _PAIRS:
        yield one, other
        yield other, one


def _otherwise(said: Clause, one: frozenset[str], other: frozenset[str], passages: Sequence[Passage]) -> bool:
    rest = said.words - one - other
    same = against = 0
    if len(rest) < _FEWEST:
        return False
    for told in _near(rest, passages):
        shared = len(rest & told.words)
        if told.said & one or (told.said & other and told.negates(said) != said.negated):
            same = max(same, shared)
        elif told.said & other and (
            shared >= _SHARED * len(rest) or (shared > _FEWEST and shared >= _SHARED * len(told.words - one - other))
        ):
            against = max(against, shared)
    return against > same


def _near(rest: frozenset[str], passages: Sequence[Passage]) -> Iterator[Clause]:
    for passage in passages:
        for statement in passage.statements:
            if len(rest & statement.words) >= _SHARED * len(rest) and not statement.text.endswith("?"):
                yield from passage.clauses(statement)
