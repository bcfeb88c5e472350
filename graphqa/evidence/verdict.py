"""Do the passages answer the question as it was asked? Asked of the model before it answers, on passages it has to
read for the answer anyway.

Words and cosines cannot tell: on 500 questions of SQuAD 2, where half are answered by their paragraph and half only
look so, the share of the question's words in the paragraph or in its best sentence, missing names and missing numbers
order no better than chance (area under the curve 0.47 to 0.53). The probability that the model says yes does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from brain.errors import Cancelled
from brain.ports import LLM
from brain.values import Completion, CompletionRequest
from graphqa import prompts
from graphqa.evidence.context import Context
from graphqa.question.plan import Plan


@dataclass(frozen=True, slots=True)
class Strictness:
    """probability = 1 / (1 + exp(-(offset + slope * ln(yes / no) + length * ln(tokens of the passages / 200)))): the
    more there is to read, the sooner a model says yes. Below ``least`` the question is refused."""

    offset: float
    slope: float
    length: float
    least: float


#: Fitted on 68 questions of SQuAD 2, 53 with their paragraph and 15 with the product's passages (area under the curve
#: 0.78 and 0.79), scored on the halves not fitted on: at 0.3, 0.87 of the answerable ones are let through and 0.35 of
#: the others refused; at 0.5, 0.65 and 0.67. Telling the model how such questions are made (0.79), eight worked
#: examples (0.79 on 41), a draft to judge (0.62) or to extract (0.71), and adding these up order no better.
#: Reading the model's states instead of its words gains little: a line drawn through those after layer 24 of 28, on
#: seven articles, and scored on the eighth orders at 0.81, the yes of the same 618 questions at 0.79; where 0.90 of the
#: answerable ones are let through, 0.51 of the others are refused instead of 0.46. Adding up both gains no more.
#: In Korean it orders hardly better than chance: 0.57 for 20 questions on statutes with their article and without it;
#: asked in English behind the same passages, 0.58.
STRICTNESS: Mapping[str, Strictness] = {
    "qwen2.5-coder-1.5b": Strictness(offset=-0.33, slope=1.31, length=-0.65, least=0.3),
}
# A model that was not measured is believed only when it is sure.
_UNKNOWN = Strictness(offset=0.0, slope=1.0, length=0.0, least=0.1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """``yes`` is the model's share for yes, ``probability`` what that was worth where it was measured."""

    yes: float
    probability: float
    answered: bool
    completion: Completion

    def as_json(self) -> dict[str, Any]:
        return {
            "yes": round(self.yes, 4),
            "probability": round(self.probability, 4),
            "answered": self.answered,
            "prompt_tokens": self.completion.prompt_tokens,
            "seconds": round(self.completion.seconds, 3),
        }


def strictness(model_id: str, language: str) -> Strictness:
    return next((each for name, each in STRICTNESS.items() if name in f"{model_id}/{language}"), _UNKNOWN)


def verdict(plan: Plan, context: Context, llm: LLM, *, cancelled: Callable[[], bool] | None = None) -> Verdict:
    """``Cancelled`` if asked to stop meanwhile."""
    language = plan.language
    request = CompletionRequest(
        prompts.answered(plan, context, language=language), 4, options=prompts.YES_OR_NO[language]
    )
    completion = llm.complete(request, cancelled=cancelled)
    if completion.finish == "cancelled":
        raise Cancelled
    yes = completion.shares[0] if completion.shares else 0.0
    by = strictness(llm.model_id, language)
    probability = _probability(by, yes, context.tokens)
    # No passage states the summary of its document.
    answered = probability >= by.least or plan.is_overview
    return Verdict(yes, probability, answered, completion)


def _probability(by: Strictness, yes: float, tokens: int) -> float:
    odds = by.offset + by.slope * math.log(max(yes, 1e-6) / max(1 - yes, 1e-6))
    return 1 / (1 + math.exp(-(odds + by.length * math.log(max(tokens, 50) / 200))))
