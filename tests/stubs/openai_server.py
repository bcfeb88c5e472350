"""An OpenAI-compatible model server in a thread, with a scripted model behind it."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from brain.backends.llm.scripted import ScriptedLLM
from brain.errors import ServiceRejected
from brain.values import CompletionRequest, Turn


class StubServer(ThreadingHTTPServer):
    """``takes``: the ways of asking for a schema it knows; it answers 400 to others. ``answers``: statuses to give
    before anything else. ``breaks_off``: close the stream after so many events. ``likely``: first tokens and their
    probabilities, told when asked for; None fails with status 500 then, as llama_cpp.server does. ``counts``: it tells
    how many tokens a prompt has, as vLLM does. ``meets``: so many askers of llama-server's tokenizer are answered at
    once."""

    daemon_threads = True

    def __init__(self, llm: ScriptedLLM, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.llm = llm
        self.takes = {"response_format", "guided_json", "format"}
        self.answers: list[tuple[int, str]] = []
        self.breaks_off: int | None = None
        self.tokenizes = True
        self.counts = False
        self.meets: threading.Barrier | None = None
        self.likely: dict[str, float] | None = {"Yes": 0.6, "yes": 0.1, "no": 0.2, "It": 0.1}
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.gone = threading.Event()
        self.hold = threading.Event()
        self.hold.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def stub_server(llm: ScriptedLLM, *, port: int = 0) -> Iterator[StubServer]:
    server = StubServer(llm, port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.hold.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: StubServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self._json(200, {"object": "list", "data": [{"id": "stub-model", "object": "model"}]})
        elif self.path == "/props":
            self._json(200, {"default_generation_settings": {"n_ctx": self.server.llm.context_tokens}})
        else:
            self._json(404, {"error": {"message": "not found"}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/tokenize" and "content" in body and self.server.meets:
            self.server.meets.wait(10)
        if self.path == "/tokenize" and "prompt" in body and self.server.counts:
            self._json(200, {"count": self.server.llm.count_tokens(body["prompt"])})
        elif self.path == "/tokenize" and "content" in body and self.server.tokenizes:
            self._json(200, {"tokens": list(range(self.server.llm.count_tokens(body["content"])))})
        elif self.path == "/v1/chat/completions":
            self._chat(body)
        else:
            self._json(404, {"error": {"message": "not found"}})

    def _chat(self, body: dict[str, Any]) -> None:
        self.server.bodies.append(body)
        self.server.keys.append(self.headers.get("Authorization"))
        if self.server.answers:
            status, said = self.server.answers.pop(0)
            self._json(status, {"error": {"message": said}})
            return
        asked = {"response_format", "guided_json", "format"} & set(body)
        if asked - self.server.takes:
            self._json(400, {"error": {"message": f"unknown field {asked}"}})
            return
        if body.get("logprobs") and self.server.likely is None:
            self._json(500, {"error": {"message": "logits_all=False"}})
            return
        request = _request(body)
        try:
            completion = self.server.llm.complete(request)
        except ServiceRejected:
            self._json(400, {"error": {"message": "the request exceeds the available context size"}})
            return
        likely = self.server.likely if body.get("logprobs") else None
        self._stream(
            completion.text, completion.finish, completion.prompt_tokens, completion.completion_tokens, likely or {}
        )

    def _stream(self, text: str, finish: str, prompt_tokens: int, tokens: int, likely: dict[str, float]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        events: list[Any] = [{"choices": [{"delta": {"content": text[at : at + 3]}}]} for at in range(0, len(text), 3)]
        if likely:
            told = [{"token": token, "logprob": math.log(share)} for token, share in likely.items()]
            events[0]["choices"][0]["logprobs"] = {"content": [{"top_logprobs": told}]}
        events.append({"choices": [{"delta": {}, "finish_reason": finish}]})
        events.append({"choices": [], "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": tokens}})
        try:
            for number, event in enumerate(events):
                if number == self.server.breaks_off:
                    return
                self._event(json.dumps(event, ensure_ascii=False))
                while not self.server.hold.wait(0.02):
                    self._event(json.dumps({"choices": []}))
            self._event("[DONE]")
        except OSError:
            self.server.gone.set()
        finally:
            self.close_connection = True

    def _event(self, data: str) -> None:
        self.wfile.write(f"data: {data}\n\n".encode())
        self.wfile.flush()

    def _json(self, status: int, body: Any) -> None:
        encoded = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(encoded)))
        self.end_headers()
        self.wfile.write(encoded)


def _request(body: dict[str, Any]) -> CompletionRequest:
    form = body.get("response_format") or {}
    schema = form.get("schema") or (form.get("json_schema") or {}).get("schema")
    return CompletionRequest(
        tuple(Turn(one["role"], one["content"]) for one in body["messages"]),
        body["max_tokens"],
        schema or body.get("guided_json") or body.get("format"),
        body["temperature"],
        tuple(body.get("stop", ())),
    )
