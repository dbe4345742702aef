"""The colours of tokens in the default themes of VS Code, read from VS Code itself."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import pytest

from tests.editors import vscode_setup
from tests.editors.contrast import DISTINCT, READABLE, contrast, difference
from tests.editors.vscode_setup import EXTENSION, NEWEST

pytestmark = pytest.mark.slow

THEMES: Final = (
    "dark_modern",
    "light_modern",
    "2026-dark",
    "2026-light",
    "hc_black",
    "hc_light",
)
"""The themes that VS Code begins with, since 2023 and since 2026, and those of high contrast."""
REGISTERS: Final = ("integer", "float", "predicate", "address")
BACKGROUNDS: Final = {"hc_light": "#FFFFFF"}
"""Of themes that leave it to VS Code."""


class Theme:
    """A theme, with the colours of the themes that it includes."""

    def __init__(self, path: Path) -> None:
        self.colours: dict[str, str] = {}
        self.rules: list[tuple[str, str]] = []
        self._include(path)

    def _include(self, path: Path) -> None:
        read = _json(path)
        if "include" in read:
            self._include(path.parent / read["include"])
        self.colours |= read.get("colors", {})
        for rule in read.get("tokenColors", ()):
            colour = rule["settings"].get("foreground")
            scopes = rule.get("scope", ())
            listed = scopes.split(",") if isinstance(scopes, str) else scopes
            self.rules += ((scope.strip(), colour) for scope in listed if colour)

    def colour(self, name: str) -> str:
        """The colour of what a grammar gives this name: of the longest scope, the last rule."""
        fitting = [(scope, it) for scope, it in self.rules if f"{name}.".startswith(f"{scope}.")]
        longest = max((scope.count(".") for scope, _ in fitting), default=0)
        found = [it for scope, it in fitting if scope.count(".") == longest]
        return found[-1] if found else self.colours["editor.foreground"]


def _json(path: Path) -> dict[str, Any]:
    text = re.sub(r"^\s*//.*$", "", path.read_text("utf-8"), flags=re.MULTILINE)
    read = json.loads(re.sub(r",(\s*[}\]])", r"\1", text))
    assert isinstance(read, dict)
    return read


def contributes() -> dict[str, Any]:
    """The contributions of the extension to VS Code."""
    manifest = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    assert isinstance(manifest["contributes"], dict)
    return manifest["contributes"]


def scopes() -> dict[str, list[str]]:
    """The names of the grammar whose colours the tokens of the server have."""
    (found,) = contributes()["semanticTokenScopes"]
    assert isinstance(found["scopes"], dict)
    return found["scopes"]


@pytest.fixture(scope="module")
def themes() -> Path:
    with vscode_setup.locked():
        folder = vscode_setup.vscode(NEWEST)
    return folder / "extensions" / "theme-defaults" / "themes"


def test_themes_that_leave_out_the_colours_of_servers_show_them() -> None:
    """The light theme of high contrast is one of them."""
    assert contributes()["configurationDefaults"]["[ptx]"]["editor.semanticHighlighting.enabled"]


@pytest.mark.parametrize("name", THEMES)
def test_classes_of_registers_are_readable_and_distinct(name: str, themes: Path) -> None:
    theme, listed = Theme(themes / f"{name}.json"), scopes()
    background = theme.colours.get("editor.background") or BACKGROUNDS[name]
    colours = {it: theme.colour(listed[f"register.{it}"][0]) for it in REGISTERS}
    for register, colour in colours.items():
        assert contrast(colour, background) >= READABLE, (register, colour)
    for one, other in combinations(REGISTERS, 2):
        assert difference(colours[one], colours[other]) >= DISTINCT, (one, other, colours)


@pytest.mark.parametrize("name", THEMES)
def test_all_tokens_are_readable(name: str, themes: Path) -> None:
    theme = Theme(themes / f"{name}.json")
    background = theme.colours.get("editor.background") or BACKGROUNDS[name]
    for token, (scope, *_) in scopes().items():
        assert contrast(theme.colour(scope), background) >= READABLE, token


def test_unreachable_code_is_not_faded_twice() -> None:
    """VS Code fades what a diagnostic calls unnecessary, and a faint colour would be too faint."""
    assert not [token for token in scopes() if token.endswith("unreachable")]
