"""Finds, refreshes and opens the compiled database.

In a wheel, the compiled file is beside the data and never stale. In a source checkout it is rebuilt
when the TOML files or the compiler have changed: beside the data, else in the user's cache
directory, else in memory only.
"""

from __future__ import annotations

import marshal
import os
import sys
from typing import Any

from ptx_ls.source.user_folders import cache_folder

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
DATA_DIRECTORY = os.path.join(_PACKAGE, "data")
COMPILED_NAME = "compiled.marshal"
_MAGIC = b"ptx-ls isa 1\n"
_LENGTH_BYTES = 8
_COMPILER = (
    "event_words.py", "facts.py", "version.py", "notation/build.py", "notation/compiler.py",
    "notation/event_entries.py", "notation/expression.py", "notation/expression_parser.py",
    "notation/form_entries.py", "notation/notation.py", "notation/operand_spec_parser.py",
    "notation/table.py",
)  # fmt: skip


class CompiledFile:
    """The index of a compiled database, and its blocks by position."""

    __slots__ = ("_base", "_content", "index")

    def __init__(self, content: bytes) -> None:
        start = len(_MAGIC) + _LENGTH_BYTES
        if not content.startswith(_MAGIC):
            raise ValueError("not a compiled ISA database")
        length = int.from_bytes(content[len(_MAGIC) : start], "little")
        self.index: dict[str, Any] = marshal.loads(content[start : start + length])
        self._content = content
        self._base = start + length

    def block(self, position: tuple[int, int]) -> Any:
        """Decodes one block."""
        start, length = position
        return marshal.loads(self._content[self._base + start : self._base + start + length])


def source_stamp() -> tuple[tuple[str, int, int], ...]:
    """Returns the name, size and time of every file that the compiled database depends on."""
    entries = []
    for folder in ("", "instructions", "chapters"):
        directory = os.path.join(DATA_DIRECTORY, folder)
        with os.scandir(directory) as files:
            for file in files:
                if file.name.endswith(".toml"):
                    state = file.stat()
                    entries.append((file.name, state.st_size, state.st_mtime_ns))
    for name in _COMPILER:
        state = os.stat(os.path.join(_PACKAGE, name))
        entries.append((name, state.st_size, state.st_mtime_ns))
    return tuple(sorted(entries))


def open_compiled() -> CompiledFile:
    """Returns the compiled database, rebuilt first if it is missing or stale.

    Raises `ptx_ls.isa.notation.compiler.IsaDataError` when a data file is wrong.
    """
    paths = [os.path.join(DATA_DIRECTORY, COMPILED_NAME), *_cache_paths()]
    stamp: tuple[tuple[str, int, int], ...] | None = None
    for path in paths:
        compiled = _read(path)
        if compiled is None:
            continue
        if compiled.index["stamp"] is None:
            return compiled
        stamp = stamp or source_stamp()
        if compiled.index["stamp"] == stamp:
            return compiled
    return _rebuild(paths, stamp or source_stamp())


def _read(path: str) -> CompiledFile | None:
    try:
        with open(path, "rb") as file:
            return CompiledFile(file.read())
    except (OSError, ValueError, EOFError, TypeError):
        return None


def _rebuild(paths: list[str], stamp: tuple[tuple[str, int, int], ...]) -> CompiledFile:
    from pathlib import Path

    from ptx_ls.isa.notation.build import build

    content = build(Path(DATA_DIRECTORY), stamp)
    for path in paths:
        if _write(path, content):
            break
    return CompiledFile(content)


def _write(path: str, content: bytes) -> bool:
    """Replaces a file atomically, so that no other process reads half of it; False on failure."""
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError:
        return False
    return True


def _cache_paths() -> list[str]:
    """Returns where the compiled database goes when the package directory is read-only."""
    folder = cache_folder(sys.platform, os.environ, os.path.expanduser("~"))
    if not os.path.isabs(folder):
        return []
    from ptx_ls import __version__

    return [os.path.join(folder, f"isa-{__version__}.marshal")]
