"""Files for editors that are not run here can at least be read, and start the right program."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest

from tests.editors.colours import TEXT
from tests.editors.sessions import ROOT

pytestmark = pytest.mark.slow

EDITORS = ROOT / "editors"
SERVE = ["ptx-ls", "serve"]


def toml(name: str) -> dict[str, Any]:
    return tomllib.loads((EDITORS / name).read_text("utf-8"))


def patterns() -> dict[str, str]:
    """The patterns of Sublime Text's syntax with all variables filled in, by scope."""
    text = (EDITORS / "sublime" / "PTX.sublime-syntax").read_text("utf-8")
    variables = {
        name: value.strip("'")
        for name, value in re.findall(r"^  (\w+): (\(\?:.*|'.*')$", text, re.MULTILINE)
    }
    found = {}
    for pattern, scope in re.findall(r"- match: '?(.*?)'?\n\s+scope: (.*)$", text, re.MULTILINE):
        filled = re.sub(r"\{\{(\w+)\}\}", lambda each: variables[each[1]], pattern)
        found[scope] = filled.replace(r"\h", "[0-9A-Fa-f]")
    return found


def test_helix() -> None:
    settings = toml("helix/languages.toml")
    server = settings["language-server"]["ptx-ls"]
    assert [server["command"], *server["args"]] == SERVE
    assert settings["language"][0]["language-servers"] == ["ptx-ls"]
    assert settings["language"][0]["file-types"] == ["ptx"]


def test_kate() -> None:
    settings = json.loads((EDITORS / "kate" / "settings.json").read_text("utf-8"))
    server = settings["servers"]["ptx"]
    assert server["command"] == SERVE
    assert re.fullmatch(server["highlightingModeRegex"], "PTX")


def test_sublime() -> None:
    settings = json.loads((EDITORS / "sublime" / "LSP.sublime-settings").read_text("utf-8"))
    server = settings["clients"]["ptx-ls"]
    assert (server["command"], server["selector"]) == (SERVE, "source.ptx")


@pytest.mark.parametrize(
    ("scope", "first"),
    [
        ("keyword.operator.word.ptx", "ld"),
        ("keyword.control.directive.ptx", ".version"),
        ("support.constant.ptx", "sm_100a"),
        ("storage.type.ptx", ".b32"),
        ("constant.numeric.float.ptx", "8.6"),
        ("storage.modifier.ptx", ".global"),
    ],
)
def test_colours_of_sublime(scope: str, first: str) -> None:
    code = TEXT.partition("\n")[2]  # without its comment
    code = code.replace('"add.cu"', "")
    if scope == "storage.modifier.ptx":  # searched only after an opcode
        code = code[code.index("ld.global") :]
    found = re.search(patterns()[scope], code)
    assert found is not None
    assert found[0] == first


def test_zed() -> None:
    extension = toml("zed/extension.toml")
    language = toml("zed/languages/ptx/config.toml")
    assert extension["language_servers"]["ptx-ls"]["languages"] == [language["name"]]
    assert language["path_suffixes"] == ["ptx"]
