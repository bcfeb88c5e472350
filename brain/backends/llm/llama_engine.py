"""llama.cpp through its C interface: one set of weights, two states of computation.

Chat and extraction each have a state (a KV cache) of their own, so that neither throws the other's prompt out, and
an extraction that stood aside for a chat goes on where it was. A prompt is computed in blocks that depend on the
prompt alone, and whole blocks are reused: the numbers, and so the text, are the same whether a block was reused or
computed anew.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext_noop as _

from brain.errors import ModelMissing, ServiceRejected, ServiceUnavailable

BLOCK = 128


class LlamaEngine:
    """The weights, their vocabulary and their chat template. Opening reads the file: seconds."""

    def __init__(self, path: Path, *, threads: int) -> None:
        # Threads that wait for each other by spinning stand still when another process wants a core: 0.7 tokens a
        # second with the 0.5B model beside busy neighbours, 13.6 when they sleep. On an idle machine waking them
        # costs a third (1.5B: 19 tokens a second instead of 26); a short spin before the sleep keeps both.
        # Read when OpenMP is loaded.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        os.environ.setdefault("GOMP_SPINCOUNT", "10000")
        try:
            import llama_cpp
        except (ImportError, OSError, RuntimeError) as error:
            raise ModelMissing(
                _("The language model's engine is not installed yet. Run manage.py models --engine.")
            ) from error
        self._api = api = llama_cpp.llama_cpp
        llama_cpp.llama_log_set(_quiet(api), ctypes.c_void_p(0))
        api.llama_backend_init()
        parameters = api.llama_model_default_params()
        self._model = api.llama_model_load_from_file(str(path).encode(), parameters)
        if not self._model:
            raise ModelMissing(
                _("%(name)s cannot be read as a language model. Fetch it again with manage.py models."), name=path.name
            )
        self.threads = threads
        self.vocab = api.llama_model_get_vocab(self._model)
        self.size = int(api.llama_vocab_n_tokens(self.vocab))
        self.trained_context = int(api.llama_model_n_ctx_train(self._model))
        self._guide_tokenizer: Any = None
        self._pieces: dict[int, bytes] = {}

    def template(self) -> str:
        """The chat template in the weights (Jinja), or an empty text."""
        found = self._api.llama_model_chat_template(self._model, None)
        return found.decode("utf-8", "replace") if found else ""

    def edge_tokens(self) -> tuple[str, str]:
        """Text of the begin and end tokens; a chat template may ask for them."""
        api = self._api
        ids = api.llama_vocab_bos(self.vocab), api.llama_vocab_eos(self.vocab)
        return self._special(ids[0]), self._special(ids[1])

    def adds_begin(self) -> bool:
        return bool(self._api.llama_vocab_get_add_bos(self.vocab))

    def begin(self) -> int:
        return int(self._api.llama_vocab_bos(self.vocab))

    def tokenize(self, text: str, *, special: bool) -> list[int]:
        """``special`` reads the model's control marks as such; text of a document never may."""
        encoded = text.encode()
        room = len(encoded) + 8
        tokens = (self._api.llama_token * room)()
        count = self._api.llama_tokenize(self.vocab, encoded, len(encoded), tokens, room, False, special)
        if count < 0:
            raise ServiceRejected(_("The text is too long for the language model."))
        return list(tokens[:count])

    def piece(self, token: int) -> bytes:
        """The bytes of a token; control tokens have none. A letter may be spread over several tokens."""
        found = self._pieces.get(token)
        if found is None:
            buffer = ctypes.create_string_buffer(256)
            length = self._api.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, False)
            found = self._pieces[token] = buffer.raw[: max(0, length)]
        return found

    def ends(self, token: int) -> bool:
        return bool(self._api.llama_vocab_is_eog(self.vocab, token))

    def guide_tokenizer(self) -> Any:
        """The vocabulary as llguidance wants it; takes about a second, once."""
        if self._guide_tokenizer is None:
            from llguidance import LLTokenizer

            # llguidance's own way calls names that llama.cpp has since deprecated.
            tokenize = ctypes.cast(self._api._lib.llama_tokenize, ctypes.c_void_p).value
            untyped: Any = LLTokenizer
            self._guide_tokenizer = untyped.from_llamacpp(
                tokens=[self._marked_piece(token) for token in range(self.size)],
                vocab_ptr=self.vocab,
                tokenize_fptr=tokenize,
                eos_token=self._api.llama_vocab_eos(self.vocab),
                slices=None,
            )
        return self._guide_tokenizer

    def _marked_piece(self, token: int) -> bytes:
        """The bytes of a token; those of a control token start with 0xff, as llguidance marks them."""
        buffer = ctypes.create_string_buffer(512)
        length = self._api.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, True)
        piece = buffer.raw[: max(0, length)]
        attributes = self._api.llama_vocab_get_attr(self.vocab, token)
        named = attributes & self._api.LLAMA_TOKEN_ATTR_USER_DEFINED and piece[:1] == b"<" and piece[-1:] == b">"
        return b"\xff" + piece if attributes & self._api.LLAMA_TOKEN_ATTR_CONTROL or named else piece

    def close(self) -> None:
        if self._model:
            self._api.llama_model_free(self._model)
            self._model = None

    def _special(self, token: int) -> str:
        if token < 0:
            return ""
        text = self._api.llama_vocab_get_text(self.vocab, token)
        return text.decode("utf-8", "replace") if text else ""


