"""Finds the lines that have a name twice where names have to differ.

`_scanner` does the same where it is built.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final, TypeAlias

from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.scanner import compiled
from ptx_ls.syntax.written.names import NEEDS_TREE, opcode_and_names

if TYPE_CHECKING:
    from collections.abc import Sequence

Groups: TypeAlias = bytes | bool | None
"""The group of each name in the lines of a record, the opcode included; 0 for none.

Names of one group have to differ. None for lines that need no search, True for lines that are all
wanted.
"""
_ROWS: Final = "i"


def repeating_rows(text: str, numbers: Sequence[int], groups: tuple[Groups, ...]) -> Sequence[int]:
    """Returns the lines that have a name twice in one group, or other names than expected.

    Args:
        text: the lines with their line ends.
        numbers: for each line, the number of its record.
        groups: for each record, the groups of the names in its lines.
    """
    if compiled is not None and isinstance(numbers, bytes):  # type: ignore[redundant-expr]
        found = compiled.repeats(text, numbers, groups)
        if found is not None:
            return array(_ROWS, found)
    return plain_repeating_rows(text, numbers, groups)


def plain_repeating_rows(
    text: str, numbers: Sequence[int], groups: tuple[Groups, ...]
) -> Sequence[int]:
    """Does what `repeating_rows` does, in Python."""
    found = array(_ROWS)
    for row, (number, line) in enumerate(zip(numbers, split_lines(text), strict=False)):
        own = groups[number]
        if own is not None and (isinstance(own, bool) or _has_repeat(line, own)):
            found.append(row)
    return found


def _has_repeat(line: str, groups: bytes) -> bool:
    names = opcode_and_names(line)
    if len(names) != len(groups) or any(mark in line for mark in NEEDS_TREE):
        return True
    grouped = [pair for pair in zip(groups, names, strict=True) if pair[0]]
    return len(set(grouped)) < len(grouped)
