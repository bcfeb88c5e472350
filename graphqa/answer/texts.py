"""The house form of an answer: plain sentences, whatever form a document or a model likes better."""

from __future__ import annotations

import json
import re

from graphqa.prompts import NOT_FOUND

_FENCE = re.compile(r"```[a-zA-Z]*\n?|```")
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
# An address, not what law books write in brackets: "[시행](2020.1.1.)".
_LINK = re.compile(
    r"""\[(?P<text>(?:[^\[\]]|\[\d+\])+)\]
    \((?=[a-z]+:|/|\#|[^\s()]*\.[a-z])(?:[^\s()]|\([^\s()]*\))+(?:\s+"[^"]*")?\)""",
    re.IGNORECASE | re.VERBOSE,
)
_CITED = re.compile(r"\d+(?:\s*,\s*\d+)*")
_AUTOLINK = re.compile(r"<((?:https?|ftp)://[^\s<>]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^>\n]{0,200}>")
# Written out, an address is words of the answer; without its scheme nothing makes a link of it.
_SCHEME = re.compile(r"\b(?:https?|ftp)://", re.IGNORECASE)
_CODE = re.compile(r"\b(?:javascript:|data:[a-z]+/)\S+", re.IGNORECASE)
_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_CITES = re.compile(r"\[\d+\]")
_GOES_ON = re.compile(r"[.!?]\s+|,?\s+(?:but|however|지만)\b")
_ANSWER_KEYS = ("answer", "response", "text", "content", "result", "output", "답", "답변")
_REFUSALS = re.compile(
    r"^\W*(?:(?:answer|conclusion|결론|답변?)\s*[:：]\s*)?"
    r"(?:not in the (?:documents|passages|provided)|문서에 없(?:음|습니다)"
    r"|(?:the |these |provided )*(?:passages?|documents?|context|text)\b[^.]{0,40}\b(?:do(?:es)? not|don't|doesn't)\b"
    r"[^.]{0,60}\b(?:contain|mention|provide|specify|say|state|hold|include|give)"
    r"|there is no (?:information|mention)"
    r"|(?:발췌문|문서)[^.]{0,40}(?:나와 있지 않|언급되지 않|포함되어 있지 않|없습니다|없음|찾을 수 없))",
    re.IGNORECASE,
)


def house_form(reply: str) -> str:
    """Plain text: no thoughts, fences, markup, images or links; the answer inside a JSON reply, if there is one."""
    text = _FENCE.sub("", _THOUGHTS.sub("", reply)).strip()
    text = _out_of_json(text)
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(_text_of_link, text)
    text = _TAG.sub("", _AUTOLINK.sub(r"\1", text))
    text = _SCHEME.sub("", _CODE.sub("", text))
    text = re.sub(r"(?m)^\s*#{1,6}\s+|\*\*|__", "", text)
    return re.sub(r"[ \t]+", " ", text).strip()


def _text_of_link(found: re.Match[str]) -> str:
    """Its text; a number that cites stays one."""
    text = found["text"]
    return f"[{text}]" if _CITED.fullmatch(text) else text


def _out_of_json(text: str) -> str:
    if not text.startswith(("{", "[{")):
        return text
    try:
        data = json.loads(text)
    except ValueError:
        return text
    if isinstance(data, list):
        data = data[0] if data else {}
    for key in _ANSWER_KEYS:
        if isinstance(data, dict) and isinstance(data.get(key), str):
            return str(data[key])
    return ""


def says_not_found(reply: str) -> bool:
    """True if the model says that the passages do not hold the answer, and goes on to no sentence that cites one."""
    text = house_form(reply)
    if not text or any(text.lstrip("\"'([ ").startswith(mark) for mark in NOT_FOUND.values()):
        return True
    if refusal := _REFUSALS.search(text):
        rest = _GOES_ON.split(text[refusal.end() :], maxsplit=1)
        return len(rest) == 1 or not _CITES.search(rest[1])
    return not _CITES.search(text) and any(mark in text for mark in NOT_FOUND.values())
