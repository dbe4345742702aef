"""How configuration files are read: a command reads any file, a server only those it may."""

from __future__ import annotations

import os
from typing import Final, Protocol

from ptx_ls.files.named import read_named


class FileAccess(Protocol):
    """Access to the files that a configuration consists of."""

    def has(self, path: str) -> bool:
        """Whether there is a configuration file with this path."""

    def has_entry(self, path: str) -> bool:
        """Whether there is a file or folder with this path."""

    def read(self, path: str, extended_by: str = "") -> bytes:
        """Returns the content of a file; `extended_by`: the file whose `extend` leads to it.

        Raises:
            OSError: if it cannot be read.
            ConfigurationError: if it may not be read.
        """


class AnyFile:
    """Access to all files."""

    def has(self, path: str) -> bool:
        """Whether there is a configuration file with this path.

        A broken link, a directory or a FIFO of that name is a mistake that is reported.
        """
        return os.path.lexists(path)

    def has_entry(self, path: str) -> bool:
        """Whether there is a file or folder with this path."""
        return os.path.exists(path)

    def read(self, path: str, extended_by: str = "") -> bytes:  # noqa: ARG002  all may be read
        """Returns the content of a file.

        Raises:
            OSError: if it cannot be read.
        """
        return read_named(path)


ANY_FILE: Final = AnyFile()
