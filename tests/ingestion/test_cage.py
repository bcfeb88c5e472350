"""Inside the cage: no network, no other program, nothing written, no secrets (promise S-23)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ingestion import reader
from tests.ingestion.files import run

INSIDE = (
    "import os, sys\nfrom ingestion.cage import close_the_door\n"
    "close_the_door(os.getppid(), {'memory_mb': 1024, 'cpu_seconds': 20, 'file_mb': 0})\n"
)


@pytest.mark.parametrize(
    "deed",
    [
        "import socket; socket.socket()",
        "import socket; socket.create_connection(('127.0.0.1', 80), 1)",
        "import socket; socket.getaddrinfo('localhost', 80)",
        "import subprocess; subprocess.run(['true'])",
        "os.system('true')",
        "os.fork()",
        "os.execv('/bin/true', ['true'])",
    ],
)
def test_inside_the_cage_there_is_no_network_and_no_other_program(deed: str) -> None:
    with run(f"{INSIDE}try:\n    {deed}\nexcept PermissionError:\n    print('refused')\n") as process:
        assert process.communicate()[0] == "refused\n"


def test_inside_the_cage_even_c_libraries_have_no_network() -> None:
    with run(f"{INSIDE}print(open('/proc/self/net/dev').read())") as process:
        interfaces = re.findall(r"^\s*(\w+):", process.communicate()[0], re.MULTILINE)
    if set(interfaces) - {"lo"}:
        pytest.skip("This machine gives no network name space to this user.")
    assert interfaces in ([], ["lo"])


def test_inside_the_cage_nothing_can_be_written(tmp_path: Path) -> None:
    target = tmp_path / "out"
    deed = f"os.write(os.open({str(target)!r}, os.O_CREAT | os.O_WRONLY), b'x')"
    with run(f"{INSIDE}try:\n    {deed}\nexcept OSError as error:\n    print(error.errno)\n") as process:
        assert process.communicate()[0] == "27\n"
    assert target.read_bytes() == b""


def test_secrets_of_the_installation_stay_outside() -> None:
    threads = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"}
    allowed = {"PATH", "LD_LIBRARY_PATH", "LANG", "DJANGO_SETTINGS_MODULE"} | threads
    assert set(reader._environment()) <= allowed


def test_the_cage_is_light() -> None:
    code = (
        "import sys, ingestion.cage, ingestion.loaders.pdf\n"
        "print(sorted({'django.db', 'brain.models', 'brain.settings', 'kiwipiepy', 'pypdf'} & set(sys.modules)))"
    )
    with run(code, environment={"DJANGO_SETTINGS_MODULE": "ingestion.cage_settings"}) as process:
        assert process.communicate()[0] == "[]\n"
