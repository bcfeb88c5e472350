"""What is kept of how an answer came about, without text of documents. ``graphqa.answer.explained`` tells it."""

from __future__ import annotations

from typing import Any

from brain.ports import LLM
from brain.values import Completion
from graphqa import prompts
from graphqa.evidence.assess import Assessment
from graphqa.grounding.check import Grounded
from graphqa.question.plan import Plan
from graphqa.retrieval.search import Retrieved


def of_search(plan: Plan, retrieved: Retrieved, assessment: Assessment) -> dict[str, Any]:
    return {
        "language": plan.language,
        "rewritten": plan.rewritten,
        "named": list(plan.named),
        "without": list(plan.without),
        "narrow": list(plan.narrow),
        "broad": list(plan.broad),
        "verdict": assessment.verdict,
        "best_cosine": round(retrieved.best_cosine, 4),
        "coverage": round(assessment.coverage, 4),
        "together": round(assessment.together, 4),
        "entities": list(retrieved.entities),
        "relations": list(retrieved.relations),
        "contradictions": [
            {"sides": [[side.ref, side.start] for side in (each.first, each.second)], "resolved_by": each.resolved_by}
            for each in assessment.conflicts
        ],
    }


def of_call(reply: Completion, llm: LLM, grounded: Grounded, *, repeating: bool) -> dict[str, Any]:
    return {
        "model": llm.model_id,
        "prompt": prompts.VERSION,
        "finish": reply.finish,
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "seconds": round(reply.seconds, 3),
        "prompt_seconds": round(reply.prompt_seconds, 3),
        "removed_numbers": grounded.removed,
        "repeating": repeating,
        "supported": round(grounded.share, 3),
        "faults": [each.reason for each in grounded.sentences if each.reason],
    }
