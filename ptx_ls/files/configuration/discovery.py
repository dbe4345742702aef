"""Finds the configuration of a file: the nearest one in its folder or above."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ptx_ls.files.configuration.chain import ConfigurationReader
from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.configuration.reading import NAMES
from ptx_ls.files.configuration.settings import ProjectConfiguration

if TYPE_CHECKING:
    from ptx_ls.files.configuration.reading import Values


class Configurations:
    """The configurations of the files of a run; each file is read once.

    `given`: values of the command line or the editor, which win. `only`: the file to use for all;
    None for the nearest one, "" for none. `reader`: reads the files, perhaps for others, too.
    """

    def __init__(
        self,
        given: Values | None = None,
        only: str | None = None,
        reader: ConfigurationReader | None = None,
    ) -> None:
        self._given, self._only = given, only
        self._reader = reader or ConfigurationReader()
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
            found = self._read(self._only) if self._only else self._with_given(())
            if found is None:
                raise ConfigurationError(f"{self._only}: there is no table `[tool.ptx-ls]`")
            return found
        for name in NAMES:
            path = os.path.join(folder, name)
            if self._reader.has(path):
                configuration = self._read(path)
                if configuration is not None:
                    return configuration
        above = os.path.dirname(folder)
        return self._with_given(()) if above == folder else self.of_folder(above)

    def _read(self, path: str) -> ProjectConfiguration | None:
        if path not in self._by_file:
            files = self._reader.values(path)
            self._by_file[path] = self._with_given(files) if files else None
        return self._by_file[path]

    def _with_given(self, files: tuple[Values, ...]) -> ProjectConfiguration:
        return ProjectConfiguration([*files, *([self._given] if self._given else [])])
