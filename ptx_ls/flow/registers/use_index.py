"""Finds the uses of a register, of a block and of an instruction among all uses of a function."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.register_events import BEGINS, GUARDS, KILLS, NEGATED, WRITES, group_uses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.flow.registers.register_uses import RegisterUses

_MAX_STEPS: Final = 16
"""Number of uses of a register that are searched for the write before an instruction."""
_IS_FIRST: Final = bytes(bool(way & BEGINS) for way in range(256))


class RegisterGuard(NamedTuple):
    """The guard of an instruction: its register, and whether it is written with a `!`."""

    code: int
    is_negated: bool


class UseIndex:
    """An index of the uses in a function.

    Attributes:
        firsts: the first use of each block, and the number of all uses.
    """

    __slots__ = ("_at", "_begins", "_codes", "_order", "_ways", "firsts")

    def __init__(self, uses: RegisterUses, firsts: array[int], n_codes: int) -> None:
        self._codes, self._ways, self.firsts = uses.codes, uses.ways, firsts
        self._at, self._order = group_uses(uses.codes, n_codes)
        self._begins = uses.ways.translate(_IS_FIRST)

    def of(self, code: int) -> Sequence[int]:
        """Returns the uses of a register in order."""
        return self._order[self._at[code] : self._at[code + 1]]

    def last(self, code: int) -> int:
        """Returns the last use of a register that is used."""
        return self._order[self._at[code + 1] - 1]

    def killed_by(self, code: int, block: int, first: int) -> int:
        """Returns the use that last replaces the value of a register before an instruction.

        -1 if no use in its block surely does, if a write that may keep the value comes after it, or
        if many uses do. `first`: the first use in the instruction.
        """
        order, ways, start = self._order, self._ways, self._at[code]
        stop, begin = bisect_left(order, first, start, self._at[code + 1]), self.firsts[block]
        for number in range(stop - 1, max(start, stop - _MAX_STEPS) - 1, -1):
            use = order[number]
            if use < begin:
                return -1
            if ways[use] & WRITES:
                return use if ways[use] & KILLS else -1
        return -1

    def block_of(self, use: int) -> int:
        """Returns the number of the block of a use; -1 outside of the body."""
        return bisect_right(self.firsts, use) - 1

    def first(self, use: int) -> int:
        """Returns the first use in the same instruction."""
        return self._begins.rfind(1, 0, use + 1)

    def statement(self, use: int) -> range:
        """Returns the uses in the same instruction."""
        stop = self._begins.find(1, use + 1)
        return range(self.first(use), stop if stop >= 0 else len(self._ways))

    def guard(self, use: int) -> RegisterGuard | None:
        """Returns the guard of the instruction of a use."""
        first = self.first(use)
        way = self._ways[first]
        return RegisterGuard(self._codes[first], bool(way & NEGATED)) if way & GUARDS else None


def first_uses(uses: RegisterUses, graph: FlowGraph) -> array[int]:
    """Returns the first use of each block, and the number of all uses."""
    rows, columns, n_uses = uses.rows, uses.columns, len(uses.codes)
    found, number = array("i"), 0
    for start in graph.starts:
        number = bisect_left(rows, start[0], number)
        while number < n_uses and (rows[number], columns.get(number, 0)) < start:
            number += 1
        found.append(number)
    found.append(n_uses)
    return found
