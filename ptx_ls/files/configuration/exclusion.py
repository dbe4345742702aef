"""Decides which files and folders a search leaves out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ptx_ls.files.configuration.settings import matches

if TYPE_CHECKING:
    from ptx_ls.files.configuration.discovery import Configurations


class Exclusion:
    """What the configurations and the `.gitignore` files leave out."""

    def __init__(self, configurations: Configurations) -> None:
        self._configurations = configurations
        self._ignores: dict[str, Any] = {}
        self._repositories: dict[str, str] = {}

    def excludes(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether a path is left out; the folders above it are not asked."""
        absolute = os.path.abspath(path)
        configuration = self._configurations.of(absolute)
        named = absolute + os.sep if is_folder else absolute
        if configuration.excluded and matches(configuration.excluded, named, configuration.folder):
            return True
        return configuration.respects_gitignore and self._is_git_ignored(absolute, is_folder)

    def _is_git_ignored(self, path: str, is_folder: bool) -> bool:  # noqa: FBT001
        """Whether the nearest `.gitignore` that has a pattern for a path ignores it."""
        folder = os.path.dirname(path)
        root = self._repository(folder)
        while root and len(folder) >= len(root):
            spec = self._ignore(folder)
            if spec is not None:
                beside = os.path.relpath(path, folder).replace(os.sep, "/")
                decision = spec.check_file(f"{beside}/" if is_folder else beside).include
                if decision is not None:
                    return bool(decision)
            folder = os.path.dirname(folder)
        return False

    def _repository(self, folder: str) -> str:
        """Returns the folder of the git repository that contains a folder; "" if none does."""
        if folder not in self._repositories:
            above = os.path.dirname(folder)
            if os.path.exists(os.path.join(folder, ".git")):
                self._repositories[folder] = folder
            else:
                self._repositories[folder] = "" if above == folder else self._repository(above)
        return self._repositories[folder]

    def _ignore(self, folder: str) -> Any:  # noqa: ANN401  pathspec is loaded when it is needed
        """Returns the patterns of the `.gitignore` in a folder; None if there is none."""
        if folder not in self._ignores:
            self._ignores[folder] = None
            try:
                with open(os.path.join(folder, ".gitignore"), "rb") as stream:
                    lines = stream.read().decode("utf-8", "surrogateescape").splitlines()
            except OSError:
                lines = []
            if lines:
                from pathspec import GitIgnoreSpec  # noqa: PLC0415

                self._ignores[folder] = GitIgnoreSpec.from_lines(lines)
        return self._ignores[folder]
