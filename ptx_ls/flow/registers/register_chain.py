"""The writes of one register, and which of them may reach the start of each block."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.register_events import KILLS, PARTIAL, READS, WRITES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.flow.block_arrays import BlockArrays
    from ptx_ls.flow.registers.use_index import UseIndex

_MAX_STEPS: Final = 200_000
"""Number of blocks that the writes of a register may pass, all together."""


class Write(NamedTuple):
    """An instruction that writes a register.

    Attributes:
        use: the last use that writes it.
        first: the first use in the instruction.
        kills: whether it surely replaces the whole value.
        is_whole: whether it replaces the whole value if it runs.
    """

    use: int
    first: int
    kills: bool
    is_whole: bool


class Definitions(NamedTuple):
    """The writes that a value may come from.

    Attributes:
        writes: the uses that may have written it, in order.
        from_entry: whether a path from the entry may have none of them, so that a register without
            a value at the entry may have none here.
        is_exact: whether each is on a path through the flow graph. Else these are all writes of the
            register, because there are too many paths.
    """

    writes: tuple[int, ...] = ()
    from_entry: bool = False
    is_exact: bool = True


class RegisterChain:
    """The writes of a register by blocks, and what reaches the blocks.

    Attributes:
        reads_in: the uses in each block that read it, in order.
        writes: the writes in each block, in order.
    """

    def __init__(
        self,
        code: int,
        ways: bytes,
        index: UseIndex,
        blocks: BlockArrays,
    ) -> None:
        self._blocks, self._index = blocks, index
        self.reads_in: dict[int, list[int]] = {}
        self.writes: dict[int, list[Write]] = {}
        self._exposed: set[int] = set()  # the blocks that use the value at their start
        self._killing: set[int] = set()
        self._leaving: list[int] = []  # the uses whose values leave a block
        previous, way, last, block = -1, 0, -1, -1
        for use in index.of(code):
            first = index.first(use)
            if first != previous:
                self._add(previous, last, way, block)
                previous, way, last, block = first, 0, -1, index.block_of(first)
            own = ways[use]
            way |= own
            if own & READS and block >= 0:
                self.reads_in.setdefault(block, []).append(use)
            if own & WRITES:
                last = use
        self._add(previous, last, way, block)

    def _add(self, first: int, last: int, way: int, block: int) -> None:
        """Adds an instruction: its first use, the last one that writes, and what its uses do."""
        if block < 0:
            return
        kills = bool(way & KILLS)
        if block not in self._killing and (way & READS or not kills):
            self._exposed.add(block)
        if way & WRITES:
            write = Write(last, first, kills, not way & PARTIAL)
            self.writes.setdefault(block, []).append(write)
        if kills:
            self._killing.add(block)

    @cached_property
    def is_unconditional(self) -> bool:
        """Whether all writes surely replace the whole value."""
        return all(each.kills for own in self.writes.values() for each in own)

    def reads_of_entry(self) -> Iterator[int]:
        """Yields the reads that may get the value at the entry, and perhaps some others."""
        blocks = {0, *self._unset}
        for block in sorted(blocks & self.reads_in.keys()):
            yield from self._exposed_reads(block)

    def reads_after(self, write: int) -> list[int]:
        """Returns the reads that may get what a use writes, and perhaps some others, in order."""
        first_of = self._index.first
        first, block = first_of(write), self._index.block_of(write)
        writes = self.writes.get(block, [])
        later = writes[bisect_right(writes, first, key=_first) :]
        kill = next((it.first for it in later if it.kills), None)
        own = self.reads_in.get(block, [])
        stop = len(own) if kill is None else bisect_right(own, kill, key=first_of)
        found = {*own[bisect_right(own, first, key=first_of) : stop]}
        for each in self._passed(self._blocks.successors[block]) if kill is None else ():
            found.update(self._exposed_reads(each))
        return sorted(found)

    def _exposed_reads(self, block: int) -> Sequence[int]:
        """Returns the reads of the value that a register has at the start of a block."""
        own = self.reads_in.get(block, [])
        kill = next((it.first for it in self.writes.get(block, ()) if it.kills), None)
        return own if kill is None else own[: bisect_right(own, kill, key=self._index.first)]

    @property
    def all_writes(self) -> tuple[int, ...]:
        """All uses that write it."""
        return tuple(sorted(each.use for own in self.writes.values() for each in own))

    def before(self, block: int, first: int) -> Sequence[Write]:
        """Returns the writes in a block before the instruction whose first use is `first`."""
        own = self.writes.get(block, ())
        return own[: bisect_left(own, first, key=_first)]

    def reaching(self, block: int, first: int) -> Definitions:
        """Returns the definitions that may reach an instruction, by its first use."""
        found: list[int] = []
        if _back_to_kill(self.before(block, first), found):
            return Definitions(tuple(reversed(found)))
        entering = self._entering
        if entering is None:
            return Definitions(self.all_writes, from_entry=True, is_exact=False)
        before = self._uses_in(entering.get(block, 0))
        from_entry = block in self._unset or not block
        return Definitions(tuple(sorted({*found, *before})), from_entry)

    def _uses_in(self, bits: int) -> Iterator[int]:
        """Yields the uses in `_leaving` of the bits that are set."""
        while bits:
            last = bits & -bits
            yield self._leaving[last.bit_length() - 1]
            bits ^= last

    @cached_property
    def _live(self) -> set[int]:
        """The blocks at whose start the value matters."""
        found: set[int] = set()
        waiting = [*self._exposed]
        while waiting:
            block = waiting.pop()
            if block not in found:
                found.add(block)
                waiting += [
                    each for each in self._blocks.predecessors[block] if each not in self._killing
                ]
        return found

    @cached_property
    def _entering(self) -> dict[int, int] | None:
        """The writes that may reach each live block, as bits of `_leaving`; None: too many."""
        reached = dict.fromkeys(self._live, 0)
        waiting: list[int] = []  # a heap of the blocks that more writes reach
        passed_on: dict[int, int] = {}
        n_steps = 0
        leaving = self._leaving_blocks()
        while waiting or leaving:
            if leaving:
                block, bits = leaving.pop()
            else:
                block = heappop(waiting)
                bits = reached[block]
                if block in self._killing or passed_on.get(block) == bits:
                    continue
                passed_on[block] = bits
            for each in self._blocks.successors[block]:
                known = reached.get(each)
                if known is not None and (more := bits & ~known):
                    reached[each] = known | bits
                    heappush(waiting, each)
                    n_steps += more.bit_count()
            if n_steps > _MAX_STEPS:
                return None
        return reached

    def _leaving_blocks(self) -> list[tuple[int, int]]:
        """Returns the blocks from which writes leave, with these as bits of `_leaving`."""
        found = []
        for block, own in self.writes.items():
            n_before = len(self._leaving)
            _back_to_kill(own, self._leaving)
            found.append((block, (1 << len(self._leaving)) - (1 << n_before)))
        return found

    @cached_property
    def _unset(self) -> set[int]:
        """The live blocks that control reaches from the entry before any write."""
        return self._passed([0]) if 0 in self._live else set()

    def _passed(self, first: Iterable[int]) -> set[int]:
        """Returns the live blocks that control reaches from some before the register is killed."""
        found: set[int] = set()
        waiting = [*first]
        while waiting:
            block = waiting.pop()
            if block in self._live and block not in found:
                found.add(block)
                if block not in self._killing:
                    waiting += self._blocks.successors[block]
        return found


def _back_to_kill(writes: Sequence[Write], found: list[int]) -> bool:
    """Adds the writes from the last one back to one that kills; returns whether one does."""
    for write in reversed(writes):
        found.append(write.use)
        if write.kills:
            return True
    return False


def _first(write: Write) -> int:
    return write.first
