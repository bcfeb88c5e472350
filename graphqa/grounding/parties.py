"""Who a document calls what: 'Brightwell Ltd (the "Contractor")', "Landlord: Oduya Estates", '한빛전자(이하 "갑")',
"임차인 김도윤". A contract names its parties once; an answer names them where the contract has the role.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial

from graphqa.language.values import korean_names

_QUOTES = "\"“”'‘’「」『』"
_BRACKETED = re.compile(
    rf"\(\s*(?:(?:hereinafter|hereafter|referred to as|called)[,\s]*)*(?:the\s+)?[{_QUOTES}]"
    rf"([A-Z][\w ]{{1,30}}?)[,.]?[{_QUOTES}]\s*\)|\(the ([A-Z][a-z]+)\)"
)
_NAME_BEFORE = re.compile(r"((?:[A-Z][\w&.'’-]*)(?:\s+(?:of\s+|and\s+|&\s+)?[A-Z][\w&.'’-]*)*),?\s*$")
_KOREAN_BRACKETED = re.compile(
    r"((?:주식회사 |㈜\s?)?[가-힣A-Za-z0-9]+(?: 주식회사|㈜)?)\s?"
    rf"\(이하\s?[{_QUOTES}]?\s?([가-힣]{{1,8}}?)\s?[{_QUOTES}]?\s?"
    r"(?:이?라\s?(?:고\s)?(?:한다|함|칭한다|칭함)|으?로 칭?한다)?\)"
)
_LABELLED = re.compile(
    r"(?:^|[.;|]\s*|\n\s*)(Landlord|Lessor|Tenant|Lessee|Buyer|Purchaser|Seller|Vendor|Supplier|Client|Customer|"
    r"Contractor|Employer|Employee|Lender|Borrower|Licensor|Licensee)\s*:\s*"
    r"([A-Z][\w&'’-]*(?:\s+(?:of\s+|and\s+|&\s+)?[A-Z][\w&'’-]*)*)"
)
_KOREAN_LABELLED = re.compile(
    r"(?<![가-힣])"
    r"(임대인|임차인|매도인|매수인|발주자|수급인|도급인|위탁자|수탁자|고용주|근로자|채권자|채무자|의뢰인|원고|피고)"
    r"\s?[:：]?\s([가-힣]{2,4}?)(?=(?:과|와|은|는|이|가|을|를|의|에게)?(?:[\s,.)(]|$))"
)
_PARTICLES = "은|는|이|가|을|를|의|에게|에게서|과|와|도|만|으로|로"
# How far behind a name its role may stand and be said of it already: "박정숙(이하 갑)".
_BESIDE = 8


def parties(texts: Iterable[str]) -> dict[str, str]:
    """The name of each role or short name that one document gives, as it writes them."""
    found: dict[str, str] = {}
    for text in texts:
        for match in _BRACKETED.finditer(text):
            if name := _NAME_BEFORE.search(text[max(0, match.start() - 80) : match.start()]):
                found.setdefault(match[1] or match[2], name[1])
        for match in _LABELLED.finditer(text):
            found.setdefault(match[1], match[2])
        for match in _KOREAN_BRACKETED.finditer(text):
            found.setdefault(match[2], match[1])
        for match in _KOREAN_LABELLED.finditer(text):
            if match[2] in korean_names(match[0]):
                found.setdefault(match[1], match[2])
    return found


def with_parties_named(text: str, called: Mapping[str, str]) -> str:
    """ "the Contractor" as "Brightwell Ltd Contractor", "갑은" as "한빛전자 갑은", but not beside the name."""
    for role, name in called.items():
        text = _pattern(role).sub(partial(_named, name=name), text)
    return text


def _pattern(role: str) -> re.Pattern[str]:
    if role.isascii():
        return re.compile(rf"\b(?:[Tt]he )?({re.escape(role)})\b(?!\s*[:\"”’'])")
    return re.compile(rf"(?<![가-힣\"“‘'「])({role})(?=(?:{_PARTICLES})?(?:[\s,.)]|$))")


def _named(found: re.Match[str], *, name: str) -> str:
    near = found.string[max(0, found.start() - len(name) - _BESIDE) : found.end() + len(name) + _BESIDE]
    return found[0] if name in near else f"{name} {found[1]}"
