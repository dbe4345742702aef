"""The extension for VS Code: its own tests where Node is there, and what has to hold without."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import ptx_ls
from ptx_ls.server.client_state.setting_values import RuleSeverities
from ptx_ls.server.client_state.settings import SECTION, SETTINGS
from tests.editors import vscode_setup

FOLDER = Path(ptx_ls.__file__).parents[1] / "vscode-extension"


def check_pattern(grammar: object) -> None:
    """Every pattern of a grammar is one that Python reads, too; Oniguruma takes more."""
    if isinstance(grammar, dict):
        for key, value in grammar.items():
            if key in ("match", "begin", "end"):
                re.compile(value)
            check_pattern(value)
    elif isinstance(grammar, list):
        for each in grammar:
            check_pattern(each)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("syntaxes/*.json")), ids=lambda path: path.stem)
def test_patterns_of_grammars(path: Path) -> None:
    check_pattern(json.loads(path.read_text("utf-8")))


def test_every_setting_of_the_server_is_offered() -> None:
    manifest = json.loads((FOLDER / "package.json").read_text("utf-8"))
    offered = {
        name: schema
        for section in manifest["contributes"]["configuration"]
        for name, schema in section["properties"].items()
    }
    for setting in SETTINGS:
        default: object = setting.default
        sent = sorted(default) if isinstance(default, frozenset | tuple) else default
        if isinstance(default, RuleSeverities):
            sent = dict(default.by_name)
        assert offered[f"{SECTION}.{setting.key}"]["default"] == sent


def test_no_workspace_names_a_program_or_more_folders() -> None:
    manifest = json.loads((FOLDER / "package.json").read_text("utf-8"))
    scopes = {
        name: schema["scope"]
        for section in manifest["contributes"]["configuration"]
        for name, schema in section["properties"].items()
    }
    reaching = {f"{SECTION}.{it.key}" for it in SETTINGS if it.reaches_out}
    own = {name for name in scopes if name.endswith((".path", ".command"))}
    assert {f"{SECTION}.ptxas.path", f"{SECTION}.server.command"} <= reaching | own
    assert {scopes[name] for name in reaching | own} == {"machine"}
    restricted = manifest["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert set(restricted) == reaching | own


def test_what_is_installed_is_fixed_and_names_no_host() -> None:
    lock = (FOLDER / "package-lock.json").read_text("utf-8")
    assert '"resolved"' not in lock
    assert lock.count('"integrity"') > 1


@pytest.mark.slow
def test_the_extension_passes_its_own_tests() -> None:
    with vscode_setup.locked():
        environment = {**os.environ, **vscode_setup.tools(), "NO_COLOR": "1"}
    npm = shutil.which("npm", path=environment["PATH"])
    assert npm is not None
    done = subprocess.run(
        [npm, "test"], cwd=FOLDER, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
