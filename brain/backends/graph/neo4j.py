"""The graph in Neo4j Community: a projection of the rows that a person can look at in Neo4j's own browser."""

from __future__ import annotations

import hashlib
import logging
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from django.utils.translation import gettext_noop as _
from neo4j import Driver, GraphDatabase, ManagedTransaction, unit_of_work
from neo4j.exceptions import AuthError, ClientError, DriverError, Neo4jError

from brain.backends.graph import cypher, nodes
from brain.backends.graph.matching import best_first, folded_words, picture
from brain.errors import LeaseLost, ServiceRejected, ServiceUnavailable
from brain.values import GraphBatch, GraphEntity, GraphRelation, Subgraph

_AWAY = _("Neo4j does not answer for now. Work goes on by itself when it is back.")
_PASSWORD = _("Neo4j refuses the name or the password in BRAIN_GRAPH. Correct them and start again.")
_REFUSED = _("Neo4j refused a request (%(code)s). This is a fault of this program: tell whoever maintains it.")

# Rows per statement, and nodes per transaction while forgetting.
_AT_ONCE = 500
_FORGET_AT_ONCE = 5000
# Names read to rank what is found; more than that and the words say too little.
_CANDIDATES = 2000
_SECONDS = 60
_PAIR = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")

_log = logging.getLogger(__name__)
T = TypeVar("T")
K = TypeVar("K", GraphEntity, GraphRelation)


class Neo4jGraphStore:
    """``retried`` counts transactions that the server ended for a deadlock or a pause and that ran again."""

    reads_ledger = False

    def __init__(self, driver: Driver, database: str | None = None) -> None:
        self._driver = driver
        self._database = database
        self._lock = threading.Lock()
        self._prepared = False
        self.retried = 0

    @classmethod
    def from_setting(cls, value: str) -> Neo4jGraphStore:
        """``neo4j://name:password@host:7687/database``; the database may be left out."""
        parts = urlsplit(value)
        driver = GraphDatabase.driver(
            f"{parts.scheme}://{parts.hostname}:{parts.port or 7687}",
            auth=(unquote(parts.username or "neo4j"), unquote(parts.password or "")),
            connection_timeout=5,
            connection_acquisition_timeout=15,
            max_transaction_retry_time=15,
            liveness_check_timeout=30,
            telemetry_disabled=True,
            # Hints about property names that an empty database does not know yet.
            notifications_min_severity="OFF",
            user_agent="brain",
        )
        return cls(driver, parts.path.strip("/") or None)

    def write(self, brain: str, batch: GraphBatch, *, fence: int) -> None:
        def work(tx: ManagedTransaction) -> None:
            if tx.run(cypher.TAKE_FENCE, brain=brain, fence=fence).single(strict=True)["seen"] > fence:
                raise LeaseLost
            _delete(tx, brain, batch)
            _upsert(tx, brain, batch)

        self._run(work, write=True)

    def neighbourhood(self, brain: str, keys: Sequence[str], *, hops: int = 1, limit: int = 200) -> Subgraph:
        def work(tx: ManagedTransaction) -> Subgraph:
            asked = [_hash(brain, key) for key in dict.fromkeys(keys)]
            known = set(_column(tx.run(cypher.KNOWN, keys=asked), "key"))
            near = [key for key in asked if key in known][:limit]
            frontier = near
            for _hop in range(hops):
                if not frontier or len(near) >= limit:
                    break
                found = tx.run(cypher.NEXT_TO, keys=frontier, near=near, limit=limit - len(near))
                frontier = _column(found, "key")
                near = near + frontier
            entities = map(nodes.entity, tx.run(cypher.ENTITIES, keys=sorted(near)))
            relations = map(nodes.relation, tx.run(cypher.RELATIONS_AMONG, keys=sorted(near)))
            return picture(entities, relations)

        return self._run(work)

    def find(self, brain: str, words: str, *, limit: int = 20) -> Subgraph:
        wanted = folded_words(words)

        def work(tx: ManagedTransaction) -> Subgraph:
            asked: dict[str, Any] = {"brain": brain, "words": list(wanted), "limit": _CANDIDATES}
            if pairs := [word for word in wanted if _PAIR.search(word)]:
                rows = tx.run(cypher.NAMED_BY_PAIRS, asked | {"phrases": _phrases(pairs)})
            else:
                rows = tx.run(cypher.NAMED, asked | {"longest": max(wanted, key=len)})
            found = best_first(map(nodes.named, rows), wanted)[:limit]
            keys = [_hash(brain, each.key) for each in found]
            whole = {each.key: each for each in map(nodes.entity, tx.run(cypher.ENTITIES, keys=keys))}
            return Subgraph(tuple(whole[each.key] for each in found), ())

        return self._run(work) if wanted else Subgraph((), ())

    def dump(self, brain: str) -> GraphBatch:
        def work(tx: ManagedTransaction) -> GraphBatch:
            return GraphBatch(
                entities=_by_key(nodes.entity(row) for row in tx.run(cypher.DUMP_ENTITIES, brain=brain)),
                relations=_by_key(nodes.relation(row) for row in tx.run(cypher.DUMP_RELATIONS, brain=brain)),
                chunks=tuple(sorted(map(nodes.chunk, tx.run(cypher.DUMP_CHUNKS, brain=brain)), key=attrgetter("ref"))),
                sources=tuple(
                    sorted(map(nodes.source, tx.run(cypher.DUMP_SOURCES, brain=brain)), key=attrgetter("id"))
                ),
            )

        return self._run(work)

    def remove_brain(self, brain: str) -> None:
        for query in (cypher.FORGET_ENTITIES, cypher.FORGET_CHUNKS, cypher.FORGET_SOURCES, cypher.FORGET_BRAIN):

            def work(tx: ManagedTransaction, query: str = query) -> int:
                row = tx.run(query, brain=brain, limit=_FORGET_AT_ONCE).single()
                return int(row["deleted"]) if row else 0

            while self._run(work, write=True):
                pass

    def ping(self) -> None:
        self._run(lambda tx: tx.run(cypher.PING).consume())

    def close(self) -> None:
        self._driver.close()

    def _run(self, work: Callable[[ManagedTransaction], T], *, write: bool = False) -> T:
        self._prepare()
        tries = 0

        @unit_of_work(timeout=_SECONDS)
        def counted(tx: ManagedTransaction) -> T:
            nonlocal tries
            tries += 1
            return work(tx)

        with _translated(), self._driver.session(database=self._database) as session:
            result = session.execute_write(counted) if write else session.execute_read(counted)
        if tries > 1:
            with self._lock:
                self.retried += tries - 1
            _log.info("neo4j transaction repeated %d times", tries - 1)
        return result

    def _prepare(self) -> None:
        """Constraints and indexes, once per process."""
        with self._lock:
            if self._prepared:
                return
            with _translated(), self._driver.session(database=self._database) as session:
                for statement in cypher.SCHEMA:
                    session.run(statement).consume()
                session.run(cypher.AWAIT_SCHEMA).consume()
            self._prepared = True


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except AuthError as error:
        raise ServiceRejected(_PASSWORD) from error
    except ClientError as error:
        if error.is_retryable() or "TransactionTimedOut" in (error.code or ""):
            raise ServiceUnavailable(_AWAY) from error
        raise ServiceRejected(_REFUSED, code=error.code or "") from error
    except (DriverError, Neo4jError) as error:
        raise ServiceUnavailable(_AWAY) from error


