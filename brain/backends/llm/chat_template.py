"""Turns to tokens, so that no text of a document is ever read as a control mark of the model.

The template is rendered with place marks instead of the texts; what stands between them is the template's own and
may hold control marks, the texts are tokenized as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _

from brain.backends.llm.llama_engine import BLOCK, LlamaEngine
from brain.errors import ServiceRejected
from brain.values import Turn

_PLACE = re.compile("\ue000([0-9]+)\ue001")
CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "<|im_start|>assistant\n"
)


class ChatTemplate:
    def __init__(self, engine: LlamaEngine) -> None:
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        self._engine = engine
        begin, end = engine.edge_tokens()
        self._begin = begin
        self._format: Callable[..., Any] = Jinja2ChatFormatter(
            template=engine.template() or CHATML, eos_token=end, bos_token=begin
        )

    def blocks(self, turns: Sequence[Turn]) -> list[list[int]]:
        """The prompt, up to where the model's own turn begins, in the blocks it is computed in.

        A block ends where the last turn's text begins: what comes before is often the same from call to call.
        """
        rendered = self._render(turns)
        begins = self._engine.adds_begin() and not (self._begin and rendered.startswith(self._begin))
        before: list[int] = [self._engine.begin()] if begins else []
        after: list[int] = []
        for index, part in enumerate(_PLACE.split(rendered)):
            is_text = index % 2 == 1
            text = turns[int(part)].text if is_text else part
            tokens = self._engine.tokenize(text, special=not is_text) if text else []
            if after or (is_text and int(part) == len(turns) - 1):
                after += tokens
            else:
                before += tokens
        return [part[at : at + BLOCK] for part in (before, after) for at in range(0, len(part), BLOCK)]

    def _render(self, turns: Sequence[Turn]) -> str:
        messages = [{"role": turn.role, "content": f"\ue000{index}\ue001"} for index, turn in enumerate(turns)]
        try:
            return str(self._format(messages=messages).prompt)
        except ValueError:
            # Some templates know no system turn: its text then stands before the first turn of the person.
            return self._without_system(messages)

    def _without_system(self, messages: list[dict[str, str]]) -> str:
        system = "\n\n".join(message["content"] for message in messages if message["role"] == "system")
        rest = [message for message in messages if message["role"] != "system"]
        if system and rest:
            rest[0] = {**rest[0], "content": f"{system}\n\n{rest[0]['content']}"}
        try:
            return str(self._format(messages=rest).prompt)
        except ValueError as error:
            raise ServiceRejected(_("The language model's chat template does not take this conversation.")) from error
