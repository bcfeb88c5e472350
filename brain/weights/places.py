"""Where a model's files are: ``MODELS_DIR/<id>/<file>``, or a file of one's own by its path."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext_noop as _

from brain.errors import InputError, ModelMissing
from brain.weights.catalogue import CATALOGUE, DEFAULTS, Model


def folder_of(model: Model) -> Path:
    return Path(settings.MODELS_DIR) / model.id


def is_ready(model: Model) -> bool:
    """Digests were verified when the files were put there; the sizes tell a whole file from a cut one."""
    folder = folder_of(model)
    return all(_has_size(folder / file.name, file.size) for file in model.files)


def path_of(model: str) -> Path:
    """The file of a model that is one file, the folder of one that is several. ``model``: an id or a path."""
    known = CATALOGUE.get(model)
    if known is not None:
        if not is_ready(known):
            raise ModelMissing(
                _("The model %(name)s is not installed yet. Run manage.py models; work goes on by itself then."),
                name=model,
            )
        return folder_of(known) / known.files[0].name if len(known.files) == 1 else folder_of(known)
    path = Path(model).expanduser()
    if _looks_like_path(model) and path.is_file():
        return path.resolve()
    folder = Path(settings.MODELS_DIR) / model
    own = sorted(folder.glob("*.gguf")) if not _looks_like_path(model) and folder.is_dir() else []
    if own:
        return own[0]
    raise ModelMissing(
        _("There is no model at %(name)s. Known models: %(known)s."), name=model, known=", ".join(sorted(CATALOGUE))
    )


def model_name(model: str) -> str:
    """How the model is called in records: its id, or the file name of one's own."""
    return Path(model).stem if _looks_like_path(model) else model


def use(model: str) -> str:
    """Remember which language model to use from now on: an id of the catalogue, or a GGUF file by its path."""
    if model not in CATALOGUE:
        path = Path(model).expanduser().resolve()
        if not path.is_file():
            raise InputError(_("There is no file %(name)s."), name=model)
        with path.open("rb") as file:
            if file.read(4) != b"GGUF":
                raise InputError(_("%(name)s is not a GGUF file, the kind of file llama.cpp reads."), name=path.name)
        model = str(path)
    _write_choice({"llm": model})
    return model


def chosen_llm(setting: str) -> str:
    """The remembered choice, else ``setting``; a path in the setting wins, for it was typed on purpose."""
    if _looks_like_path(setting):
        return setting
    return str(_choice().get("llm") or setting)


def wanted() -> tuple[str, ...]:
    """The models of the catalogue that this installation's settings need; a model server brings its own."""
    found = []
    if needs_engine() and chosen_llm(settings.BRAIN_LLM_MODEL) in CATALOGUE:
        found.append(chosen_llm(settings.BRAIN_LLM_MODEL))
    if settings.BRAIN_TRANSCRIBER == "faster-whisper":
        found += [model for model in DEFAULTS if model.startswith("stt.")]
    return tuple(found)


def needs_engine() -> bool:
    """Whether the language model runs in this installation's own processes."""
    return str(settings.BRAIN_LLM).partition(":")[0] == "llama-cpp"


def digest_of(model: str) -> str:
    """SHA-256 of the weights, hex; empty if they are not here. That of a file of one's own is computed once."""
    known = CATALOGUE.get(model)
    if known is not None:
        return known.files[0].sha256 if is_ready(known) else ""
    try:
        path = path_of(model)
    except ModelMissing:
        return ""
    stat = path.stat()
    mark = f"{path}:{stat.st_size}:{stat.st_mtime_ns}"
    choice = _choice()
    if choice.get("digest_of") != mark:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        choice |= {"digest_of": mark, "digest": digest}
        _write_choice(choice)
    return choice["digest"]


def _looks_like_path(model: str) -> bool:
    return "/" in model or "\\" in model or model.lower().endswith(".gguf")


def _has_size(path: Path, size: int) -> bool:
    try:
        return path.stat().st_size == size
    except OSError:
        return False


def _choice_file() -> Path:
    return Path(settings.MODELS_DIR) / "custom.json"


def _choice() -> dict[str, str]:
    try:
        found = json.loads(_choice_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def _write_choice(choice: dict[str, str]) -> None:
    path = _choice_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(choice, indent=1, ensure_ascii=False), encoding="utf-8")
    os.replace(draft, path)
