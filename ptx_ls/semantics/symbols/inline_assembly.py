"""Finds the inline assembly in compiler output, which compilers do not optimise."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.record import MultiLine

if TYPE_CHECKING:
    from ptx_ls.semantics.symbols.region_text import RegionText

_INLINE_ASM: Final = "inline asm"
_BEGIN, _END = "begin", "end"
"""Words before it, which old compilers leave out of both comments."""


class InlineAssembly:
    """The lines between the comments that a compiler writes around inline assembly."""

    def __init__(self, text: RegionText) -> None:
        self._text = text

    @cached_property
    def _comments(self) -> list[int]:
        return [row for row, line in enumerate(self._text.lines) if _INLINE_ASM in line]

    def contains(self, row: int) -> bool:
        """Whether a line is one of them."""
        if isinstance(self._text.records[row], MultiLine):
            return True
        before = bisect_left(self._comments, row)
        last = self._text.lines[self._comments[before - 1]] if before else _END
        return _BEGIN in last or (_END not in last and before % 2 == 1)
