"""Resolves the settings of documents from the configuration files of projects.

These functions block: use one thread.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ptx_ls.files.configuration.chain import ConfigurationReader
from ptx_ls.files.configuration.discovery import Configurations
from ptx_ls.files.configuration.editorconfig import EditorFile
from ptx_ls.files.configuration.errors import ConfigurationError
from ptx_ls.files.configuration.exclusion import Exclusion
from ptx_ls.files.configuration.reading import Values
from ptx_ls.lint.rule_settings import RuleSettings, without_rules
from ptx_ls.server.workspace.configuration_access import WorkspaceAccess
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ptx_ls.formatting import FormatStyle
    from ptx_ls.server.workspace.configuration_access import ReadableFolders
    from ptx_ls.server.workspace.editor_values import EditorValues

Content = TypeVar("Content")


class DocumentSettings(NamedTuple):
    """The settings of one document that a project can set.

    Attributes:
        rules: the settings of rules; all are off if the document is excluded.
        style: the style for formatting it.
        is_excluded: whether a configuration excludes it.
    """

    rules: RuleSettings
    style: FormatStyle
    is_excluded: bool = False


class WantedSettings(NamedTuple):
    """A document whose settings are wanted.

    Attributes:
        path: its file; None if it has none.
        values: the values that the editor sets for it.
        is_open: whether it is open; else it is also excluded if git ignores it.
    """

    path: str | None
    values: EditorValues
    is_open: bool


class ProjectFiles:
    """The configuration files of the workspace, as they were read last.

    A file with a mistake keeps its last good values.
    """

    def __init__(self) -> None:
        self._snapshot: _Snapshot | None = None
        self._good = _LastGood({}, {})
        self._told: dict[str, tuple[str, bytes]] = {}

    def refresh(self, folders: ReadableFolders) -> bool:
        """Notices changes of files and folders; returns whether there are any."""
        last = self._snapshot
        if last is not None and last.access.folders == folders and not last.access.has_changed():
            return False
        self._snapshot = _Snapshot(WorkspaceAccess(folders), self._good)
        return last is not None

    def settings(
        self, wanted: Iterable[WantedSettings], folders: ReadableFolders
    ) -> tuple[list[DocumentSettings], list[str]]:
        """Returns the settings of documents, and the mistakes in files that are new."""
        snapshot = self._snapshot
        if snapshot is None or snapshot.access.folders != folders:
            snapshot = self._snapshot = _Snapshot(WorkspaceAccess(folders), self._good)
        found = [snapshot.settings(each) for each in wanted]
        return found, self._news(snapshot)

    def _news(self, snapshot: _Snapshot) -> list[str]:
        """Returns the mistakes that the user has not been shown since the file changed."""
        for path in snapshot.reader.correct:
            self._told.pop(path, None)
        found = []
        for path, problem in snapshot.reader.problems.items():
            version = problem, snapshot.access.digest(path)
            if self._told.get(path) != version:
                self._told[path] = version
                found.append(problem)
        return found


class _LastGood(NamedTuple):
    """The contents of files when they last had no mistake, by path."""

    values: dict[str, tuple[Values, ...]]
    editor_files: dict[str, EditorFile]


class _KeepingReader(ConfigurationReader):
    """Uses the last good values of a file that has a mistake.

    Attributes:
        problems: the mistake in each file that has one.
        correct: the files that have none, or do not exist.
    """

    def __init__(self, access: WorkspaceAccess, good: _LastGood) -> None:
        super().__init__(access)
        self._good = good
        self.problems: dict[str, str] = {}
        self.correct: set[str] = set()

    def has(self, path: str) -> bool:
        """Whether there is a configuration file with this path."""
        if super().has(path):
            return True
        for good in self._good:
            good.pop(path, None)
        self.correct.add(path)
        return False

    def values(self, path: str) -> tuple[Values, ...]:
        """Returns the values of a file after those of the files that it extends."""
        read = partial(super().values, path)
        return self._kept(path, read, self._good.values, (Values(path, {}),))

    def editor_file(self, path: str) -> EditorFile:
        """Returns the content of an `.editorconfig`."""
        read = partial(super().editor_file, path)
        return self._kept(path, read, self._good.editor_files, EditorFile())

    def _kept(
        self, path: str, read: Callable[[], Content], good: dict[str, Content], nothing: Content
    ) -> Content:
        """Returns what was read; if the file has a mistake, the last good content or `nothing`."""
        if path not in self.problems:
            try:
                good[path] = read()
            except ConfigurationError as error:
                self.problems[path] = str(error)
            else:
                self.correct.add(path)
        return good.get(path, nothing)


class _Snapshot:
    """The configuration files at one time; each is read when it is first needed."""

    def __init__(self, access: WorkspaceAccess, good: _LastGood) -> None:
        self.access = access
        self.reader = _KeepingReader(access, good)
        own = Configurations(reader=self.reader)
        self._of_open = Exclusion(own, access, asks_git=False)
        self._of_closed = Exclusion(own, access)
        self._configurations: dict[EditorValues, Configurations] = {}

    def settings(self, wanted: WantedSettings) -> DocumentSettings:
        """Returns the settings of a document."""
        path, values, is_open = wanted
        if path is None:
            configuration = Configurations(values.given, only="").of_folder(os.sep)
            return DocumentSettings(configuration.rules_of(os.sep), configuration.style_over({}))
        if values not in self._configurations:
            self._configurations[values] = Configurations(values.given, reader=self.reader)
        configurations = self._configurations[values]
        configuration = configurations.of(path)
        exclusion = self._of_open if is_open else self._of_closed
        if exclusion.excludes_named(path):
            return DocumentSettings(without_rules(), configuration.style_over({}), is_excluded=True)
        return DocumentSettings(configuration.rules_of(path), configurations.style_of(path))
