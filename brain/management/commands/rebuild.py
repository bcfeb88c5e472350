"""Make graph and vectors again from the ledger."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import CommandError

from brain.commands import LedgerCommand, amount
from brain.ledger import indexes, rebuild
from brain.models import Brain, Entity, Relation


class Command(LedgerCommand):
    help = (
        "Makes the graph and the vectors again from the ledger, in the configured stores, without asking a language "
        "model. After a change of BRAIN_EMBEDDER it fills the new index, which answers once it is complete."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--graph", action="store_true", help="only the graph")
        parser.add_argument("--vectors", action="store_true", help="only the vectors")
        parser.add_argument(
            "--reuse",
            default="",
            metavar="STORE",
            help="take vectors of the same texts from this store instead of embedding them, for example: edge",
        )

    def handle(self, *, graph: bool, vectors: bool, reuse: str, **_: Any) -> str:
        both = graph == vectors
        written = []
        for brain in Brain.objects.filter(deleted_at=None):
            if graph or both:
                if not rebuild.rebuild_graph(brain):
                    raise CommandError(
                        "Another process is writing to the graph. Stop the workers, then run this again."
                    )
                entities, relations = (kind.filter(brain=brain).count() for kind in (Entity.objects, Relation.objects))
                written.append(f"{brain.name}: {amount(entities, 'entities')}, {amount(relations, 'relations')}")
            if vectors or both:
                points = rebuild.rebuild_vectors(brain, indexes.configured(), self._report, reuse=reuse)
                written.append(f"{brain.name}: {amount(points, 'points')}")
        if vectors or both:
            indexes.activate(indexes.configured())
        return "\n".join(written) or "There is no brain yet."

    def _report(self, what: str, done: int, total: int) -> None:
        self.stderr.write(f"\r{what} {min(done, total)}/{total}", ending="")
