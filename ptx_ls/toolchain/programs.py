"""Finds programs; never in the current directory, which may be an untrusted workspace."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def file_name(name: str) -> str:
    """Returns the file name of a program on this system."""
    return f"{name}.exe" if sys.platform == "win32" else name


def on_path(name: str) -> Path | None:
    """Returns the first program called `name` in the absolute directories of `PATH`, or None.

    `shutil.which` also looks in the current directory: on Windows always, elsewhere for an empty
    or relative entry.
    """
    for directory in os.get_exec_path():
        path = Path(directory, file_name(name))
        if path.is_absolute() and path.is_file() and os.access(path, os.X_OK):
            return path
    return None


def chosen(setting: str) -> Path | None:
    """Returns the program that a setting names, by an absolute path or by a name on `PATH`."""
    path = Path(setting).expanduser()
    if path.is_absolute():
        return path if path.is_file() else None
    is_name = len(path.parts) == 1
    return on_path(path.stem if sys.platform == "win32" else path.name) if is_name else None
