"""Embeddings from a server on the premises that speaks OpenAI's ``/embeddings``.

Setting: ``http://host:port/v1#model``. ``?dimension=1024`` and ``?query=query:%20&passage=passage:%20`` (the
prefixes some models need) may precede the ``#``. The key, if any, comes from ``BRAIN_EMBEDDER_KEY``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

import httpx
import numpy as np
from django.utils.translation import gettext_noop as _

from brain.errors import ServiceRejected, ServiceUnavailable
from brain.values import Vector

BATCH = 32
_TRY_AGAIN = frozenset({408, 409, 425, 429})


class OpenAICompatibleEmbedder:
    def __init__(
        self,
        url: str,
        model: str,
        *,
        dimension: int = 0,
        query_prefix: str = "",
        passage_prefix: str = "",
        key: str = "",
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.model_id = model
        self._prefixes = query_prefix, passage_prefix
        self._client = httpx.Client(
            base_url=url.rstrip("/") + "/",
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(120.0, connect=5.0),
            transport=transport,
            trust_env=False,
        )
        self._dimension = dimension

    @classmethod
    def from_setting(cls, value: str) -> Self:
        parts = urlsplit(value)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        return cls(
            parts._replace(query="", fragment="").geturl(),
            parts.fragment,
            dimension=int(asked.get("dimension", "0")),
            query_prefix=asked.get("query", ""),
            passage_prefix=asked.get("passage", ""),
            key=os.environ.get("BRAIN_EMBEDDER_KEY", ""),
        )

    @property
    def dimension(self) -> int:
        """As set, else as the server answers: asked once."""
        if not self._dimension:
            self._dimension = len(self._ask(["dimension"])[0])
        return self._dimension

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for first in range(0, len(texts), BATCH):
            batch = [self._prefixes[1] + text for text in texts[first : first + BATCH]]
            rows[first : first + len(batch)] = self._unit_rows(batch)
        return rows

    def embed_query(self, text: str) -> Vector:
        row: Vector = self._unit_rows([self._prefixes[0] + text])[0]
        return row

    def close(self) -> None:
        self._client.close()

    def _unit_rows(self, texts: list[str]) -> Vector:
        given = self._ask(texts)
        if any(len(row) != self.dimension for row in given):
            raise ServiceRejected(_("The embedding server answered with vectors of another length than before."))
        rows = np.asarray(given, dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not (lengths > 0).all():
            raise ServiceRejected(_("The embedding server answered with an empty vector."))
        unit: Vector = rows / lengths
        return unit

    def _ask(self, texts: list[str]) -> list[list[float]]:
        # A lone surrogate has no UTF-8; stored text holds none, a question may.
        wanted = [text.encode("utf-8", "replace").decode() for text in texts]
        try:
            response = self._client.post("embeddings", json={"model": self.model_id, "input": wanted})
        except httpx.TransportError as error:
            raise ServiceUnavailable(_("The embedding server does not answer.")) from error
        if response.status_code in _TRY_AGAIN or response.status_code >= 500:
            raise ServiceUnavailable(_("The embedding server does not answer."))
        if response.is_error:
            raise ServiceRejected(
                _("The embedding server refused the request (%(status)s)."), status=response.status_code
            )
        try:
            return _vectors(response.json(), len(texts))
        except (ValueError, KeyError, TypeError) as error:
            raise ServiceRejected(_("The embedding server's answer cannot be read.")) from error


def _vectors(answer: Any, expected: int) -> list[list[float]]:
    items = sorted(answer["data"], key=lambda item: int(item["index"]))
    if len(items) != expected:
        raise ValueError("one vector per text was asked for")
    return [[float(value) for value in item["embedding"]] for item in items]
