"""The blocks of a function as arrays, for analyses of all its registers.

Where it can, `_scanner` reads them from the lines thirty times as fast as a `FlowGraph` is made.
The blocks are the same, with the same numbers.
"""

from __future__ import annotations

from array import array
from functools import cached_property, lru_cache
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.control_statements import CALL, pattern_has_instruction, pattern_is_control
from ptx_ls.flow.registers.use_index import first_uses
from ptx_ls.semantics.instructions.control_transfer import LEAVING
from ptx_ls.source.reachability import predecessors_of, reached
from ptx_ls.syntax.record import CLOSE, OPEN, InlineAsmPattern, Kind, Record, Shape, records_in
from ptx_ls.syntax.scanner import compiled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.document.function import Function
    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.flow.registers.register_uses import RegisterUses
    from ptx_ls.flow.structure.dominators import Dominators
    from ptx_ls.flow.structure.loop_forest import LoopForest
    from ptx_ls.syntax.record import Pattern

_SILENT: Final = 0
_PLAIN: Final = 1
_BRANCH: Final = 3  # one more under a guard
_LEAVES: Final = 5  # one more under a guard
_KINDS: Final = {
    Kind.LABEL: 2,
    Kind.FUNCTION: 7,
    Kind.OPEN: 8,
    Kind.CLOSE: 9,
    Kind.DIRECTIVE: 10,
}
_CALLS: Final = 11
_UNUSUAL: Final = 12
"""A line that has to be read with its syntax."""
_SEVERAL_LINES: Final = 32
"""Added if several lines may be read together."""
_WITH_INSTRUCTION: Final = 64
"""Added if there is an instruction beside the brace that begins or ends the line."""
_UNUSUAL_KINDS: Final = (Kind.BROKEN, Kind.SECTION, Kind.LINE)
_ALONE: Final = (_KINDS[Kind.FUNCTION], _CALLS)
"""Statements over several lines that are not unusual."""
_MAX_KEPT: Final = 1 << 12


class BlockArrays:
    """The blocks of a function.

    Attributes:
        firsts: the first use of a register in each block, and the number of uses.
        after_at: for each block, where its successors begin; and their number.
        after: the successors of all blocks.
        starts: the line where each block begins, if they were read from lines; None if they are
            those of a flow graph.
    """

    def __init__(
        self,
        firsts: array[int],
        after_at: array[int],
        after: array[int],
        starts: array[int] | None = None,
    ) -> None:
        self.firsts, self.after_at, self.after, self.starts = firsts, after_at, after, starts

    @property
    def n_blocks(self) -> int:
        """The number of blocks."""
        return len(self.firsts) - 1

    @cached_property
    def successors(self) -> Sequence[Sequence[int]]:
        """The successors of each block."""
        after = self.after
        return [[*after[first:stop]] for first, stop in pairwise(self.after_at)]

    @cached_property
    def predecessors(self) -> Sequence[Sequence[int]]:
        """The predecessors of each block, in order."""
        return predecessors_of(self.successors)

    @cached_property
    def reachable(self) -> frozenset[int]:
        """The blocks that a path leads to."""
        return frozenset(reached([0] if self.n_blocks else [], self.successors.__getitem__))

    @cached_property
    def dominators(self) -> Dominators:
        """The dominators of the blocks."""
        from ptx_ls.flow.structure.dominators import dominators  # noqa: PLC0415  for few functions

        return dominators(self.successors)

    @cached_property
    def loop_forest(self) -> LoopForest:
        """The loops and how they nest."""
        from ptx_ls.flow.structure.loop_forest import LoopForest  # noqa: PLC0415  as above

        return LoopForest(self.successors)


def blocks_of_graph(graph: FlowGraph, uses: RegisterUses) -> BlockArrays:
    """Returns the blocks of a flow graph."""
    after = array("i", chain.from_iterable(graph.successors))
    after_at = array("i", accumulate(map(len, graph.successors), initial=0))
    return BlockArrays(first_uses(uses, graph), after_at, after)


def read_blocks(
    function: Function, uses: RegisterUses, never_returning: frozenset[str]
) -> BlockArrays | None:
    """Reads the blocks of a function, if its lines are as usual and each label is known."""
    if compiled is None:
        return None
    if function.shares_lines:
        return None
    parts = tuple(
        [
            (chunk.text, chunk.numbers, bytes(map(_kind_of, chunk.patterns)))
            for chunk in function.leaves()
        ]
    )
    found = compiled.blocks(parts, uses.rows, never_returning)
    if found is None:
        return None
    return BlockArrays(*[array("i", each) for each in found])


@lru_cache(maxsize=_MAX_KEPT)
def _kind_of(pattern: Pattern) -> int:
    """Returns what the lines with a pattern mean for control flow, as `_scanner` numbers it."""
    if not pattern_is_control(pattern):
        several = _SEVERAL_LINES * (not isinstance(pattern, Record))
        return (_PLAIN if pattern_has_instruction(pattern) else _SILENT) | several
    if isinstance(pattern, Record):
        return _kind_of_statement(pattern)
    records = records_in(pattern)
    if len(records) == 1:
        kind = _kind_of_statement(records[0])
        return kind | _SEVERAL_LINES if kind in _ALONE else _UNUSUAL
    return _kind_of_part(pattern) if isinstance(pattern, InlineAsmPattern) else _UNUSUAL


def _kind_of_part(pattern: InlineAsmPattern) -> int:
    """Returns the kind of a line that only begins or ends a block in braces."""
    records = pattern.records
    controls = [each for each in records if pattern_is_control(each)]
    is_part = controls == [OPEN] == [records[0]] or controls == [CLOSE] == [records[-1]]
    if not is_part:
        return _UNUSUAL
    return _KINDS[controls[0].kind] | _WITH_INSTRUCTION * pattern_has_instruction(pattern)


def _kind_of_statement(read: Record) -> int:
    if isinstance(read, Shape):
        if read.name == CALL:
            return _CALLS
        if read.name in LEAVING:
            return _LEAVES + bool(read.guard)
        return _BRANCH + bool(read.guard) if read.name == "bra" else _UNUSUAL
    return _UNUSUAL if read.kind in _UNUSUAL_KINDS else _KINDS.get(read.kind, _SILENT)
