"""All for some: "All six nurses left for other reasons" where four of the six did; "at any time" where a passage has
"after the third year".

A sentence that speaks of all, or of any time, is at fault if every statement that says the same speaks of no such thing
and sets a limit that the sentence leaves out. A passage that sets none may mean all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphqa.grounding.passages import Passage
from graphqa.language.wording import content

_ALL = re.compile(
    r"(?<!\bnot )(?<!\babove )(?<!\bafter )(?<!\bin )(?<!\bat )\ball\b(?! in all| at once)|\bevery(?:one|body|thing)?\b"
    r"|\balways\b|\bwhenever\b|\bregardless\b|\bentirely\b|\b(?:at|for|in|under) any\b"
    r"|모든|전부|누구나|언제나|언제든|항상|무조건|예외 없이|어떤 \S+든|모두(?!\s?\d)",
    re.IGNORECASE,
)
_LIMITS = [
    re.compile(words, re.IGNORECASE)
    for words in (
        r"\b(?:some|most|many|several|few|half|part|partly)\b|일부|대부분|절반",
        r"\b(?:only|solely|limited to)\b|에만|한하여|한해|한정|오직|(?<=[가-힣])만(?=\s)",
        r"\b(?:except|excluding|unless|other than|not apply)\b|제외|외에는|다만|아니하|않는|않습",
        r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten) of (?:them|whom|which|these|those|the)\b"
        r"|(?:가운데|중(?:에서)?) \d+",
        r"\b(?:if|when|where|in case|provided|whose)\b|경우|때에는|(?<=[가-힣])면\s",
        r"\b(?:after|before|until|once|within|from|since)\b|이후|이전|뒤에|까지|부터",
    )
]
# "every 6 hours", "all day": how often and how long, told by ``rates``.
_TIMES = re.compile(r"\bevery \d+|\b(?:every|all) (?:hour|day|week|month|quarter|year)s?\b", re.IGNORECASE)
_SAYING_ALL = content("all every everyone everybody everything always any whenever entirely time 모든 전부 모두 어떤")


def generalised(said: str, passages: Sequence[Passage]) -> bool:
    """Whether the passages say only of some, or under a condition, what ``said`` says of all."""
    if not _ALL.search(_TIMES.sub(" ", said)):
        return False
    words = content(said) - _SAYING_ALL
    told = [here.text for each in passages for here in each.statements if here.has_most_of(words)]
    return bool(told) and all(_limits(text, said) and not _ALL.search(text) for text in told)


def _limits(told: str, said: str) -> bool:
    return any(limit.search(told) and not limit.search(said) for limit in _LIMITS)
