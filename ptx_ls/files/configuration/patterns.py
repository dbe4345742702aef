"""Patterns of paths, as in a `.gitignore`."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptx_ls.files.configuration.git_patterns import GitPattern


def is_pattern(text: str) -> bool:
    r"""Whether a text is a pattern, a comment or empty; `!`, `[a` and `a\` match nothing in git."""
    return not text.strip(" ") or text.startswith("#") or bool(_read((text,)))


def patterns_of(content: bytes) -> tuple[str, ...]:
    """Returns the patterns in a `.gitignore`, without those that match nothing."""
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return tuple([line for line in lines if line and line[0] != "#" and is_pattern(line)])


def decision(patterns: tuple[str, ...], path: str, folder: str, *, is_folder: bool) -> bool | None:
    """Returns whether patterns of a folder match a path below it; None if they do not mention it.

    The folders between them are not asked.
    """
    if not patterns or not _is_below(path, folder):
        return None
    beside = os.path.relpath(path, folder).replace(os.sep, "/")
    return _decision(patterns, beside, is_folder=is_folder)


def matches(patterns: tuple[str, ...], path: str, folder: str, *, is_folder: bool = False) -> bool:
    """Whether a path is meant by patterns of a folder, or else the nearest folder above it is."""
    path = os.path.abspath(path)
    if not patterns or not _is_below(path, folder):
        return False
    beside = os.path.relpath(path, folder).replace(os.sep, "/")
    found = _decision(patterns, beside, is_folder=is_folder)
    while found is None and "/" in beside:
        beside = beside.rpartition("/")[0]
        found = _decision(patterns, beside, is_folder=True)
    return bool(found)


def _is_below(path: str, folder: str) -> bool:
    from ptx_ls.files.confinement import is_below  # noqa: PLC0415  few have any patterns

    return is_below(path, folder)


def _decision(patterns: tuple[str, ...], path: str, *, is_folder: bool) -> bool | None:
    """Returns the decision of the last pattern that matches a path with slashes."""
    from ptx_ls.files.configuration.git_patterns import encoded  # noqa: PLC0415  # few have any

    path = encoded(path)
    for each in reversed(_read(patterns)):
        if each.matches(path, is_folder=is_folder):
            return each.is_ignored
    return None


@lru_cache(maxsize=4096)
def _read(patterns: tuple[str, ...]) -> tuple[GitPattern, ...]:
    from ptx_ls.files.configuration.git_patterns import git_pattern  # noqa: PLC0415  as above

    return tuple([each for each in map(git_pattern, patterns) if each is not None])
