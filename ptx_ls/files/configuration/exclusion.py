"""Decides which files and folders a search leaves out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ptx_ls.files.configuration.access import ANY_FILE
from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.configuration.patterns import decision, patterns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.files.configuration.access import FileAccess
    from ptx_ls.files.configuration.discovery import Configurations


class Exclusion:
    """What the configurations and the `.gitignore` files leave out.

    `asks_git`: whether the `.gitignore` files count, if the configurations respect them.
    """

    def __init__(
        self,
        configurations: Configurations,
        access: FileAccess = ANY_FILE,
        *,
        asks_git: bool = True,
    ) -> None:
        self._configurations, self._access = configurations, access
        self._asks_git = asks_git
        self._ignores: dict[str, tuple[str, ...]] = {}
        self._repositories: dict[str, str] = {}

    def excludes(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether a path is left out; the folders above it are not asked."""
        absolute = os.path.abspath(path)
        configuration = self._configurations.of(absolute)
        if configuration.excludes(absolute, is_folder=is_folder):
            return True
        asks_git = self._asks_git and configuration.respects_gitignore
        return asks_git and self._is_git_ignored(absolute, is_folder=is_folder)

    def excludes_named(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether a path is left out, or a folder above it in its repository."""
        if self.excludes(path, is_folder=is_folder):
            return True
        above = os.path.dirname(os.path.abspath(path))
        is_top = above in (self._repository(above), os.path.dirname(above))
        return not is_top and self.excludes_named(above, is_folder=True)

    def _is_git_ignored(self, path: str, *, is_folder: bool) -> bool:
        """Whether the nearest `.gitignore` that has a pattern for a path ignores it."""
        folder = os.path.dirname(path)
        root = self._repository(folder)
        folders = [*_up_to(folder, root)] if root else []
        decisions = (
            decision(self._ignore(each), path, each, is_folder=is_folder) for each in folders
        )
        return next((each for each in decisions if each is not None), False)

    def _repository(self, folder: str) -> str:
        """Returns the folder of the git repository that contains a folder; "" if none does."""
        if folder not in self._repositories:
            above = os.path.dirname(folder)
            if self._access.has_entry(os.path.join(folder, ".git")):
                self._repositories[folder] = folder
            else:
                self._repositories[folder] = "" if above == folder else self._repository(above)
        return self._repositories[folder]

    def _ignore(self, folder: str) -> tuple[str, ...]:
        """Returns the patterns of the `.gitignore` in a folder."""
        if folder not in self._ignores:
            try:
                content = self._access.read(os.path.join(folder, ".gitignore"))
                self._ignores[folder] = patterns_of(content)
            except (OSError, ConfigurationError):
                self._ignores[folder] = ()
        return self._ignores[folder]


def _up_to(folder: str, root: str) -> Iterator[str]:
    """Yields a folder and those above it, up to `root`."""
    yield folder
    while folder != root:
        folder = os.path.dirname(folder)
        yield folder