class Lane:
    """One state of computation: the tokens it holds, and the room for them."""

    def __init__(self, engine: LlamaEngine, *, context_tokens: int) -> None:
        self._engine = engine
        self._api = api = engine._api
        parameters = api.llama_context_default_params()
        parameters.n_ctx = context_tokens
        parameters.n_batch = parameters.n_ubatch = BLOCK
        parameters.n_threads = parameters.n_threads_batch = engine.threads
        # One fused attention kernel for each head saves memory, not time, on a CPU: with it a token after 4,000 others
        # takes 60 ms instead of 53 (1.5B, two cores), and a prompt is read no faster.
        if not api.llama_supports_gpu_offload():
            parameters.flash_attn_type = api.LLAMA_FLASH_ATTN_TYPE_DISABLED
        parameters.no_perf = True
        self._context = api.llama_init_from_model(engine._model, parameters)
        if not self._context:
            raise ServiceUnavailable(_("There is not enough memory for the language model."))
        self.lock = threading.Lock()
        self.room = context_tokens
        self._memory = api.llama_get_memory(self._context)
        self._blocks: list[list[int]] = []

    def start(self, blocks: Sequence[list[int]]) -> int:
        """Forget what a prompt of these blocks does not begin with; returns how many blocks are there already."""
        same = itertools.takewhile(lambda two: two[0] == two[1], zip(self._blocks, blocks, strict=False))
        # The last block is always computed: the scores after it are wanted.
        kept = min(sum(1 for _two in same), len(blocks) - 1)
        self._blocks = list(blocks[:kept])
        self._remove_from(sum(len(block) for block in self._blocks))
        return kept

    def compute(self, tokens: list[int], *, prompt: bool = False) -> None:
        """Take in at most ``BLOCK`` tokens; those of a ``prompt`` may be reused."""
        if not self._context:
            raise ServiceUnavailable(_("The language model is being shut down."))
        array = (self._api.llama_token * len(tokens))(*tokens)
        code = self._api.llama_decode(self._context, self._api.llama_batch_get_one(array, len(tokens)))
        if code:
            self._blocks = []
            self._remove_from(0)
            raise ServiceUnavailable(_("The language model's engine stopped with error %(code)s."), code=int(code))
        if prompt:
            self._blocks.append(tokens)

    def logits(self) -> npt.NDArray[np.float32]:
        """Scores of the next token, of shape (vocabulary,); valid until the next ``compute``."""
        pointer = self._api.llama_get_logits_ith(self._context, -1)
        return np.ctypeslib.as_array(pointer, shape=(self._engine.size,))

    def _remove_from(self, position: int) -> None:
        if not self._context:
            raise ServiceUnavailable(_("The language model is being shut down."))
        self._api.llama_memory_seq_rm(self._memory, 0, position, -1)

    def close(self) -> None:
        if self._context:
            self._api.llama_free(self._context)
            self._context = None


_log_callback: Any = None


def _quiet(api: Any) -> Any:
    """llama.cpp prints its loading to stderr; errors come back as codes. The callback must outlive the call."""
    global _log_callback
    if _log_callback is None:
        _log_callback = api.llama_log_callback(lambda _level, _text, _data: None)
    return _log_callback
