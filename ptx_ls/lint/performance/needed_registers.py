"""Counts the registers that a kernel surely needs at a time.

ptxas moves instructions, computes cheap values again, and joins sums before a barrier, so
it often needs fewer registers than are alive in the text. Two kinds of values stay in registers:
sums that each iteration of a loop continues, and what is loaded before a barrier and stored, or
combined with what is loaded, after it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.flow.liveness import Liveness, register_class, words_of
from ptx_ls.flow.slices.sources import record_of
from ptx_ls.flow.structure.loop_forest import NO_LOOP
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS, WRITES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import Record

_BARRIERS: Final = ("bar", "barrier")
_MATRIX: Final = frozenset(("mma", "wmma"))
_SUMS: Final = frozenset(("fma", "add", "sub", "mul", "min", "max", "mad"))
_FLOATS: Final = ("f", "bf")
_LOADS: Final = ("ld", "ldmatrix")
_STORES: Final = ("st", "red", "atom", "shfl")
_FREE_LOADS: Final = (".param", ".const", ".nc", ".local")
"""Modifiers of loads that ptxas may move over a barrier."""
_MAX_WORDS: Final = 255
"""More registers than a limit ever leaves for a thread."""


class Need(NamedTuple):
    """The registers that are needed at a place.

    Attributes:
        words: the number of 32-bit registers for values that are there at the same time.
        uniform: how many of them might be in registers for a whole warp.
        row: the line.
        is_loop: whether it is the start of a loop, not a barrier.
    """

    words: int
    uniform: int
    row: int
    is_loop: bool


class _LoadedValue(NamedTuple):
    """A value that a use loads: its register and size, and the lines between which it is needed."""

    definition: int
    code: int
    words: int
    row: int
    stop: int


class NeededRegisters:
    """The registers that a function needs; see `places`."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow

    @cached_property
    def _liveness(self) -> Liveness:
        return Liveness(self._flow)

    def places(self, enough: int) -> Iterator[Need]:
        """Yields the need at the start of each loop, and at each barrier.

        Leaves out what surely needs fewer registers than `enough`.
        """
        if self._most(_is_sum) >= enough:
            yield from self._loops()
        if self._most(_is_load) >= enough:
            yield from self._barriers(enough)

    def _barriers(self, enough: int) -> Iterator[Need]:
        """Yields the need at each barrier where it may be at least `enough`."""
        text = self._flow.text
        barriers = [*text.statements_of(text.with_opcodes(_BARRIERS))]
        loads = [*self._loads([each.start[0] for each in barriers])] if barriers else []
        if any(sum(_waiting(it, loads).values()) >= enough for it in barriers):
            loads = [each._replace(stop=self._needed_until(each)) for each in loads]
            for barrier in barriers:
                waiting = _waiting(barrier, loads)
                if sum(waiting.values()) >= enough:
                    yield self._of_barrier(barrier, waiting)

    def _most(self, is_counted: Callable[[Shape], bool]) -> int:
        """Returns how many 32-bit registers all results of some instructions take at most."""
        text = self._flow.text
        words: dict[Record, int] = {}
        for shape in filter(is_counted, text.shapes):
            for record in text.with_shapes({shape}):
                words[record] = words.get(record, 0) + _most_words(shape)
        return sum(text.flags(lambda record: min(words.get(record, 0), _MAX_WORDS)))

    def _loops(self) -> Iterator[Need]:
        """Yields the need at the start of each loop."""
        forest = self._flow.graph.loop_forest
        blocks = range(self._flow.blocks.n_blocks)
        heads = {head for block in blocks if (head := forest.innermost(block)) != NO_LOOP}
        for head in sorted(heads):
            yield self._of_loop(head)

    def _of_loop(self, head: int) -> Need:
        """Returns the need of the sums that a loop continues and that are read after it."""
        flow, entering = self._flow, self._liveness.entering
        inside = flow.graph.loop_forest.blocks(head)
        after = {it for block in inside for it in flow.blocks.successors[block]} - inside
        left = frozenset[int]().union(*[entering[block] for block in after])
        words = uniform = 0
        for code in entering[head] & left:
            names = {*self._sums(code, inside)}
            if names:
                size = words_of(flow.registers.bank(code))
                words += size
                uniform += size if names.isdisjoint(_MATRIX) else 0
        return Need(words, uniform, flow.graph.starts[head][0], is_loop=True)

    def _sums(self, code: int, inside: frozenset[int]) -> Iterator[str]:
        """Yields the opcodes that add to a float or a matrix in some blocks."""
        flow = self._flow
        for use in flow.index.of(code):
            if flow.uses.ways[use] & WRITES and flow.index.block_of(use) in inside:
                shape = record_of(flow, use)
                if isinstance(shape, Shape) and _is_sum(shape):
                    yield shape.name

    def _loads(self, barriers: Sequence[int]) -> Iterator[_LoadedValue]:
        """Yields the values that are loaded, with the line of the last read of the register.

        Leaves out those that are not read after a barrier; `barriers`: the lines of all of them.
        """
        flow = self._flow
        text, rows, last_use = flow.text, flow.uses.rows, flow.index.last
        shapes = {each for each in text.shapes if _is_load(each)}
        for row in text.lines_of(text.with_shapes(shapes)):
            number = bisect_right(barriers, row)
            if number == len(barriers):
                return
            for use in range(bisect_left(rows, row), bisect_right(rows, row)):
                code = flow.uses.codes[use]
                if flow.uses.ways[use] & WRITES and rows[last_use(code)] > barriers[number]:
                    words = self._size_of_load(use)
                    if words:
                        yield _LoadedValue(use, code, words, row, rows[last_use(code)])

    def _needed_until(self, value: _LoadedValue) -> int:
        """Returns the line before which a value is needed, whatever ptxas moves."""
        flow = self._flow
        rows = [
            self._read_until(use)
            for use in flow.index.of(value.code)
            if flow.uses.ways[use] & READS and flow.definition(use) == value.definition
        ]
        return max(rows, default=0)

    def _read_until(self, use: int) -> int:
        """Returns the line of an instruction that has an effect, or of the last load that it reads.

        Other instructions may be moved up, so that they replace the values that they read.
        """
        flow = self._flow
        shape = record_of(flow, use)
        if isinstance(shape, Shape) and shape.name in _STORES:
            return flow.uses.rows[use]
        last = 0
        for other in flow.index.statement(use):
            definition = flow.definition(other) if other != use else None
            if definition is not None and flow.uses.ways[other] & READS:
                made = record_of(flow, definition)
                if isinstance(made, Shape) and made.name in _LOADS:
                    last = max(last, flow.uses.rows[definition])
        return last

    def _of_barrier(self, barrier: Found, waiting: Mapping[int, int]) -> Need:
        """Returns the need of values that were loaded before a barrier, for use after it.

        `waiting`: the registers with such values, each with its size.
        """
        row = barrier.start[0]
        block = self._flow.graph.number_at(barrier.start)
        alive = self._liveness.alive_before(block, row) if block is not None else frozenset()
        words = sum(waiting[code] for code in alive.intersection(waiting))
        return Need(words, 0, row, is_loop=False)

    def _size_of_load(self, definition: int) -> int:
        """Returns how many 32-bit registers a load needs for one result; 0 for other writes."""
        flow = self._flow
        shape = record_of(flow, definition)
        first = flow.index.first(definition)
        if not isinstance(shape, Shape) or not _is_load(shape) or flow.uses.ways[first] & GUARDS:
            return 0
        modifiers = modifiers_of(shape.opcode) or [""]
        bits = isa.database().type_facts.get(modifiers[-1], (0,))[0]
        bank = flow.registers.bank(flow.uses.codes[definition])
        return min(int(bits) // 32, words_of(bank)) if register_class(bank.type) else 0


def _waiting(barrier: Found, loads: Sequence[_LoadedValue]) -> dict[int, int]:
    """Returns the registers with values that are needed before and after a barrier, and sizes."""
    row = barrier.start[0]
    return {each.code: each.words for each in loads if each.row < row < each.stop}


def _is_sum(shape: Shape) -> bool:
    """Whether an instruction may add to a float or a matrix."""
    is_float = shape.opcode.rpartition(".")[2].startswith(_FLOATS)
    return shape.name in _MATRIX or (is_float and shape.name in _SUMS)


def _is_load(shape: Shape) -> bool:
    """Whether an instruction is a load that ptxas does not move over a barrier."""
    modifiers = modifiers_of(shape.opcode)
    return shape.name in _LOADS and not any(each.startswith(_FREE_LOADS) for each in modifiers)


def _most_words(shape: Shape) -> int:
    """Returns how many 32-bit registers the results of an instruction take at most."""
    n_results = max(1, len(shape.operands[0].elements)) if shape.operands else 1
    bits = isa.database().type_facts.get(f".{shape.opcode.rpartition('.')[2]}", (0,))[0]
    return n_results * max(1, int(bits) // 32)
