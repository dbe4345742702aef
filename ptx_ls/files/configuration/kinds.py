"""The kinds of values that a configuration has: how each is read, and its JSON schema."""

from __future__ import annotations

import sys
from typing import Any, Final, Protocol

from ptx_ls.files.configuration.patterns import is_pattern
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.near_names import did_you_mean

ALL: Final = "all"
"""Selects every rule."""


class InvalidValueError(ValueError):
    """A value is invalid; the message says what is expected.

    `key`: the key within the value that is invalid, if the value is a table.
    """

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


class ValueKind(Protocol):
    """A kind of value."""

    def read(self, value: object) -> object:
        """Returns the value as the program uses it.

        Raises:
            InvalidValueError: if it is invalid.
        """

    def schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the values."""


class Switch:
    """True or false."""

    def read(self, value: object) -> bool:
        """Returns the value."""
        if not isinstance(value, bool):
            raise InvalidValueError("true or false")
        return value

    def schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the values."""
        return {"type": "boolean"}


class NonEmptyText:
    """A text that is not empty."""

    def read(self, value: object) -> str:
        """Returns the value."""
        if not isinstance(value, str) or not value or "\0" in value:
            raise InvalidValueError("a non-empty string")
        return value

    def schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the values."""
        return {"type": "string", "minLength": 1}


class WholeNumber(NamedTuple):
    """A whole number from `least` to `most`."""

    least: int
    most: int | None = None

    def read(self, value: object) -> int:
        """Returns the value."""
        most = sys.maxsize if self.most is None else self.most
        if isinstance(value, int) and value is not True and self.least <= value <= most:
            return value
        bounds = f"at least {self.least}" if self.most is None else f"{self.least} to {self.most}"
        raise InvalidValueError(f"a whole number ({bounds})")

    def schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the values."""
        top = {} if self.most is None else {"maximum": self.most}
        return {"type": "integer", "minimum": self.least, **top}


class Choice(NamedTuple):
    """One of several words."""

    words: tuple[str, ...]

    def read(self, value: object) -> str:
        """Returns the value."""
        if not isinstance(value, str) or value not in self.words:
            near = did_you_mean(value, self.words) if isinstance(value, str) else ""
            raise InvalidValueError(f"one of {', '.join(self.words)}{near}")
        return value

    def schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the values."""
        return {"enum": list(self.words)}


class Patterns:
    """Patterns of paths, as in a `.gitignore`."""

    def read(self, value: object) -> tuple[str, ...]:
        """Returns the patterns."""
        if not isinstance(value, list) or not all(isinstance(it, str) and it for it in value):
            raise InvalidValueError("a list of path patterns")
        for text in value:
            require_pattern(text)
        return tuple(value)

    def schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the values."""
        return {"type": "array", "items": {"type": "string", "minLength": 1}}


class Targets:
    """Names of architectures, such as `sm_90a`."""

    def read(self, value: object) -> tuple[str, ...]:
        """Returns the names, each once."""
        if not isinstance(value, list) or not all(isinstance(it, str) for it in value):
            raise InvalidValueError("a list of targets")
        names = tuple(dict.fromkeys(value))
        for name in names:
            require_target(name)
        return names

    def schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the values."""
        return {"type": "array", "items": {"enum": target_names()}}


class IsaVersion:
    """A PTX ISA version, such as `"8.4"`."""

    def read(self, value: object) -> tuple[int, int]:
        """Returns the version as two numbers."""
        return require_version(value)

    def schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the values."""
        return {"enum": version_names()}


class Rules:
    """Names of rules and of groups of rules, or `all`."""

    def read(self, value: object) -> tuple[str, ...]:
        """Returns the names, each once."""
        if not isinstance(value, list) or not all(isinstance(it, str) for it in value):
            raise InvalidValueError("a list of rule or group names")
        names = tuple(dict.fromkeys(value))
        for name in names:
            require_rule(name)
        return names

    def schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the values."""
        return {"type": "array", "items": {"enum": selectors()}}


class Severities:
    """A severity for each of some rules or groups."""

    def read(self, value: object) -> dict[str, Severity]:
        """Returns the severities by name."""
        words = Choice(tuple(each.value for each in Severity))
        if not isinstance(value, dict):
            raise InvalidValueError("a table that maps rule or group names to severities")
        for name in value:
            require_rule(name)
        found = {}
        for name, word in value.items():
            try:
                found[name] = Severity(words.read(word))
            except InvalidValueError as error:
                raise InvalidValueError(str(error), name) from None
        return found

    def schema(self) -> dict[str, Any]:
        """Returns the JSON schema of the values."""
        words = {"enum": [each.value for each in Severity]}
        names = {"enum": selectors()}
        return {"type": "object", "propertyNames": names, "additionalProperties": words}


def selectors() -> list[str]:
    """Returns everything that selects rules: `all`, the groups and the rules, sorted."""
    from ptx_ls.lint.rule_names import groups_of_rules  # noqa: PLC0415  most runs select no rules

    return [ALL, *sorted({*_groups(), *groups_of_rules()})]


def _groups() -> list[str]:
    """Returns the names of the groups of rules, sorted."""
    from ptx_ls.lint.rule_names import groups_of_rules  # noqa: PLC0415  most runs select no rules

    return sorted(set(groups_of_rules().values()))


def require_rule(name: str) -> None:
    """Checks that a name selects rules.

    Raises:
        InvalidValueError: if it does not.
    """
    known = selectors()
    if name not in known:
        near = did_you_mean(name, known) or f" (groups: {', '.join(_groups())})"
        raise InvalidValueError(f"rule or group names, but `{name}` is neither{near}", name)


def target_names() -> list[str]:
    """Returns the names of all architectures that `.target` may have, oldest first."""
    from ptx_ls.isa import database, parse_target  # noqa: PLC0415  most runs name no target

    return [name for name in database().targets if parse_target(name)]


def require_target(name: str) -> None:
    """Checks that a name is that of an architecture.

    Raises:
        InvalidValueError: if it is not.
    """
    known = target_names()
    if name not in known:
        digits = name.lower().removeprefix("sm_").removeprefix("compute_")
        near = did_you_mean(f"sm_{digits}" if digits[:1].isdigit() else name, known)
        raise InvalidValueError(f"target names, but `{name}` is not one{near}")


def version_names() -> list[str]:
    """Returns the PTX ISA versions, oldest first."""
    from ptx_ls.isa import database  # noqa: PLC0415  most runs name no version

    return [each.name for each in database().versions.values()]


def require_version(value: object) -> tuple[int, int]:
    """Returns a PTX ISA version as two numbers.

    Raises:
        InvalidValueError: if there is no such version.
    """
    from ptx_ls.isa import database  # noqa: PLC0415  most runs name no version

    for number, each in database().versions.items():
        if each.name == value:
            return number
    known = version_names()
    found = f"found `{value}`" if isinstance(value, str) else "in quotes"
    raise InvalidValueError(f"a PTX ISA version from {known[0]} to {known[-1]}, {found}")


def require_pattern(text: str) -> None:
    """Checks that a text is a pattern of paths.

    Raises:
        InvalidValueError: if it is not.
    """
    if not is_pattern(text):
        raise InvalidValueError(f"`.gitignore` patterns, but `{text}` is not one")
