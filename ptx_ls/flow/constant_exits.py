"""Finds the loops that end at once or never, because no condition for leaving them changes.

A condition changes if it depends on memory, on other threads or on the time, or on a register that
is written in the loop, except by instructions that keep its value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.slices.sources import record_of
from ptx_ls.flow.statement_uses import operand_texts
from ptx_ls.semantics.instructions.effects import is_pure, reads_clock
from ptx_ls.semantics.instructions.identities import OPCODES, identity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import BEGINS, GUARDS, READS, WRITES
from ptx_ls.syntax.written.names import names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ptx_ls.flow.function_flow import FunctionFlow

_MAX_STEPS: Final = 64
"""Number of values that a condition may depend on in a loop."""
_PARAMETERS: Final = "ld.param"
_SUMS: Final = ("add", "sub")
"""Opcodes of instructions that only keep an operand if the other one is 0."""
_SIGNS: Final = "+- "


class ConstantExit(NamedTuple):
    """A loop with conditions for leaving it, none of which changes.

    Attributes:
        head: the block at its start.
        guard: the use of the predicate that is the last of these conditions.
    """

    head: int
    guard: int


def constant_exits(flow: FunctionFlow, *, is_quick: bool) -> Iterator[ConstantExit]:
    """Yields the reachable loops that end at once or never.

    `is_quick`: whether to skip a function if the condition at the end of each loop depends on a
    register that is changed in the loop, however it is. Nearly all loops of compilers are so,
    and it takes much less time to see.
    """
    ends = [
        (after, block)
        for block, following in enumerate(flow.blocks.successors)
        for after in following
        if after <= block
    ]
    if not ends or (is_quick and all(_counts(head, tail, flow) for head, tail in ends)):
        return
    for head in flow.blocks.loop_forest.shallow_heads:
        found = constant_exit(flow, head)
        if found is not None:
            yield found


def constant_exit(
    flow: FunctionFlow, head: int, is_constant: Callable[[Shape], bool] | None = None
) -> ConstantExit | None:
    """Returns a loop if it is reachable, and ends at once or never; else None.

    `is_constant`: whether instructions of a shape that read memory read the same in each round; by
    default, none do.
    """
    forest = flow.blocks.loop_forest
    if head in forest.irreducible or head not in flow.reachable:
        return None
    loop = forest.blocks(head)
    guards = _guards_of_exits(loop, flow)
    dependence = _Dependence(loop, flow, is_constant)
    is_constant_exit = guards and not any(map(dependence.changes, guards))
    return ConstantExit(head, max(guards)) if is_constant_exit else None


def _counts(head: int, tail: int, flow: FunctionFlow) -> bool:
    """Whether a branch out of a loop depends on a register that is written in the loop.

    The loop is taken for all blocks from its head to the one that leads back to it.
    """
    firsts, successors = flow.blocks.firsts, flow.blocks.successors
    first, stop = firsts[head], firsts[tail + 1]
    if _depends(first, stop, stop, flow):
        return True
    for block in range(head, tail):
        following = successors[block]
        is_left = not following or max(following) > tail or min(following) < head
        if is_left and _depends(first, stop, firsts[block + 1], flow):
            return True
    return False


def _depends(first: int, stop: int, end: int, flow: FunctionFlow) -> bool:
    """Whether the guard right before use `end` depends on a register that [first, stop) write."""
    uses = flow.uses
    if first == end or not uses.ways[end - 1] & GUARDS:
        return False
    written = flow.trace.only[uses.codes[end - 1]]
    if not first <= written < stop:
        return False
    while not uses.ways[written] & BEGINS:
        written -= 1
    while True:
        is_read = uses.ways[written] & READS
        if is_read and _is_changed(uses.codes[written], first, stop, flow):
            return True
        written += 1
        if written == stop or uses.ways[written] & BEGINS:
            return False


def _is_changed(code: int, first: int, stop: int, flow: FunctionFlow) -> bool:
    """Whether one of the uses [first, stop) writes a register, and not only the value it has."""
    uses = flow.uses
    try:
        while True:
            number = uses.codes.index(code, first, stop)
            if uses.ways[number] & WRITES and not _keeps(number, flow):
                return True
            first = number + 1
    except ValueError:
        return False


def _keeps(write: int, flow: FunctionFlow) -> bool:
    """Whether an instruction writes the value that the register has, as `add` of 0 does."""
    record = record_of(flow, write)
    if not isinstance(record, Shape) or record.name not in OPCODES:
        return False
    if record.name in _SUMS:
        operands = operand_texts(flow, write)[1:]
        if not any(integer(each.lstrip(_SIGNS)) == 0 for each in operands):
            return False
    same = identity(record, flow.statement(write).text)
    return same is not None and same.source == same.target


def _guards_of_exits(loop: frozenset[int], flow: FunctionFlow) -> list[int]:
    """Returns the guards that decide whether a loop continues; none if anything else may end it."""
    index, found = flow.index, []
    for block in loop:
        following = flow.blocks.successors[block]
        if flow.is_opened(block):
            return []
        if loop.issuperset(following) and not flow.leaves(block):
            continue
        last = index.firsts[block + 1] - 1
        if block + 1 not in following or last < index.firsts[block] or index.guard(last) is None:
            return []
        if not flow.ends_block(last, block):
            return []  # the branch has no guard
        found.append(index.first(last))
    return found


class _Dependence:
    """The values that change from one iteration of a loop to the next."""

    def __init__(
        self,
        loop: frozenset[int],
        flow: FunctionFlow,
        is_constant: Callable[[Shape], bool] | None,
    ) -> None:
        self._loop, self._flow, self._is_constant = loop, flow, is_constant
        self._n_steps = 0

    def changes(self, use: int) -> bool:
        """Whether the value that a use reads may change."""
        origins: set[int] = set()
        seen: set[int] = set()
        is_copied, waiting = False, [use]
        while waiting:
            read = waiting.pop()
            if read in seen:
                continue
            seen.add(read)
            self._n_steps += 1
            definitions = self._flow.definitions(read)
            if self._n_steps > _MAX_STEPS or not definitions.is_exact:
                return True
            if definitions.from_entry:
                origins.add(~self._flow.uses.codes[read])
            for write in definitions.writes:
                source = self._source(write) if self._is_inside(write) else None
                if source is None:
                    origins.add(write)
                else:
                    waiting.append(source)
                    is_copied |= self._flow.uses.codes[source] != self._flow.uses.codes[write]
        inside = [each for each in origins if each >= 0 and self._is_inside(each)]
        if not inside:
            return is_copied and len(origins) > 1  # the values may change places
        return len(origins) > 1 or self._result_changes(inside[0])

    def _is_inside(self, use: int) -> bool:
        return self._flow.index.block_of(use) in self._loop

    def _source(self, write: int) -> int | None:
        """Returns the use whose value an instruction copies to what it writes; None if none."""
        flow = self._flow
        record = record_of(flow, write)
        if not isinstance(record, Shape) or record.name not in OPCODES:
            return None
        same = identity(record, flow.statement(write).text)
        if same is None:
            return None
        code = flow.registers.code(same.source)
        uses = flow.index.statement(write)
        return next(
            (
                each
                for each in uses
                if flow.uses.codes[each] == code and flow.uses.ways[each] & READS
            ),
            None,
        )

    def _result_changes(self, write: int) -> bool:
        """Whether the only value of a register that is written in the loop may change."""
        flow, record = self._flow, record_of(self._flow, write)
        if flow.index.guard(write) is not None or not isinstance(record, Shape):
            return True
        is_known = is_pure(record) or self._is_parameter(record, write)
        if self._is_constant is not None:
            is_known = is_known or self._is_constant(record)
        uses = flow.index.statement(write)
        names_others = len(uses) != len(record.identifiers)
        if not is_known or (names_others and reads_clock(record, flow.statement(write).text)):
            return True
        return any(self.changes(each) for each in uses if flow.uses.ways[each] & READS)

    def _is_parameter(self, record: Shape, use: int) -> bool:
        """Whether an instruction loads a parameter of the function, which nothing writes."""
        function = self._flow.facts.function
        if function is None or not record.opcode.startswith(_PARAMETERS):
            return False
        names = {each.name for each in function.parameters}
        return not names.isdisjoint(names_of(record, self._flow.statement(use).text))
