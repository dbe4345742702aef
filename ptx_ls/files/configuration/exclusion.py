"""Decides which files and folders a search leaves out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ptx_ls.files.configuration.access import ANY_FILE
from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.configuration.git_files import files_of_repository
from ptx_ls.files.configuration.patterns import decision, patterns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.files.configuration.access import FileAccess
    from ptx_ls.files.configuration.discovery import Configurations


class Exclusion:
    """The paths that the configurations and the `.gitignore` files exclude.

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
        self._of_repositories: dict[str, list[tuple[str, ...]]] = {}

    def excludes(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether a path is left out; the folders above it are not asked."""
        absolute = os.path.abspath(path)
        configuration = self._configurations.of(absolute)
        if configuration.excludes(absolute, is_folder=is_folder):
            return True
        asks_git = self._asks_git and configuration.respects_gitignore
        return asks_git and self._is_git_ignored(absolute, is_folder=is_folder)

    def excludes_named(self, path: str) -> bool:
        """Whether a file is left out, or a folder above it in its repository."""
        return self.excludes(path) or self.excludes_folder(os.path.dirname(os.path.abspath(path)))

    def excludes_folder(self, path: str) -> bool:
        """Whether a folder is left out, or a folder above it in its repository."""
        path = os.path.abspath(path)
        while path not in (self._repository(path), os.path.dirname(path)):
            if self.excludes(path, is_folder=True):
                return True
            path = os.path.dirname(path)
        return False

    def _is_git_ignored(self, path: str, *, is_folder: bool) -> bool:
        """Whether the nearest `.gitignore` that has a pattern for a path ignores it.

        If none has, the other files of the repository decide.
        """
        folder = os.path.dirname(path)
        root = self._repository(folder)
        if not root:
            return False
        for each in _up_to(folder, root):
            patterns = self._patterns(os.path.join(each, ".gitignore"))
            found = decision(patterns, path, each, is_folder=is_folder)
            if found is not None:
                return found
        for patterns in self._further_patterns(root):
            found = decision(patterns, path, root, is_folder=is_folder)
            if found is not None:
                return found
        return False

    def _further_patterns(self, root: str) -> list[tuple[str, ...]]:
        """Returns the patterns of the files of a repository besides each `.gitignore`."""
        if root not in self._of_repositories:
            self._of_repositories[root] = [
                self._patterns(path, led_by)
                for path, led_by in files_of_repository(root, self._access)
            ]
        return self._of_repositories[root]

    def _repository(self, folder: str) -> str:
        """Returns the folder of the git repository that contains a folder; "" if none does."""
        below: list[str] = []
        while folder not in self._repositories:
            below.append(folder)
            above = os.path.dirname(folder)
            if self._access.has_entry(os.path.join(folder, ".git")):
                self._repositories[folder] = folder
            elif above == folder:
                self._repositories[folder] = ""
            else:
                folder = above
        root = self._repositories[folder]
        self._repositories.update(dict.fromkeys(below, root))
        return root

    def _patterns(self, path: str, led_by: str = "") -> tuple[str, ...]:
        """Returns the patterns in a file; none if it cannot be read.

        `led_by`: the file that leads to it, if one does.
        """
        if path not in self._ignores:
            try:
                self._ignores[path] = patterns_of(self._access.read(path, led_by))
            except (OSError, ValueError, ConfigurationError):
                self._ignores[path] = ()
        return self._ignores[path]


def _up_to(folder: str, root: str) -> Iterator[str]:
    """Yields a folder and those above it, up to `root`."""
    yield folder
    while folder != root:
        folder = os.path.dirname(folder)
        yield folder
