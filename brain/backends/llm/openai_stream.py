"""The wire to an OpenAI-compatible server: one streamed chat at a time per call, stoppable at any moment."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
from django.utils.translation import gettext_noop as _

from brain.errors import ServiceRejected, ServiceUnavailable

_AWAY = _("The model server at %(server)s does not answer. Work goes on by itself when it is back.")
_BUSY = _("The model server at %(server)s is busy or starting (status %(status)s).")
_WATCH_SECONDS = 0.1


class Refused(ServiceRejected):
    """The server answered with a 4xx status; ``said`` is its own text."""

    def __init__(self, server: str, status: int, said: str) -> None:
        self.status = status
        folded = said.casefold()
        self.too_long = any(word in folded for word in ("context", "too long", "too large", "maximum"))
        message = _("The model server at %(server)s refused the request (status %(status)s): %(said)s")
        if status in {401, 403}:
            message = _("The model server at %(server)s wants another key (status %(status)s): %(said)s")
        super().__init__(message, server=server, status=status, said=said[:300])


@dataclass(slots=True)
class Chat:
    """What came over the wire. Token counts are None where the server does not tell. ``first_tokens``: what the
    reply might have begun with, and its log-probability, where asked for and told."""

    text: str = ""
    finish: Literal["stop", "length", "cancelled"] = "stop"
    ended: bool = False
    first_text_at: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    first_tokens: list[tuple[str, float]] = field(default_factory=list)


class Wire:
    def __init__(self, url: str, *, key: str, timeout: httpx.Timeout, request_seconds: float) -> None:
        self.url = url
        self.root = url.removesuffix("/v1")
        self.server = httpx.URL(url).netloc.decode()
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._timeout = timeout
        self._request_seconds = request_seconds
        # Servers on the premises are reached directly, whatever proxy the machine has for the rest of the world.
        self._client = httpx.Client(headers=self._headers, timeout=timeout, trust_env=False)

    def get(self, url: str, timeout: httpx.Timeout | None = None) -> Any:
        return self._json("GET", url, None, timeout)

    def post(self, url: str, body: dict[str, Any]) -> Any:
        return self._json("POST", url, body)

    def models(self, timeout: httpx.Timeout | None = None) -> list[str]:
        listed = self.get(f"{self.url}/models", timeout)
        return [str(model["id"]) for model in listed.get("data", []) if "id" in model]

    def context_tokens(self, model: str) -> int:
        """The room of a conversation as the server tells it; 0 if it does not."""
        for one in self.get(f"{self.url}/models").get("data", []):
            if one.get("id") == model and one.get("max_model_len"):  # vLLM
                return int(one["max_model_len"])
        try:
            properties = self.get(f"{self.root}/props")  # llama-server
        except ServiceRejected:
            return 0
        return int(properties.get("default_generation_settings", {}).get("n_ctx", 0))

    def slots(self) -> int:
        """How many requests the server works on at once, as it tells; 0 if it does not."""
        try:
            return int(self.get(f"{self.root}/props").get("total_slots", 0))  # llama-server
        except ServiceRejected:
            return 0

    def chat(
        self, body: dict[str, Any], on_text: Callable[[str], None] | None, cancelled: Callable[[], bool] | None
    ) -> Chat:
        """Ask and read to the end. Asked to stop, it cuts the connection: the server frees its slot."""
        chat = Chat()
        with _Watch(cancelled, self._request_seconds) as watch:
            try:
                for event in self._events(body, watch):
                    _take(event, chat, on_text, self.server)
            except (httpx.HTTPError, httpx.StreamError) as error:
                if not watch.cancelled:
                    raise ServiceUnavailable(_AWAY, server=self.server) from error
        if watch.cancelled:
            chat.finish = "cancelled"
        elif not chat.ended:
            # A stream that just stops is a broken connection, never a whole reply.
            raise ServiceUnavailable(_AWAY, server=self.server)
        return chat

    def close(self) -> None:
        self._client.close()

    def _events(self, body: dict[str, Any], watch: _Watch) -> Iterator[dict[str, Any]]:
        # A client of its own: its one connection can be cut without harm to another request.
        with (
            httpx.Client(headers=self._headers, timeout=self._timeout, trust_env=False) as client,
            client.stream(
                "POST", f"{self.url}/chat/completions", json=body, extensions={"trace": watch.trace}
            ) as response,
        ):
            if response.status_code >= 400:
                response.read()
                self._refuse(response)
            for line in response.iter_lines():
                data = line.removeprefix("data:").strip() if line.startswith("data:") else ""
                if data == "[DONE]":
                    yield {"done": True}
                elif data:
                    yield self._parsed(data)

    def _json(self, method: str, url: str, body: dict[str, Any] | None, timeout: httpx.Timeout | None = None) -> Any:
        try:
            response = self._client.request(method, url, json=body, timeout=timeout or self._timeout)
        except httpx.HTTPError as error:
            raise ServiceUnavailable(_AWAY, server=self.server) from error
        if response.status_code >= 400:
            self._refuse(response)
        return self._parsed(response.text)

    def _parsed(self, text: str) -> Any:
        try:
            found = json.loads(text)
        except ValueError as error:
            raise ServiceUnavailable(_AWAY, server=self.server) from error
        return found if isinstance(found, dict) else {"data": found}

    def _refuse(self, response: httpx.Response) -> None:
        status = response.status_code
        if status in {408, 425, 429} or status >= 500:
            raise ServiceUnavailable(_BUSY, server=self.server, status=status)
        raise Refused(self.server, status, _said(response.text))


def _take(event: dict[str, Any], chat: Chat, on_text: Callable[[str], None] | None, server: str) -> None:
    if event.get("done"):
        chat.ended = True
        return
    if event.get("error"):
        raise ServiceUnavailable(_AWAY, server=server)
    usage = event.get("usage") or {}
    chat.prompt_tokens = usage.get("prompt_tokens", chat.prompt_tokens)
    chat.completion_tokens = usage.get("completion_tokens", chat.completion_tokens)
    for choice in event.get("choices") or []:
        if not chat.first_tokens:
            chat.first_tokens = list(_likely(choice.get("logprobs")))
        text = (choice.get("delta") or {}).get("content") or ""
        if text:
            chat.first_text_at = chat.first_text_at or time.monotonic()
            chat.text += text
            if on_text is not None:
                on_text(text)
        if choice.get("finish_reason"):
            chat.ended = True
            chat.finish = "length" if choice["finish_reason"] == "length" else "stop"


def _likely(logprobs: Any) -> Iterator[tuple[str, float]]:
    """(token, log-probability) of the first place that ``logprobs`` tells of."""
    places = logprobs.get("content") if isinstance(logprobs, dict) else None
    for one in (places[0].get("top_logprobs") or ()) if places else ():
        yield str(one.get("token", "")), float(one.get("logprob", "-inf"))


def _said(text: str) -> str:
    try:
        found = json.loads(text)
    except ValueError:
        return text
    error = found.get("error", found.get("detail", text)) if isinstance(found, dict) else text
    return str(error.get("message", error)) if isinstance(error, dict) else str(error)


class _Watch:
    """Asks ``cancelled`` beside the reading thread, which may wait for long, and cuts the connection."""

    def __init__(self, cancelled: Callable[[], bool] | None, seconds: float) -> None:
        self.cancelled = False
        self._ask = cancelled
        self._until = time.monotonic() + seconds
        self._over = threading.Event()
        self._socket: socket.socket | None = None
        self._thread = threading.Thread(target=self._run, name="llm-watch", daemon=True)

    def trace(self, event: str, info: dict[str, Any]) -> None:
        if event in {"connection.connect_tcp.complete", "connection.start_tls.complete"}:
            self._socket = info["return_value"].get_extra_info("socket")

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(_WATCH_SECONDS):
            if self._ask is not None and self._ask():
                self.cancelled = True
            if (self.cancelled or time.monotonic() > self._until) and self._socket is not None:
                with contextlib.suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)
                return
