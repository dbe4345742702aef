"""The settings in force for a file: those of its configuration, and of the command line."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.files.configuration.kinds import ALL
from ptx_ls.files.configuration.patterns import matches
from ptx_ls.formatting import FormatStyle
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ptx_ls.files.configuration.reading import Values
    from ptx_ls.lint.rule_settings import RuleSettings

_EXTENDING: Final = {"extend-select", "extend-exclude"}
"""Keys whose values add to those of the extended file."""


class ProjectConfiguration:
    """The values of a configuration file with those of the files that it extends.

    `files`: from the file that is extended last to the file itself; the values of the command line
    or of the editor come last.
    """

    def __init__(self, files: Sequence[Values] = ()) -> None:
        self._files = files
        self._rules: dict[tuple[_Override, ...], RuleSettings] = {}

    @property
    def values(self) -> tuple[Values, ...]:
        """The values of each file and of the command line; later ones win."""
        return tuple(self._files)

    @property
    def path(self) -> str:
        """The configuration file; "" if there is none."""
        return next((each.path for each in reversed(self._files) if each.path), "")

    @property
    def folder(self) -> str:
        """The folder that patterns are relative to."""
        return os.path.dirname(os.path.abspath(self.path)) if self.path else os.getcwd()

    def get(self, table: str, key: str, default: Any = None) -> Any:  # noqa: ANN401  of any kind
        """Returns the value of a key; lists of keys that extend are joined."""
        given = [
            each.tables[table][key] for each in self._files if key in each.tables.get(table, {})
        ]
        if key in _EXTENDING:
            return tuple(one for each in given for one in each)
        return given[-1] if given else default

    @cached_property
    def excluded(self) -> tuple[str, ...]:
        """The patterns of the files to leave out."""
        return (*self.get("", "exclude", ()), *self.get("", "extend-exclude", ()))

    def excludes(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether patterns leave out a path; those of the command line are relative to the cwd."""
        return any(
            each.excluded and matches(each.excluded, path, each.folder, is_folder=is_folder)
            for each in self._parts
        )

    @cached_property
    def _parts(self) -> tuple[ProjectConfiguration, ...]:
        """The configuration of the files, and that of the command line."""
        of_files = [each for each in self._files if each.path]
        given = [each for each in self._files if not each.path]
        return ProjectConfiguration(of_files), ProjectConfiguration(given)

    @property
    def respects_gitignore(self) -> bool:
        """Whether files that git ignores are left out."""
        found: bool = self.get("", "respect-gitignore", True)
        return found

    def style_over(self, fields: Mapping[str, int]) -> FormatStyle:
        """Returns the style of formatted files; `fields` are used where this has no value."""
        given = {
            key.replace("-", "_"): value
            for each in self._files
            for key, value in each.tables.get("format", {}).items()
        }
        return FormatStyle(**{**fields, **given})

    def rules_of(self, path: str) -> RuleSettings:
        """Returns the settings of rules for a file."""
        from ptx_ls.lint.rule_settings import DEFAULT_RULES  # noqa: PLC0415  a formatter needs none

        if not any(each.tables.get("lint") or each.overrides for each in self._files):
            return DEFAULT_RULES
        overrides = [
            given
            for each in self._files
            for given in each.overrides
            if matches(given["files"], path, os.path.dirname(os.path.abspath(each.path)))
        ]
        key = tuple(map(_frozen, overrides))
        if key not in self._rules:  # nearly all files share few settings
            self._rules[key] = self._resolved(key)
        return self._rules[key]

    def _resolved(self, overrides: tuple[_Override, ...]) -> RuleSettings:
        from ptx_ls.lint.rule_names import groups_of_rules  # noqa: PLC0415  as above
        from ptx_ls.lint.rule_settings import OPTIONAL, RuleSettings  # noqa: PLC0415

        ignored, named, severities = set(), set(), {}
        selections = self.selections(overrides)
        of_files, given = (each.get("lint", "severity", {}) for each in self._parts)
        tables = [of_files, *(dict(each[2]) for each in overrides), given]
        for rule, group in groups_of_rules().items():
            names = rule, group, ALL
            of_selection = names[:1] if rule in OPTIONAL else names
            decisions = [_decision(of_selection, *each) for each in selections]
            if not next((each for each in reversed(decisions) if each is not None), False):
                ignored.add(rule)
            if any(rule in on for on, _ in selections) or any(rule in each for each in tables):
                named.add(rule)
            for table in tables:
                chosen = next((table[name] for name in names if name in table), None)
                if chosen is not None:
                    severities[rule] = chosen
        return RuleSettings(frozenset(ignored), tuple(sorted(severities.items())), frozenset(named))

    def selections(self, overrides: Sequence[_Override]) -> list[_Selection]:
        """Returns the selections, of which a later one wins: that of the command line is last."""
        of_files, given = self._parts
        narrowed: list[_Selection] = []
        if given.get("lint", "select") is not None:
            narrowed.append(((), (ALL,)))
        return [
            of_files.selection((ALL,)),
            *(each[:2] for each in overrides),
            *narrowed,
            given.selection(),
        ]

    def selection(self, default: tuple[str, ...] = ()) -> _Selection:
        """Returns the rules and groups that are on, and those that are off."""
        on = (*self.get("lint", "select", default), *self.get("lint", "extend-select", ()))
        return on, self.get("lint", "ignore", ())


_Selection = tuple[tuple[str, ...], tuple[str, ...]]
_Override = tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, Severity], ...]]


def _frozen(override: dict[str, Any]) -> _Override:
    severities = tuple(override.get("severity", {}).items())
    return override.get("extend-select", ()), override.get("ignore", ()), severities


def _decision(names: Iterable[str], on: Sequence[str], off: Sequence[str]) -> bool | None:
    """Returns whether a rule is on by the most specific of its names; None if none is listed."""
    for name in names:
        if name in off:
            return False
        if name in on:
            return True
    return None
