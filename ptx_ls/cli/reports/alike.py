"""Keeps the output for thousands of findings readable: only the first similar ones are shown."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.source import Diagnostic

_QUOTED: Final = re.compile(r"`[^`]*+`")
_NUMBER: Final = re.compile(r"\d++", re.ASCII)

Kind = tuple[str, str]
"""A rule, and its message with 0 for each number in quoted text."""


def kind_of(diagnostic: Diagnostic) -> Kind:
    """Returns a key that is the same for diagnostics that differ only in names or numbers."""
    message = _QUOTED.sub(_without_numbers, diagnostic.message)
    return diagnostic.rule, message


def _without_numbers(match: re.Match[str]) -> str:
    return _NUMBER.sub("0", match[0])


def shortened(
    diagnostics: Sequence[Diagnostic], most: int
) -> tuple[list[Diagnostic], list[tuple[Diagnostic, int]]]:
    """Returns the first `most` diagnostics of each kind (all for 0), and a summary of the others.

    The summary has, for each kind that is cut, its first diagnostic and the number of those left
    out.
    """
    if not most or len(diagnostics) <= most:
        return list(diagnostics), []
    counts: Counter[Kind] = Counter()
    shown: list[Diagnostic] = []
    firsts: dict[Kind, Diagnostic] = {}
    for diagnostic in diagnostics:
        kind = kind_of(diagnostic)
        counts[kind] += 1
        if counts[kind] <= most:
            shown.append(diagnostic)
        firsts.setdefault(kind, diagnostic)
    left = [(firsts[kind], count - most) for kind, count in counts.items() if count > most]
    return shown, left


def rest(path: str, left: Iterable[tuple[Diagnostic, int]]) -> list[str]:
    """Returns lines such as `a.ptx: ... and 9,950 more like line 7: unknown opcode ... [...]`.

    They begin with `...` if `path` is "".
    """
    begin = f"{path}: " if path else ""
    return [
        f"{begin}... and {count:,} more like line {like.range.start.line + 1}:"
        f" {like.message} [{like.rule}]"
        for like, count in left
    ]
