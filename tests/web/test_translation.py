"""Every sentence a person may read has a Korean twin, and the compiled catalogue is that of the text."""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.template import engines
from django.template.base import Template
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

CATALOGUE = Path(settings.BASE_DIR, "locale", "ko", "LC_MESSAGES")
_STRING = re.compile(r'^"((?:[^"\\]|\\.)*)"$', re.MULTILINE)
_PLACES = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")


def entries() -> dict[str, str]:
    """msgid to its translation, from the text catalogue."""
    found = {}
    for block in (CATALOGUE / "django.po").read_text(encoding="utf-8").split("\n\n"):
        parts = re.split(r"^(msgid_plural|msgid|msgstr\[0\]|msgstr) ", block, flags=re.MULTILINE)
        said = {name: _joined(text) for name, text in zip(parts[1::2], parts[2::2], strict=True)}
        if said.get("msgid"):
            found[said["msgid"]] = said.get("msgstr", said.get("msgstr[0]", ""))
    return found


def _joined(text: str) -> str:
    return "".join(ast.literal_eval(f'"{part}"') for part in _STRING.findall(text))


def marked_in_python() -> Iterator[str]:
    """Literals inside ``_()``, ``gettext()`` and ``ngettext()``."""
    for package in ("brain", "ingestion", "graphqa"):
        for path in Path(settings.BASE_DIR, package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"_", "gettext", "ngettext"}:
                    yield from _literals(node)


def _literals(node: ast.Call) -> Iterator[str]:
    if node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
        yield node.args[0].value


def marked_in_templates() -> Iterator[str]:
    engine = engines["django"].engine  # type: ignore[attr-defined]
    for path in Path(settings.BASE_DIR, "templates").rglob("*.html"):
        template: Template = engine.from_string(path.read_text(encoding="utf-8"))
        for node in template.nodelist.get_nodes_by_type(TranslateNode):
            yield str(node.filter_expression.var.literal or node.filter_expression.var)
        for node in template.nodelist.get_nodes_by_type(BlockTranslateNode):
            yield node.render_token_list(node.singular)[0]


def test_every_marked_sentence_is_translated() -> None:
    known = {msgid: text for msgid, text in entries().items() if text}
    marked = {*marked_in_python(), *marked_in_templates()}
    assert len(marked) > 300
    assert sorted(marked - known.keys()) == []


def test_a_translation_has_the_same_places_for_names_and_numbers() -> None:
    different = [msgid for msgid, text in entries().items() if _places(msgid) != _places(text)]
    assert different == []


def _places(text: str) -> set[str]:
    return {"".join(found) for found in _PLACES.findall(text)}


def test_the_compiled_catalogue_is_that_of_the_text() -> None:
    with (CATALOGUE / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for msgid, text in entries().items():
        assert compiled.gettext(msgid) == text or compiled.ngettext(msgid, "", 1) == text


@pytest.mark.parametrize("sentence", ["The file is empty.", "Log in"])
def test_korean_pages_speak_korean(sentence: str) -> None:
    assert re.search("[가-힣]", entries()[sentence])