def _delete(tx: ManagedTransaction, brain: str, batch: GraphBatch) -> None:
    for query, gone in (
        (cypher.DELETE_RELATIONS, batch.gone_relations),
        (cypher.DELETE_ENTITIES, batch.gone_entities),
        (cypher.DELETE_CHUNKS, batch.gone_chunks),
        (cypher.DELETE_SOURCES, batch.gone_sources),
    ):
        for keys in _parts(sorted(_hash(brain, key) for key in gone)):
            tx.run(query, keys=keys).consume()
    if batch.gone_sources:
        tx.run(cypher.DELETE_CHUNKS_OF_SOURCES, brain=brain, sources=sorted(batch.gone_sources)).consume()


def _upsert(tx: ManagedTransaction, brain: str, batch: GraphBatch) -> None:
    """Sorted by key: writers that lock the same nodes in the same order wait for each other and do not cross."""
    rows = nodes.Rows(brain, _hash)
    for query, values, name in (
        (cypher.WRITE_SOURCES, rows.sources(batch.sources), "rows"),
        (cypher.WRITE_CHUNKS, chunks := rows.chunks(batch.chunks), "rows"),
        (cypher.DELETE_OLD_LINKS, chunks, "rows"),
        (cypher.WRITE_LINKS, rows.links(batch.chunks), "links"),
        (cypher.WRITE_ENTITIES, entities := rows.entities(batch.entities), "rows"),
        *_mentions(tx, entities, rows.mentions(batch.entities)),
        (cypher.WRITE_RELATIONS, rows.relations(batch.relations), "rows"),
    ):
        for part in _parts(values):
            tx.run(query, {name: part, "brain": brain}).consume()


def _mentions(
    tx: ManagedTransaction, entities: list[dict[str, Any]], mentions: list[dict[str, str]]
) -> list[tuple[str, list[dict[str, str]], str]]:
    """What to write so that exactly ``mentions`` are there."""
    wanted = {(each["entity"], each["chunk"]): each for each in mentions}
    kept: set[tuple[str, str]] = set()
    for part in _parts([row["key"] for row in entities]):
        for row in tx.run(cypher.MENTIONS_NOW, keys=part):
            kept.update((row["entity"], chunk) for chunk in row["chunks"])
    gone = [{"entity": entity, "chunk": chunk} for entity, chunk in sorted(kept - wanted.keys())]
    new = [wanted[pair] for pair in sorted(wanted.keys() - kept)]
    return [(cypher.DELETE_MENTIONS, gone, "mentions"), (cypher.WRITE_MENTIONS, new, "mentions")]


def _hash(brain: str, key: str) -> str:
    return hashlib.blake2b(f"{brain}\x1f{key}".encode(), digest_size=16).hexdigest()


def _parts(values: list[T]) -> Iterator[list[T]]:
    for start in range(0, len(values), _AT_ONCE):
        yield values[start : start + _AT_ONCE]


def _by_key(values: Iterable[K]) -> tuple[K, ...]:
    return tuple(sorted(values, key=attrgetter("key")))


def _column(rows: Any, name: str) -> list[str]:
    return [row[name] for row in rows]


def _phrases(words: list[str]) -> str:
    """A full-text query that asks for each word as a phrase; inside quotes only two characters mean anything."""
    return " AND ".join('"{}"'.format(word.replace("\\", "\\\\").replace('"', '\\"')) for word in words)
