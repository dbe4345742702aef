"""Finds the configuration of a file: the nearest one in its folder or above."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.configuration.reading import NAMES, read
from ptx_ls.files.configuration.settings import ProjectConfiguration

if TYPE_CHECKING:
    from ptx_ls.files.configuration.reading import Values

_MAX_EXTENDED: Final = 20
"""Maximum number of files of which each extends the next."""


class Configurations:
    """The configurations of the files of a run; each file is read once.

    `given`: values of the command line, which win. `only`: the file to use for all; None for the
    nearest one, "" for none.
    """

    def __init__(self, given: Values | None = None, only: str | None = None) -> None:
        self._given, self._only = given, only
        self._by_folder: dict[str, ProjectConfiguration] = {}
        self._by_file: dict[str, ProjectConfiguration | None] = {}

    def of(self, path: str) -> ProjectConfiguration:
        """Returns the configuration of a file.

        Raises:
            ConfigurationError: if it has a mistake.
        """
        return self.of_folder(os.path.dirname(os.path.abspath(path)))

    def of_folder(self, folder: str) -> ProjectConfiguration:
        """Returns the configuration of the files in a folder, given by its absolute path.

        Raises:
            ConfigurationError: if it has a mistake.
        """
        if self._only is not None:
            folder = ""  # one for all
        if folder not in self._by_folder:
            self._by_folder[folder] = self._find(folder)
        return self._by_folder[folder]

    def _find(self, folder: str) -> ProjectConfiguration:
        if self._only is not None:
            found = self._read(self._only) if self._only else self._with_given([])
            if found is None:
                raise ConfigurationError(f"{self._only}: there is no table `[tool.ptx-ls]`")
            return found
        for name in NAMES:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                configuration = self._read(path)
                if configuration is not None:
                    return configuration
        above = os.path.dirname(folder)
        return self._with_given([]) if above == folder else self.of_folder(above)

    def _read(self, path: str) -> ProjectConfiguration | None:
        if path not in self._by_file:
            files = _with_extended(path)
            self._by_file[path] = self._with_given(files) if files else None
        return self._by_file[path]

    def _with_given(self, files: list[Values]) -> ProjectConfiguration:
        return ProjectConfiguration([*files, *([self._given] if self._given else [])])


def _with_extended(path: str) -> list[Values]:
    """Returns the values of a file after those of the files that it extends; empty if it has none.

    Raises:
        ConfigurationError: if one of them has a mistake, or extends itself.
    """
    found: list[Values] = []
    wanted: str | None = path
    while wanted is not None:
        values = read(wanted)
        if values is None:
            if not found:
                return []
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
    return found
