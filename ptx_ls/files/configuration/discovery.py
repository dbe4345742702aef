"""Finds the configuration of a file: the nearest one in its folder or above."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ptx_ls.files.configuration.chain import ConfigurationReader
from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.configuration.reading import NAMES
from ptx_ls.files.configuration.settings import ProjectConfiguration

if TYPE_CHECKING:
    from ptx_ls.files.configuration.editorconfig import EditorFile, EditorStyle, EditorStyles
    from ptx_ls.files.configuration.reading import Values
    from ptx_ls.formatting import FormatStyle


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
        self._editor_styles: EditorStyles | None = None

    def of(self, path: str) -> ProjectConfiguration:
        """Returns the configuration of a file.

        Raises:
            ConfigurationError: if it has a mistake.
        """
        return self.of_folder(os.path.dirname(os.path.abspath(path)))

    def style_of(self, path: str) -> FormatStyle:
        """Returns the style of a file; its configuration wins over an `.editorconfig`.

        Raises:
            ConfigurationError: if one of them has a mistake.
        """
        return self.of(path).style_over(self.editor_style_of(path).fields)

    def editor_style_of(self, path: str) -> EditorStyle:
        """Returns what `.editorconfig` files say about a file.

        Raises:
            ConfigurationError: if one of them cannot be read.
        """
        from ptx_ls.files.configuration import editorconfig  # noqa: PLC0415  for formatting only

        if self._only == "":
            return editorconfig.NO_STYLE
        if self._editor_styles is None:
            self._editor_styles = editorconfig.EditorStyles(self._editor_file)
        return self._editor_styles.of(path)

    def of_folder(self, folder: str) -> ProjectConfiguration:
        """Returns the configuration of the files in a folder, given by its absolute path.

        Raises:
            ConfigurationError: if it has a mistake.
        """
        if self._only is not None:
            folder = ""  # one for all
        below: list[str] = []
        while folder not in self._by_folder:
            below.append(folder)
            found = self._only_one() if self._only is not None else self._within(folder)
            above = os.path.dirname(folder)
            if found is None and above == folder:
                found = self._with_given(())
            if found is not None:
                self._by_folder[folder] = found
            else:
                folder = above
        for each in below:
            self._by_folder[each] = self._by_folder[folder]
        return self._by_folder[folder]

    def _only_one(self) -> ProjectConfiguration:
        found = self._read(self._only) if self._only else self._with_given(())
        if found is None:
            raise ConfigurationError(f"{self._only}: expected a table `[tool.ptx-ls]`")
        return found

    def _within(self, folder: str) -> ProjectConfiguration | None:
        """Returns the configuration that a folder itself has."""
        for name in NAMES:
            path = os.path.join(folder, name)
            if self._reader.has(path):
                configuration = self._read(path)
                if configuration is not None:
                    return configuration
        return None

    def _editor_file(self, path: str) -> EditorFile | None:
        return self._reader.editor_file(path) if self._reader.has(path) else None

    def _read(self, path: str) -> ProjectConfiguration | None:
        if path not in self._by_file:
            files = self._reader.values(path)
            self._by_file[path] = self._with_given(files) if files else None
        return self._by_file[path]

    def _with_given(self, files: tuple[Values, ...]) -> ProjectConfiguration:
        return ProjectConfiguration([*files, *([self._given] if self._given else [])])
