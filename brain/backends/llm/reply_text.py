"""Tokens to text as it comes: letters spread over tokens, and words at which the reply ends."""

from __future__ import annotations

import codecs
from collections.abc import Callable


class ReplyText:
    """``on_text`` gets whole letters only, and nothing that may turn out to be the start of a stop word."""

    def __init__(
        self, piece: Callable[[int], bytes], *, stop: tuple[str, ...] = (), on_text: Callable[[str], None] | None = None
    ) -> None:
        self.tokens = 0
        self._piece = piece
        self._stop = tuple(word for word in stop if word)
        self._on_text = on_text
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._text = ""
        self._told = 0
        self._stopped = False

    def add(self, token: int) -> bool:
        """False if the reply has reached a stop word."""
        self.tokens += 1
        self._text += self._decoder.decode(self._piece(token))
        places = [place for word in self._stop if (place := self._text.find(word, self._told)) >= 0]
        if places:
            self._text = self._text[: min(places)]
            self._stopped = True
        self._tell(len(self._text) if self._stopped else len(self._text) - self._held())
        return not self._stopped

    def say(self, text: str) -> None:
        """A word that was not computed token by token."""
        self.tokens += 1
        self._text += text
        self._tell(len(self._text))

    def close(self) -> str:
        """The whole text; what was held back is told."""
        if not self._stopped:
            self._text += self._decoder.decode(b"", final=True)
        self._tell(len(self._text))
        return self._text

    def _held(self) -> int:
        """How much of the end may be the start of a stop word."""
        return max(
            (size for word in self._stop for size in range(1, len(word)) if self._text.endswith(word[:size])), default=0
        )

    def _tell(self, end: int) -> None:
        if self._on_text is not None and end > self._told:
            self._on_text(self._text[self._told : end])
        self._told = max(self._told, end)
