"""Which registers hold a value that is still needed, after each instruction of a function.

A register is alive between a write and the last read of the value. Most registers are used in one
block only. For the others, sets of registers are whole numbers with a bit for each.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.register_events import BEGINS, KILLS, READS, WRITES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.symbols import Symbol

PREDICATES: Final = "predicates"
CLASSES: Final = (PREDICATES, "16-bit", "32-bit", "64-bit", "128-bit")
"""The classes of registers by size; 8-bit registers are among those of 16 bits."""
_WORDS: Final = (0, 1, 1, 2, 4)
"""The number of 32-bit registers that a register of each class takes."""
_NONE: Final = (0,) * len(CLASSES)


class LiveCount(NamedTuple):
    """The number of registers of each class that are alive after an instruction.

    Attributes:
        row: the line where the instruction begins.
        counts: the number of each class, in the order of `CLASSES`.
    """

    row: int
    counts: tuple[int, ...] = _NONE

    @property
    def words(self) -> int:
        """The number of 32-bit registers that they take, without predicates."""
        return sum(count * size for count, size in zip(self.counts, _WORDS, strict=True))


class _BlockUse(NamedTuple):
    """The uses of registers in a block.

    Attributes:
        exposed: those that it reads before it writes them.
        kills: those that it surely writes.
        writes: those that it may write.
    """

    exposed: set[int]
    kills: set[int]
    writes: set[int]


class Liveness:
    """The registers that are alive in a function, whose flow is `flow`."""

    def __init__(self, flow: FunctionFlow) -> None:
        self.flow = self._flow = flow
        self._spans = [*pairwise(flow.blocks.firsts)]
        self._kinds: dict[int, tuple[int, int]] = {}

    @property
    def entering(self) -> list[frozenset[int]]:
        """The registers that are alive at the start of each block."""
        return self._solved[0]

    @property
    def _leaving(self) -> list[frozenset[int]]:
        """The registers that are alive at the end of each block."""
        return self._solved[1]

    def counts(self, block: int) -> list[LiveCount]:
        """Returns how many registers are alive after each instruction of a block, in order."""
        flow, found = self._flow, list[LiveCount]()
        own = [0] * len(CLASSES)
        kind_of = self._kind_of
        for code in self._leaving[block]:
            number, size = kind_of(code)
            own[number] += size
        for first, born, died in self._backwards(block, {*self._leaving[block]}):
            found.append(LiveCount(flow.uses.rows[first], tuple(own)))
            for code in born:
                number, size = kind_of(code)
                own[number] -= size
            for code in died:
                number, size = kind_of(code)
                own[number] += size
        return found[::-1]

    def counts_between(self, first: int, stop: int) -> Iterator[LiveCount]:
        """Yields how many registers are alive after each instruction on lines [first, stop)."""
        rows = self._flow.uses.rows
        for block, (begin, end) in enumerate(self._spans):
            if begin < end and rows[begin] < stop and rows[end - 1] >= first:
                yield from (each for each in self.counts(block) if first <= each.row < stop)

    def alive_after(self, block: int, number: int) -> frozenset[int]:
        """Returns the registers that are alive after an instruction of a block."""
        alive = {*self._leaving[block]}
        statements = self._statements(block)
        for place, (_, born, died) in enumerate(self._backwards(block, {*alive})):
            if len(statements) - 1 - place == number:
                break
            alive -= born
            alive |= died
        return frozenset(alive)

    def alive_before(self, block: int, row: int) -> frozenset[int]:
        """Returns the registers that are alive where a line of a block begins."""
        rows = self._flow.uses.rows
        n_before = sum(rows[first] < row for first, _ in self._statements(block))
        return self.alive_after(block, n_before - 1) if n_before else self.entering[block]

    def _backwards(self, block: int, alive: set[int]) -> Iterator[tuple[int, set[int], set[int]]]:
        """Yields the instructions of a block, the last one first.

        For each: its first use, the registers whose values it begins, and those that it reads last.
        `alive`: those that are alive after the block.
        """
        uses, entering = self._flow.uses, self.entering[block]
        written_first: dict[int, int] = {}
        statements = self._statements(block)
        for first, stop in statements:
            for use in range(first, stop):
                if uses.ways[use] & WRITES:
                    written_first.setdefault(uses.codes[use], first)
        for first, stop in reversed(statements):
            born, died = set[int](), set[int]()
            for use in range(first, stop):
                code, way = uses.codes[use], uses.ways[use]
                is_new = code not in entering and written_first.get(code) == first
                if way & WRITES and code in alive and (way & KILLS or is_new):
                    born.add(code)
            alive -= born
            for use in range(first, stop):
                code = uses.codes[use]
                has_value = code in entering or written_first.get(code, first) < first
                if uses.ways[use] & READS and code not in alive and has_value:
                    died.add(code)
                    alive.add(code)
            yield first, born - died, died - born

    def _statements(self, block: int) -> list[tuple[int, int]]:
        """Returns the first use of each instruction of a block, and the use after its last."""
        first, stop = self._spans[block]
        ways = self._flow.uses.ways
        starts = [use for use in range(first, stop) if use == first or ways[use] & BEGINS]
        return [*zip(starts, [*starts[1:], stop], strict=False)] if starts else []

    def _kind_of(self, code: int) -> tuple[int, int]:
        """Returns the number of the class of a register, and how many registers it counts for."""
        found = self._kinds.get(code)
        if found is None:
            bank = self._flow.registers.bank(code)
            found = self._kinds[code] = register_class(bank.type), bank.vector_size
        return found

    @cached_property
    def _solved(self) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
        """The registers that are alive at the start and at the end of each block."""
        used = [self._use_of(block) for block in range(len(self._spans))]
        results = self._flow.registers.results
        shared = _shared(used) | results | self._flow.registers.parameters
        bits = {code: 1 << number for number, code in enumerate(sorted(shared))}
        names = [*bits]

        def mask(codes: set[int] | frozenset[int]) -> int:
            return sum([bits[code] for code in codes if code in bits])

        successors, predecessors = self._flow.blocks.successors, self._flow.blocks.predecessors
        exposed = [mask(each.exposed) for each in used]
        kept = [~mask(each.kills) for each in used]
        leaves = self._flow.graph.leaves if results else {}
        ending = [mask(results) * (leaves.get(block) == "ret") for block in range(len(successors))]
        live = _fixpoint(
            predecessors,
            successors,
            lambda block, out: exposed[block] | ((out | ending[block]) & kept[block]),
            range(len(successors))[::-1],
        )
        writes = [mask(each.writes) for each in used]
        first = mask(self._flow.registers.parameters)
        reached = _fixpoint(
            successors,
            predecessors,
            lambda block, into: into | writes[block] | (first if block == 0 else 0),
            range(len(successors)),
        )
        entering, leaving = [], []
        for block, following in enumerate(successors):
            into = first if block == 0 else 0
            for before in predecessors[block]:
                into |= reached[before]
            out = ending[block]
            for each in following:
                out |= live[each]
            entering.append(_codes(live[block] & into, names))
            leaving.append(_codes(out & reached[block], names))
        return entering, leaving

    def _use_of(self, block: int) -> _BlockUse:
        uses = self._flow.uses
        exposed, kills, writes = set[int](), set[int](), set[int]()
        for first, stop in self._statements(block):
            killed = set()
            for use in range(first, stop):
                code, way = uses.codes[use], uses.ways[use]
                if way & READS and code not in kills:
                    exposed.add(code)
                if way & KILLS:
                    killed.add(code)
                if way & WRITES:
                    writes.add(code)
            kills |= killed
        return _BlockUse(exposed, kills, writes)


def _shared(used: Sequence[_BlockUse]) -> set[int]:
    """Returns the registers that some block may read from another one."""
    return set().union(*[each.exposed for each in used])


def _fixpoint(
    dependent: Sequence[Sequence[int]],
    sources: Sequence[Sequence[int]],
    change: Callable[[int, int], int],
    order: Sequence[int],
) -> list[int]:
    """Returns the least sets of registers that blocks make of the sets of others.

    Args:
        dependent: for each block, those whose sets depend on its own.
        sources: for each block, those that its set depends on.
        change: makes the set of a block from the union of those of its sources.
        order: all blocks, most of them after their sources. In another order, each change would
            be passed on again and again.
    """
    found = [0] * len(sources)
    is_waiting = bytearray(b"\1" * len(sources))
    while any(is_waiting):
        for block in order:
            if not is_waiting[block]:
                continue
            is_waiting[block] = 0
            joined = 0
            for each in sources[block]:
                joined |= found[each]
            made = change(block, joined)
            if made != found[block]:
                found[block] = made
                for each in dependent[block]:
                    is_waiting[each] = 1
    return found


def _codes(mask: int, names: Sequence[int]) -> frozenset[int]:
    """Returns the registers whose bits are set."""
    found = []
    while mask:
        last = mask.bit_length() - 1
        found.append(names[last])
        mask ^= 1 << last
    return frozenset(found)


def words_of(bank: Symbol) -> int:
    """Returns the number of 32-bit registers that a register of a bank takes."""
    return _WORDS[register_class(bank.type)] * bank.vector_size


@lru_cache(maxsize=1 << 8)
def register_class(written: str) -> int:
    """Returns the number of the class of registers with a type."""
    digits = "".join(filter(str.isdigit, written.partition("x")[0]))
    packed = 2 if "x2" in written else 1
    n_bits = int(digits) * packed if digits and len(digits) < 4 else 0  # noqa: PLR2004
    return {0: 0, 64: 3, 128: 4}.get(n_bits, 2 if n_bits > 16 else 1)  # noqa: PLR2004
