"""Identifies the program, so that a result of other code or other data is never used."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import ptx_ls
from ptx_ls.cli.cache.digest import digest_of_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

_PACKAGE: Final = os.path.dirname(os.path.abspath(ptx_ls.__file__))
_DERIVED: Final = ("__pycache__", "compiled.marshal")
"""The folders and files that are made from the others."""
_PARSER: Final = "parso"
"""The package that parses statements."""


def program_digest() -> bytes:
    """Returns a digest of the code and the data of ptx-ls, of its parser and of the Python version.

    For an installed package, it is made from the hashes that its installer recorded, which are the
    same on all machines; for a checkout, from the size and the time of each file.

    Raises:
        OSError: if the package is not in a folder.
    """
    version = f"{sys.version}\n{ptx_ls.__version__}\n".encode()
    site = os.path.dirname(_PACKAGE)
    recorded = _recorded(site)
    files = b"".join(sorted(_stamps(_PACKAGE) if recorded is None else recorded))
    return digest_of_parts(version, files, *map(os.fsencode, _parser_versions(site)))


def _recorded(site: str) -> list[bytes] | None:
    """Returns what an installer recorded of the files of the package; None in a checkout."""
    record = os.path.join(site, f"ptx_ls-{ptx_ls.__version__}.dist-info", "RECORD")
    try:
        with open(record, "rb") as stream:
            lines = stream.read().splitlines(keepends=True)
    except OSError:
        return None
    own = [line for line in lines if line.startswith(b"ptx_ls/") and b"__pycache__" not in line]
    return own if any(b"sha256=" in line for line in own) else None


def _stamps(folder: str) -> Iterator[bytes]:
    """Yields a line about each file in a folder and below it, in no particular order."""
    with os.scandir(folder) as found:
        for each in found:
            if each.name.startswith(_DERIVED):
                continue
            if each.is_dir(follow_symlinks=False):
                yield from _stamps(each.path)
            else:
                state = each.stat()
                stamp = f"\t{state.st_size}\t{state.st_mtime_ns}\n"
                yield os.fsencode(each.path) + stamp.encode()


def _parser_versions(site: str) -> list[str]:
    """Returns the names of the folders that say which version of the parser is installed."""
    for folder in (site, *sys.path):
        if os.path.isdir(os.path.join(folder, _PARSER)):
            begin = f"{_PARSER}-"
            return sorted(name for name in os.listdir(folder) if name.startswith(begin))
    return []
