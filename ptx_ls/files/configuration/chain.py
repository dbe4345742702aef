"""Reads a configuration file with the files that it extends."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ptx_ls.files.configuration.access import ANY_FILE
from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.configuration.reading import read

if TYPE_CHECKING:
    from ptx_ls.files.configuration.access import FileAccess
    from ptx_ls.files.configuration.editorconfig import EditorFile
    from ptx_ls.files.configuration.reading import Values

_MAX_EXTENDED: Final = 20
"""Maximum number of files of which each extends the next."""


class ConfigurationReader:
    """Reads each configuration file once, through `access`."""

    def __init__(self, access: FileAccess = ANY_FILE) -> None:
        self._access = access
        self._known: dict[str, tuple[Values, ...]] = {}
        self._editor_files: dict[str, EditorFile] = {}

    def has(self, path: str) -> bool:
        """Whether there is a configuration file with this path."""
        return self._access.has(path)

    def values(self, path: str) -> tuple[Values, ...]:
        """Returns the values of a file after those of the files that it extends.

        They are empty for a `pyproject.toml` that has no table of ours.

        Raises:
            ConfigurationError: if one of them has a mistake, or extends itself.
        """
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def editor_file(self, path: str) -> EditorFile:
        """Returns the content of an `.editorconfig`.

        Raises:
            ConfigurationError: if it cannot be read, or has a mistake.
        """
        from ptx_ls.files.configuration import editorconfig  # noqa: PLC0415  for formatting only

        if path not in self._editor_files:
            self._editor_files[path] = editorconfig.editor_file(path, self._access)
        return self._editor_files[path]

    def _read(self, path: str) -> tuple[Values, ...]:
        found: list[Values] = []
        wanted: str | None = path
        while wanted is not None:
            values = read(wanted, self._access, path if found else "")
            if values is None:
                if not found:
                    return ()
                raise ConfigurationError(
                    f"{found[0].path}: `extend`: `{wanted}` has no `[tool.ptx-ls]`"
                )
            found.insert(0, values)
            if len(found) > _MAX_EXTENDED:
                raise ConfigurationError(
                    f"{path}: `extend` leads through more than {_MAX_EXTENDED} files"
                )
            extended = values.get("", "extend", None)
            folder = os.path.dirname(os.path.abspath(wanted))
            wanted = os.path.join(folder, os.path.expanduser(extended)) if extended else None
        return tuple(found)
