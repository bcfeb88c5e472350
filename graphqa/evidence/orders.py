"""Sentences of a document that give orders to the model that reads it, instead of telling the reader something.

A small model follows some of them whatever its rules say, and what it then answers is a quotation: no check against the
passages finds a fault. So they are not shown to it; the reader sees the page as it is. A sentence that only could be
one ("Always answer within three rings") stays where nothing around it is meant for a model.
"""

from __future__ import annotations

import re

from graphqa.language.sentences import statements

_TO_A_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}"
    r"\b(?:instructions?|prompts?|system rules?|rules above|guidelines)\b"
    r"|\b(?:system prompt|jailbreak|developer mode)\b"
    r"|\byou are (?:now|no longer) (?:an? |the |(?-i:[A-Z]))"
    r"|\bfrom now on,? (?:you|always|only|never|answer|reply|respond)\b"
    r"|^\W*(?:(?-i:SYSTEM|ASSISTANT|DEVELOPER)|system (?:message|note|override))\s*[:：>\]]"
    r"|^\W*system\s*[:：]\s*(?:new|you|ignore|reply|answer|respond|always|only)\b|</?\s*(?:passages?|instructions?|system)\b"
    r"|\b(?:reply|respond|answer)\b.{0,12}\b(?:only|just|exactly) (?:with|in|as)\b"
    r"|\b(?:answer|reply|respond|output)\b.{0,12}\b(?:as|in) (?:json|xml|yaml|html|markdown|base64)\b"
    r"|\b(?:to|in|of|into) (?:each|every|all|your) (?:answer|reply|response|output)s?\b"
    r"|(?:모든|매번?|네|당신의) (?:답변?|대답|응답)(?:은|을|에|의)"
    r"|(?:이전|위|앞|지금까지|기존)의?.{0,12}(?:지시|명령|규칙|프롬프트).{0,12}(?:무시|잊|따르지)"
    r"|(?:당신|너)(?:은|는)\s*이제(?:부터)?\b|시스템 (?:메시지|프롬프트|지시)",
    re.IGNORECASE,
)
_COULD_BE = re.compile(
    r"\b(?:answer|reply|respond|output|print|say|write|repeat|start|begin|end)\b.{0,60}"
    r"\b(?:every|each|all|any|always|only|just|exactly|question|answer|reply|response|json|xml|word)s?\b"
    r"|\b(?:always|only|never)\b.{0,20}\b(?:answer|reply|respond|output|print|say|write|cite|mention)\b"
    r"|\bdo not\b.{0,20}\b(?:answer|cite|mention|reveal|refuse)\b|\bact as\b|\bpretend\b"
    r"|(?:답|대답|응답|출력|말|작성|인용|언급|시작)(?:하|만 하)?(?:라|세요|시오|십시오|여라|해라|지 마\S*)",
    re.IGNORECASE,
)


def without_orders(text: str) -> str:
    """The text with such sentences blanked: every other letter keeps its place."""
    spans = statements(text)
    told = [span for span in spans if _TO_A_MODEL.search(text[slice(*span)])]
    if not told:
        return text
    for start, end in (span for span in spans if span in told or _COULD_BE.search(text[slice(*span)])):
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text
