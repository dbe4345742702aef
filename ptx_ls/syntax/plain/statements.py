"""Reads plain statements that share a line, each as if it were alone on the line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.cut import Cut
from ptx_ls.syntax.offsets import RunPosition
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.syntax.record import Record

_MAX_MEAN_LENGTH: Final = 500
"""Maximum mean length, in characters, of statements that are looked up together."""
_MAX_TOGETHER: Final = 256
"""Maximum number of statements that are looked up together."""
_PLAIN_KINDS: Final = (Kind.INSTRUCTION, Kind.DECLARATION)
_BLANKS: Final = " \t\f"
_BEGINS: Final = re.compile(rf"[{_BLANKS}]*+[a-z@.]").match
"""Matches the beginning of a plain statement."""


def plain_statements(
    line: str, place: int, row: int, read_lines: Callable[[list[str]], list[Record]]
) -> list[Cut]:
    """Returns the consecutive plain statements that begin at a column of a line.

    `row`: the number of the line. `read_lines` reads lines, and stops after one that is not plain.
    """
    found: list[Cut] = []
    n_together = 1
    while _BEGINS(line, place) is not None:
        *texts, rest = line[place : place + _MAX_MEAN_LENGTH * n_together].split(";", n_together)
        is_alone = not place and not rest.strip()  # such a line has been looked up already
        if not texts or is_alone:
            break
        for text, read in zip(texts, read_lines([f"{it};\n" for it in texts]), strict=False):
            if read.kind not in _PLAIN_KINDS:
                return found
            start = RunPosition((row, place + len(text) - len(text.lstrip(_BLANKS))))
            place += len(text) + 1
            found.append(Cut(read.kind, start, RunPosition((row, place)), None, read))
        n_together = min(2 * n_together, _MAX_TOGETHER)
    return found
