"""Finds the source files from which PTX was compiled, if the server may open them."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from ptx_ls.files import confinement
from ptx_ls.source import uris

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.server.session import Session

MAX_FILE_SIZE: Final = 10_000_000
"""Maximum size, in bytes, of a file from which a line is shown."""
MAX_LINE_LENGTH: Final = 1000
"""Maximum number of characters to show of a line."""


def find(session: Session, document_uri: str, name: str) -> str | None:
    """Returns the path of the file that an open document names; None if there is none.

    Tries the name relative to the document's directory and to each folder of the workspace, and
    then its base name there, since compilers write absolute paths of their machine. Finds only
    files that `confinement` allows: those below folders of the workspace or of the setting
    `ptx.sources.allowedFolders`, and those beside the document. Finds none in restricted mode.
    """
    opened = session.get(document_uri)
    if opened is None or session.is_restricted or not confinement.is_local(name):
        return None
    document = uris.to_path(opened.uri)
    directory = str(PurePath(document).parent) if document is not None else None
    if directory is not None and not session.client.rights.may_read(directory):
        directory = None
    folders = session.folders
    bases = [*([directory] if directory is not None else []), *folders]
    allowed = [*folders, *session.client.configuration.everywhere.source_folders]
    for path in _candidates(name, bases):
        found = confinement.confined(path, allowed, directory)
        if found is not None:
            return found
    return None


def line_of(path: str, number: int) -> str:
    """Returns the start of a line of a file, counted from 0; "" if the file cannot be read."""
    try:
        stream = confinement.open_regular(path)
        if stream is None:
            return ""
        with stream:
            if os.fstat(stream.fileno()).st_size > MAX_FILE_SIZE:
                return ""
            line = next(islice(stream, number, None), b"")
    except OSError:
        return ""
    return line.decode("utf-8", "replace").rstrip()[:MAX_LINE_LENGTH]


def _candidates(name: str, bases: Iterable[str]) -> Iterator[str]:
    path = PurePath(name)
    if path.is_absolute():
        yield name
    else:
        yield from (str(PurePath(base, path)) for base in bases)
    yield from (str(PurePath(base, path.name)) for base in bases)
