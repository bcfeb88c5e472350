"""An answer told once more in the language of the person who asked, where the documents are in another.

What the documents say is checked in their own language and comes first. Of a translation only the numbers can be
checked: between Korean and English the cosine of one that says another thing (0.82 to 0.88) lies among those of good
ones (0.81 to 0.90).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from brain.errors import Cancelled
from brain.language import detect_language
from brain.ports import LLM
from brain.values import CompletionRequest
from graphqa import prompts
from graphqa.grounding.check import Grounded, marked
from graphqa.grounding.counting import in_numbers
from graphqa.language.figures import figures
from graphqa.language.values import in_other_script

_MOST_TOKENS = 200
# The 1.5B model leaves a Korean word for the letters of the English one: "프로ces터".
_BROKEN = re.compile(r"[가-힣][a-z]+")


def told_in(language: str, grounded: Grounded, llm: LLM, cancelled: Callable[[], bool]) -> Iterator[str]:
    """The sentences of the answer with their marks, without those that come out with other numbers, with half a word
    or not in ``language`` at all. ``Cancelled`` if asked to stop."""
    for sentence in grounded.sentences:
        turns = prompts.translate(sentence.text, language)
        reply = llm.complete(CompletionRequest(turns, _MOST_TOKENS, stop=("\n",)), cancelled=cancelled)
        if reply.finish == "cancelled":
            raise Cancelled
        text = " ".join(reply.text.split())
        if _may_be(text, sentence.text, language):
            yield marked(text, sentence.cites)


def _may_be(text: str, sentence: str, language: str) -> bool:
    """Whether it may be a translation."""
    if in_other_script(text) - in_other_script(sentence):
        return False
    same = figures(in_numbers(text)) == figures(in_numbers(sentence))
    return same and not _BROKEN.search(text) and detect_language(text) == language
