"""Tokens to text: whole letters, stop words, nothing said that is taken back."""

from __future__ import annotations

import pytest

from brain.backends.llm.reply_text import ReplyText


def _told(pieces: list[bytes], stop: tuple[str, ...] = ()) -> tuple[list[str], str]:
    told: list[str] = []
    reply = ReplyText(pieces.__getitem__, stop=stop, on_text=told.append)
    for token in range(len(pieces)):
        if not reply.add(token):
            break
    return told, reply.close()


def test_a_letter_spread_over_tokens_is_told_when_it_is_whole() -> None:
    syllable = "강".encode()
    assert _told([b"a", syllable[:1], syllable[1:], b"!"]) == (["a", "강", "!"], "a강!")


def test_a_letter_that_never_ends_is_marked() -> None:
    assert _told([b"a", "강".encode()[:2]]) == (["a", "\ufffd"], "a\ufffd")


@pytest.mark.parametrize("pieces", [[b"one ST", b"OP two"], [b"one STOP two"], [b"one ", b"S", b"TOP", b" two"]])
def test_the_reply_ends_before_a_stop_word(pieces: list[bytes]) -> None:
    told, text = _told(pieces, ("STOP",))
    assert ("".join(told), text) == ("one ", "one ")


def test_what_only_looks_like_a_stop_word_is_told_late_but_told() -> None:
    assert _told([b"S", b"T", b"ART"], ("STOP",)) == (["START"], "START")
