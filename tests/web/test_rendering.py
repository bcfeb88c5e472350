from __future__ import annotations

import pytest

from brain.ledger.quotes import REMOVED
from graphqa.answer.rendering import Block, Inline, blocks_of
from tests.web.payloads import PAYLOADS


def text(words: str) -> Inline:
    return Inline("text", words)


def cite(number: int) -> Inline:
    return Inline("citation", str(number), number)


@pytest.mark.parametrize(
    ("answer", "blocks"),
    [
        ("", []),
        ("One line.", [Block("paragraph", ((text("One line."),),))]),
        (
            "First [1].\nSame paragraph [2, 3].\n\nSecond.",
            [
                Block(
                    "paragraph", ((text("First "), cite(1), text(".\nSame paragraph "), cite(2), cite(3), text(".")),)
                ),
                Block("paragraph", ((text("Second."),),)),
            ],
        ),
        (
            "Two things:\n- one [1]\n* two\n1. first\n2) second",
            [
                Block("paragraph", ((text("Two things:"),),)),
                Block("bullets", ((text("one "), cite(1)), (text("two"),))),
                Block("numbers", ((text("first"),), (text("second"),))),
            ],
        ),
        (
            "## Heading\n**bold** and `code`",
            [
                Block("heading", ((text("Heading"),),)),
                Block("paragraph", ((Inline("strong", "bold"), text(" and "), Inline("code", "code")),)),
            ],
        ),
        (
            "```\n- not a list [1]\n```\nafter",
            [Block("code", ((text("- not a list [1]"),),)), Block("paragraph", ((text("after"),),))],
        ),
        ("```\nnever closed", [Block("code", ((text("never closed"),),))]),
        ("[x](javascript:alert(1)) <b>", [Block("paragraph", ((text("[x](javascript:alert(1)) <b>"),),))]),
        ("2024. 3. 1. 시행", [Block("paragraph", ((text("2024. 3. 1. 시행"),),))]),
        (f"Kept [1]. {REMOVED}", [Block("paragraph", ((text("Kept "), cite(1), text(f". {REMOVED}")),))]),
    ],
)
def test_an_answer_becomes_blocks(answer: str, blocks: list[Block]) -> None:
    assert blocks_of(answer) == blocks


def test_every_letter_of_a_hostile_answer_is_shown_as_a_letter() -> None:
    for payload in PAYLOADS:
        shown = "".join(run.text for block in blocks_of(payload) for line in block.lines for run in line)
        for word in ("script", "onerror", "javascript:"):
            assert shown.count(word) >= payload.count(f"<{word}"), payload
