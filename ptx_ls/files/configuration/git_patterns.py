"""Patterns of a `.gitignore` that match in time linear in the length of a name.

A pattern such as `*a*a*a*a*b` or `**/a/**/a/**/b` may come with a workspace. As a plain regular
expression, it would try all places for each `*` or `**`, and stop the whole server for minutes at a
name of a hundred `a`, or at a file in a hundred folders of this name.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from pathspec import GitIgnoreSpec, RegexPattern

if TYPE_CHECKING:
    from collections.abc import Iterable

_ANY: Final = "[^/]*"
"""The regular expression of `*`."""
_FIRST_FOLDERS: Final = "(?:.+/)?"
"""The regular expression of `**/` at the start of a pattern."""
_FOLDERS: Final = "(?:/.+)?/"
"""The regular expression of `/**/`."""


def spec_of(patterns: Iterable[str]) -> GitIgnoreSpec:
    """Returns what matches paths with patterns.

    Raises:
        ValueError: if one is not a pattern.
        re.error: likewise.
    """
    made: list[Any] = [*map(_linear_pattern, GitIgnoreSpec.from_lines(patterns).patterns)]
    return GitIgnoreSpec(made)


def _linear_pattern(pattern: RegexPattern) -> RegexPattern:
    regex = pattern.regex
    if regex is None:  # an empty line has no expression
        return pattern
    made = _linear(regex.pattern)
    return pattern if made == regex.pattern else RegexPattern(re.compile(made), pattern.include)


def _linear(regex: str) -> str:
    """Lets each `**` before another one match as few folders as possible, for good.

    The names after it are as many as in the pattern, and the next `**` matches any folders, so if
    the first place for these names does not lead to a match, no other place does.
    """
    start, found, rest = regex.partition(_FIRST_FOLDERS)
    first, *others = map(_linear_names, rest.split(_FOLDERS) if found else regex.split(_FOLDERS))
    made = [first]
    if found:
        made = [f"(?>(?:.+?/)??{first}(?=/))" if others else f"{found}{first}"]
    for names, following in pairwise([*others, None]):
        is_between = following is not None
        made.append(f"(?>(?:/.+?)??/{names}(?=/))" if is_between else f"{_FOLDERS}{names}")
    return (start if found else "") + "".join(made)


def _linear_names(regex: str) -> str:
    """Lets each `*` before another one in the same name match as little as possible, for good.

    The text after it has a fixed length, and the next `*` matches anything up to the end of the
    name, so if the first place for that text does not lead to a match, no other place does.
    """
    first, *rest = regex.split(_ANY)
    made = [first]
    for text, following in pairwise([*rest, None]):
        is_between = following is not None and not set("/(") & set(text or "")
        made.append(f"(?>{_ANY}?{text})" if is_between else f"{_ANY}{text}")
    return "".join(made)
