"""Patterns of paths, as in a `.gitignore`."""

from __future__ import annotations

import os
import re
import warnings
from functools import lru_cache
from typing import Any

from ptx_ls.files.confinement import is_below


def is_pattern(text: str) -> bool:
    r"""Whether a text is a pattern; `!`, `[z-a]` and `a\` are not, and match nothing in git."""
    try:
        _spec((text,))
    except (ValueError, re.error):
        return False
    return True


def patterns_of(content: bytes) -> tuple[str, ...]:
    """Returns the patterns in a `.gitignore`, without those that are invalid."""
    text = content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return tuple([line for line in text.replace("\r\n", "\n").split("\n") if is_pattern(line)])


def decision(patterns: tuple[str, ...], path: str, folder: str, *, is_folder: bool) -> bool | None:
    """Returns whether patterns of a folder match a path below it; None if they do not mention it.

    The folders between them are not asked.
    """
    if not patterns or not is_below(path, folder):
        return None
    beside = os.path.relpath(path, folder).replace(os.sep, "/")
    found = _spec(patterns).check_file(f"{beside}/" if is_folder else beside).include
    return None if found is None else bool(found)


def matches(patterns: tuple[str, ...], path: str, folder: str, *, is_folder: bool = False) -> bool:
    """Whether a path is meant by patterns, as in a `.gitignore` of a folder."""
    return bool(decision(patterns, os.path.abspath(path), folder, is_folder=is_folder))


@lru_cache(maxsize=4096)
def _spec(patterns: tuple[str, ...]) -> Any:  # noqa: ANN401  pathspec is loaded when it is needed
    from ptx_ls.files.configuration.git_patterns import spec_of  # noqa: PLC0415

    with warnings.catch_warnings():  # about `[[`, which is a character in a pattern
        warnings.simplefilter("ignore", FutureWarning)
        return spec_of(map(_without_the_folder, patterns))


def _without_the_folder(pattern: str) -> str:
    """Returns `a/**` in a form that pathspec does not match with the folder `a` itself either."""
    return f"{pattern}/*" if pattern.endswith("/**") else pattern
