"""The files that PTX was made of, where they can be found."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ptx_ls.source import uris

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LARGEST: Final = 10_000_000
"""Bytes of a file of which a line is read while somebody waits."""


def find(document_uri: str, name: str, folders: Iterable[str]) -> Path | None:
    """The file that a document means by a name; None if there is none.

    As named, from the document's folder or from one of `folders`. Compilers write whole paths of
    the machine that they ran on, so beside the document at last.
    """
    for path in _candidates(document_uri, name, folders):
        try:
            if path.is_file():
                return path.resolve()
        except (OSError, ValueError):  # no path of this system
            continue
    return None


def uri_of(path: Path) -> str:
    """The URI of a file that was found."""
    return uris.from_path(str(path))


def line_of(path: Path, number: int) -> str:
    """A line of a file, counted from 0; "" where it cannot be read or is not that long."""
    try:
        if path.stat().st_size > _LARGEST:
            return ""
        with path.open(encoding="utf-8", errors="replace") as lines:
            return next(islice(lines, number, None), "").rstrip()
    except OSError:
        return ""


def _candidates(document_uri: str, name: str, folders: Iterable[str]) -> Iterator[Path]:
    document = uris.to_path(document_uri)
    bases = [*([Path(document).parent] if document is not None else []), *map(Path, folders)]
    path = Path(name)
    if path.is_absolute():
        yield path
    else:
        yield from (base / path for base in bases)
    yield from (base / path.name for base in bases)
