"""Vectors in a Qdrant server, one collection per index; or in the client's own local mode, for tests."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

import httpx
from django.utils.translation import gettext_noop as _
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from brain.backends.vectors.memory import WRONG_DIMENSION, check_dimension, kind_of
from brain.backends.vectors.stored_points import best_first, conditions, point_struct, vector_point
from brain.errors import ServiceRejected, ServiceUnavailable
from brain.values import PointFilter, PointKind, SparseVector, Vector, VectorHit, VectorPoint

_AWAY = _("The Qdrant server does not answer for now. Work goes on by itself when it is back.")
_REFUSED = _("The Qdrant server refused a request (%(status)s): %(reason)s")
_LOST = _("The Qdrant server holds %(found)s points where it should hold %(expected)s. The write is tried again.")
_KEY = _("The Qdrant server refuses the key in BRAIN_VECTORS. Correct it and start again.")
_OTHER = _(
    'The collection "%(collection)s" holds vectors of %(found)s numbers instead of %(expected)s. Remove it on the '
    'server and run "manage.py rebuild".'
)

# Points per request: 256 of 1,024 numbers are 4 MB of JSON, well below the server's limit of 32 MB.
_BATCH = 256
_SCAN_BATCH = 1000
_SECONDS = 15

T = TypeVar("T")


class QdrantVectorStore:
    def __init__(self, client: QdrantClient, collection: str, dimension: int, *, local: bool = False) -> None:
        self._client = client
        self._collection = collection
        self._dimension = dimension
        self._local = local
        self._guard = threading.RLock()
        self._prepared = False

    @classmethod
    def from_setting(cls, value: str, *, index: str, dimension: int) -> QdrantVectorStore:
        """``http(s)://[:key@]host:6333``, or ``qdrant-local:FOLDER`` (``:memory:`` keeps nothing)."""
        parts = urlsplit(value)
        if parts.scheme == "qdrant-local":
            place = value.partition(":")[2].removeprefix("//") or ":memory:"
            client = QdrantClient(":memory:") if place == ":memory:" else QdrantClient(path=place)
            return cls(client, f"brain-{index}", dimension, local=True)
        with warnings.catch_warnings():
            # On premises a key may cross a wire that is trusted; the page on servers says to use https otherwise.
            warnings.filterwarnings("ignore", message="Api key is used with an insecure connection")
            client = QdrantClient(
                url=f"{parts.scheme}://{parts.hostname}:{parts.port or 6333}",
                api_key=unquote(parts.password or "") or None,
                timeout=_SECONDS,
                check_compatibility=False,
            )
        return cls(client, f"brain-{index}", dimension)

    def upsert(self, points: Sequence[VectorPoint]) -> None:
        check_dimension(points, self._dimension)
        for start in range(0, len(points), _BATCH):
            batch = [point_struct(point, models, struct="PointStruct") for point in points[start : start + _BATCH]]
            self._call(partial(self._client.upsert, self._collection, batch, wait=True))
            self._compare([point.id for point in batch], len(batch))

    def remove(self, ids: Sequence[str]) -> None:
        for start in range(0, len(ids), _BATCH):
            selector = models.PointIdsList(points=list(ids[start : start + _BATCH]))
            self._call(partial(self._client.delete, self._collection, selector, wait=True))
            self._compare(list(selector.points), 0)

    def remove_matching(self, where: PointFilter) -> None:
        selector = models.FilterSelector(filter=conditions(where, models))
        self._call(lambda: self._client.delete(self._collection, selector, wait=True))
        if left := self.count(where):
            raise ServiceUnavailable(_LOST, found=left, expected=0)

    def search(self, query: Vector | SparseVector, where: PointFilter, *, limit: int) -> list[VectorHit]:
        kind = kind_of(where)
        if limit < 1 or (isinstance(query, SparseVector) and not query.indices):
            return []
        asked = limit + 16
        while True:
            found = self._query(query, where, kind, asked)
            # The engine leaves points of equal score in any order: ask on until the last tie is inside.
            if len(found) < asked or found[-1].score < found[limit - 1].score:
                break
            asked *= 2
        return best_first(found, where.brain, limit)

    def scan(self, where: PointFilter) -> Iterator[VectorPoint]:
        offset: Any = None
        while True:
            scroll = partial(
                self._client.scroll, self._collection, conditions(where, models), _SCAN_BATCH, with_payload=True
            )
            records, offset = self._call(partial(scroll, offset=offset, with_vectors=["dense"]))
            for record in records:
                yield vector_point(record)
            if offset is None:
                return

    def count(self, where: PointFilter) -> int:
        return int(
            self._call(lambda: self._client.count(self._collection, conditions(where, models), exact=True)).count
        )

    def close(self) -> None:
        self._client.close()

    def _query(
        self, query: Vector | SparseVector, where: PointFilter, kind: PointKind, limit: int
    ) -> list[models.ScoredPoint]:
        if isinstance(query, SparseVector):
            vector: Any = models.SparseVector(indices=list(query.indices), values=list(query.values))
            # Words are as rare as they are in the brain, whatever part of it is searched.
            corpus = conditions(PointFilter(where.brain, kind), models)
            params = models.SearchParams(idf=models.IdfCorpusParams(corpus=corpus))
            using = "lexical"
        else:
            if query.shape != (self._dimension,):
                raise ServiceRejected(WRONG_DIMENSION, expected=self._dimension, found=int(query.size))
            vector, using, params = query.tolist(), "dense", None
        answer = self._call(
            lambda: self._client.query_points(
                self._collection,
                vector,
                using=using,
                query_filter=conditions(where, models),
                limit=limit,
                with_payload=True,
                search_params=params,
            )
        )
        return answer.points

    def _compare(self, ids: Sequence[Any], expected: int) -> None:
        """Raise unless the server has as many of these points as its acknowledgement means."""
        named = models.Filter(must=[models.HasIdCondition(has_id=list(ids))])
        found = self._call(lambda: self._client.count(self._collection, named, exact=True)).count
        if found != expected:
            raise ServiceUnavailable(_LOST, found=found, expected=expected)

    def _call(self, request: Callable[[], T]) -> T:
        with self._guard:
            if not self._prepared:
                with _translated():
                    self._prepare()
        # The client's local mode is not made for threads.
        guard: AbstractContextManager[Any] = self._guard if self._local else nullcontext()
        with guard, _translated():
            return request()

    def _prepare(self) -> None:
        """The collection and its payload indexes, once per process."""
        if self._client.collection_exists(self._collection):
            self._refuse_other_vectors()
        else:
            self._client.create_collection(
                self._collection,
                vectors_config={"dense": models.VectorParams(size=self._dimension, distance=models.Distance.COSINE)},
                sparse_vectors_config={"lexical": models.SparseVectorParams(modifier=models.Modifier.IDF)},
            )
        if not self._local:
            keyword = models.KeywordIndexType.KEYWORD
            for name in ("brain", "source", "kind"):
                schema = models.KeywordIndexParams(type=keyword, is_tenant=True if name == "brain" else None)
                self._client.create_payload_index(self._collection, name, schema, wait=True)
        self._prepared = True

    def _refuse_other_vectors(self) -> None:
        vectors = self._client.get_collection(self._collection).config.params.vectors
        dense = vectors.get("dense") if isinstance(vectors, dict) else None
        if dense is None or dense.size != self._dimension:
            found = dense.size if dense else 0
            raise ServiceRejected(_OTHER, collection=self._collection, found=found, expected=self._dimension)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except UnexpectedResponse as error:
        if error.status_code in {401, 403}:
            raise ServiceRejected(_KEY) from error
        # 404: the collection was removed under a running process, which makes it again at its next start.
        if error.status_code is None or error.status_code >= 500 or error.status_code in {404, 408, 429}:
            raise ServiceUnavailable(_AWAY) from error
        reason = " ".join(str(error.reason_phrase).split())[:200]
        raise ServiceRejected(_REFUSED, status=error.status_code, reason=reason) from error
    except (ResponseHandlingException, httpx.HTTPError, ConnectionError) as error:
        raise ServiceUnavailable(_AWAY) from error
