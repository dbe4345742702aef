"""Follows the registers of a function through its flow graph, all at once.

Each register is followed back from the blocks that read it to those that write it, so the time is
that of all live ranges together. `_scanner` does this where it is built.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import reached
from ptx_ls.syntax.register_events import BEGINS, KILLS, READS, WRITES
from ptx_ls.syntax.scanner import compiled

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from ptx_ls.flow.block_arrays import BlockArrays
    from ptx_ls.flow.registers.register_uses import RegisterUses

NO_DEFINITION: Final = -1
SEVERAL_DEFINITIONS: Final = -2


class RegisterTrace(NamedTuple):
    """The uses of registers on the paths through a function.

    Attributes:
        unset: the numbers of uses that read a register which may have no value: a path from the
            entry reaches them before one that writes it. Of several in a block, it has the first.
        never: those of `unset` that always find no value when they run for the first time.
        dead: the numbers of uses that write a value which nothing reads.
        only: for each code, the number of the only use that writes it, or one of the constants.
    """

    unset: Sequence[int]
    never: Sequence[int]
    dead: Sequence[int]
    only: Sequence[int]


NO_TRACE: Final = RegisterTrace((), (), (), ())


class TraceInput(NamedTuple):
    """The uses and the flow graph of a function, as arrays.

    Attributes:
        codes: the register of each use.
        ways: how each one is used.
        firsts: the first use of each block, and the number of uses.
        after_at: for each block, where its successors begin; and their number.
        after: the successors of all blocks.
    """

    codes: array[int]
    ways: bytes
    firsts: array[int]
    after_at: array[int]
    after: array[int]


def trace_registers(uses: RegisterUses, blocks: BlockArrays, n_codes: int) -> RegisterTrace:
    """Follows the registers of a function, whose codes are below `n_codes`."""
    given = TraceInput(uses.codes, uses.ways, blocks.firsts, blocks.after_at, blocks.after)
    if compiled is None:
        return plain_trace(given, n_codes)
    return compiled_trace(given, n_codes)


def compiled_trace(given: TraceInput, n_codes: int) -> RegisterTrace:
    """Does what `plain_trace` does, in C."""
    found = compiled.trace(*given, n_codes)
    return RegisterTrace(*[memoryview(each).cast("i") for each in found])


def plain_trace(given: TraceInput, n_codes: int) -> RegisterTrace:
    """Does what `trace_registers` does, in Python."""
    blocks = _blocks_of(given)
    paths = _Paths(given)
    unset: list[int] = []
    never: list[int] = []
    dead: list[int] = []
    only = [NO_DEFINITION] * n_codes
    for code in sorted(blocks):
        found = [_block_trace(number, uses, given.ways) for number, uses in blocks[code].items()]
        for number in chain.from_iterable(each.written for each in found):
            only[code] = number if only[code] == NO_DEFINITION else SEVERAL_DEFINITIONS
        paths.follow(found)
        for each in found:
            dead += each.dead
            if each.waiting is not None and not paths.is_live_after(each.number):
                dead.append(each.waiting)
            if each.exposed is not None and each.number in paths.opened:
                unset.append(each.exposed)
                if not each.may_be_set and not paths.may_be_set_first(each.number):
                    never.append(each.exposed)
    return RegisterTrace(unset, never, dead, only)


class _Paths:
    """The blocks at whose start a register is live, and what may have happened to it by then."""

    def __init__(self, given: TraceInput) -> None:
        spans = pairwise(given.after_at)
        self._after = [frozenset(given.after[first:stop]) for first, stop in spans]
        self._before: list[set[int]] = [set() for _ in self._after]
        for number, following in enumerate(self._after):
            for after in following:
                self._before[after].add(number)

    def follow(self, found: Sequence[_BlockTrace]) -> None:
        """Follows a register, given what each block does with it."""
        killing = {each.number for each in found if each.kills}
        exposed = [each.number for each in found if each.exposed is not None]
        self.live = reached(exposed, lambda block: self._before[block] - killing)

        def passed_on(block: int) -> frozenset[int]:
            return frozenset() if block in killing else self._after[block]

        self.opened = reached([0] if 0 in self.live else [], passed_on)
        self._writing = {each.number for each in found if each.written}

    def may_be_set_first(self, number: int) -> bool:
        """Whether a block may find the register set when it runs for the first time."""
        before = reached([0] if number else [], lambda block: self._after[block] - {number})
        after = reached(before & self._writing, lambda block: self._after[block] - {number})
        return any(number in self._after[block] for block in after)

    def is_live_after(self, number: int) -> bool:
        """Whether the register is live at the end of a block."""
        return not self.live.isdisjoint(self._after[number])


def _blocks_of(given: TraceInput) -> dict[int, dict[int, list[list[int]]]]:
    """Returns, for each register and block, the uses in each instruction."""
    found: dict[int, dict[int, list[list[int]]]] = {}
    for block, (first, stop) in enumerate(pairwise(given.firsts)):
        statement: dict[int, list[int]] = {}
        for number in range(first, stop):
            if given.ways[number] & BEGINS:
                statement = {}
            code = given.codes[number]
            if code not in statement:
                statement[code] = []
                found.setdefault(code, {}).setdefault(block, []).append(statement[code])
            statement[code].append(number)
    return found


class _BlockTrace(NamedTuple):
    """The uses of a register in a block.

    Attributes:
        number: of the block.
        exposed: the first use that reads the value which the register has at its start.
        may_be_set: whether an instruction before it writes the register under a guard.
        kills: whether it replaces that value.
        written: the uses that write the register.
        dead: those whose value is replaced before anything reads it.
        waiting: the last one, if the block does not read its value.
    """

    number: int
    exposed: int | None
    may_be_set: bool
    kills: bool
    written: list[int]
    dead: list[int]
    waiting: int | None


def _block_trace(number: int, statements: Sequence[Sequence[int]], ways: bytes) -> _BlockTrace:
    kills = may_be_set = False
    exposed: int | None = None
    waiting: int | None = None
    written: list[int] = []
    dead: list[int] = []
    for uses in statements:
        way = 0
        for use in uses:
            way |= ways[use]
        if way & READS:
            if exposed is None and not kills:
                exposed = next(use for use in uses if ways[use] & READS)
                may_be_set = bool(written)
            waiting = None
        if way & WRITES:
            if waiting is not None and way & KILLS:
                dead.append(waiting)
            kills |= bool(way & KILLS)
            waiting = next(use for use in reversed(uses) if ways[use] & WRITES)
            written.append(waiting)
    return _BlockTrace(number, exposed, may_be_set, kills, written, dead, waiting)
