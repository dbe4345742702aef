"""Reads the values of settings from JSON.

Each reader raises ValueError for an invalid value; the message says what is expected.
"""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Final

from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

_FOLDERS: Final = "a list of absolute folder paths"


class OnSave(StrEnum):
    """The use of ptxas when a document is saved."""

    OFF = "off"
    CHECK = "check"
    ASSEMBLE = "assemble"


class RuleSeverities(NamedTuple):
    """Severities by the names of rules or groups, in alphabetical order."""

    by_name: tuple[tuple[str, Severity], ...] = ()


def names(value: object) -> frozenset[str]:
    """Returns names of rules."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError("a list of rule names")
    return frozenset(value)


def severities(value: object) -> RuleSeverities:
    """Returns the severities of rules."""
    words = [each.value for each in Severity]
    if not isinstance(value, dict) or not all(it in words for it in value.values()):
        raise ValueError(f"a table that maps rule names to one of {', '.join(words)}")
    return RuleSeverities(tuple(sorted((str(name), Severity(it)) for name, it in value.items())))


def switch(value: object) -> bool:
    """Returns a boolean."""
    if value is True or value is False:
        return value
    raise ValueError("true or false")


def on_save(value: object) -> OnSave:
    """Returns the use of ptxas when a document is saved."""
    for each in OnSave:
        if value == each:
            return each
    raise ValueError(" or ".join(f"`{each}`" for each in OnSave))


def program_path(value: object) -> str:
    """Returns the path of a program."""
    if not isinstance(value, str) or "\0" in value:
        raise ValueError("the path of a program")
    return value


def folders(value: object) -> tuple[str, ...]:
    """Returns absolute paths of folders, with `~` expanded."""
    if not isinstance(value, list | tuple) or not all(isinstance(it, str) for it in value):
        raise ValueError(_FOLDERS)
    from pathlib import PurePath  # noqa: PLC0415  # the server's start is measured

    paths = [PurePath(os.path.expanduser(it)) for it in value]  # noqa: PTH111  # reads no disk
    if not all(it.is_absolute() and "\0" not in str(it) for it in paths):
        raise ValueError(_FOLDERS)
    return tuple(map(str, paths))


def bounded_number(value: object, least: int, most: int | None) -> int:
    """Returns a whole number within bounds."""
    bounds = f", at least {least}" if most is None else f" from {least} to {most}"
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"a whole number{bounds}")
    if most is not None and value > most:
        raise ValueError(f"a whole number{bounds}")
    return value
