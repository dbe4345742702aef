"""Finds the few instructions that may put halves of wide values together in the wrong order.

Nearly all are right, and to follow a half back through the flow graph takes long. So each register
gets the parts that any instruction may write to it, wherever that instruction is.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.halves import (
    COPYING,
    GIVING,
    HIGH,
    LOW,
    MAX_STEPS,
    NARROWING,
    SHIFTS,
    is_load_of_words,
    is_pack,
    is_unpack,
    n_words,
)
from ptx_ls.flow.slices.sources import record_of, writes_of
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS, WRITES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import Record

_N_PARTS: Final = 2
_PART: Final = {LOW: 1, HIGH: 2}
"""The bit of each part in a set of parts."""
_BOTH: Final = 3
_CONSTANT: Final = 4
"""The bit of a value of 32 bits that an instruction writes without reading a register."""
_NARROW: Final = (".b32", ".u32", ".s32", ".f32")


class HalfCandidates:
    """The parts of wide values that the registers of a function may hold."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow
        self._written: dict[int, tuple[int, tuple[int, ...]]] = {}
        self._shifted: dict[int, bool] = {}

    def packing(self, shapes: AbstractSet[Shape]) -> Iterator[Found]:
        """Yields the instructions of shapes that put two halves together, perhaps wrongly."""
        constant = {each for each in shapes if _has_constant(each)}
        certain = self._flow.text.with_shapes(constant)
        return self._chosen(shapes, certain, self._may_exchange)

    def storing(self, shapes: AbstractSet[Shape]) -> Iterator[Found]:
        """Yields the instructions of shapes that may store a high half before a low one."""
        return self._chosen(shapes, frozenset(), self._may_store)

    def _chosen(
        self,
        shapes: AbstractSet[Shape],
        certain: AbstractSet[Record],
        is_wanted: Callable[[range], bool],
    ) -> Iterator[Found]:
        """Yields the instructions of shapes on the lines that have one with wanted uses.

        `certain`: the records of other lines that are chosen.
        """
        flow = self._flow
        rows, records, first = flow.uses.rows, flow.text.records, 0
        chosen = []
        for row in flow.text.lines_of(flow.text.with_shapes(shapes)):
            first = bisect_left(rows, row, first)
            if records[row] in certain:
                chosen.append(row)
                continue
            stop = bisect_left(rows, row + 1, first)
            while first < stop:
                statement = range(first, min(stop, flow.index.statement(first).stop))
                first = statement.stop
                if is_wanted(statement):
                    chosen.append(row)
                    break
        return (each for each in flow.text.statements(chosen) if each.record in shapes)

    def _may_exchange(self, statement: range) -> bool:
        """Whether an instruction may put a half, or a constant, in the wrong place."""
        read = self._read_in(statement)
        if not 0 < len(read) <= _N_PARTS:
            return False
        low, high = read[0], read[-1]
        if self._written_to(high)[0] & _CONSTANT:
            return True
        above = self._parts(high)
        return bool(above & _BOTH and (above & _PART[LOW] or self._parts(low) & _PART[HIGH]))

    def _may_store(self, statement: range) -> bool:
        """Whether an instruction reads a register that may be a high half, and a low one."""
        parts = [*map(self._parts, self._read_in(statement))]
        return all(any(each & _PART[part] for each in parts) for part in (LOW, HIGH))

    def _parts(self, code: int) -> int:
        """Returns the parts that a register may hold, with copies of what others hold."""
        found, waiting, seen = 0, [code], {code}
        while waiting:
            parts, sources = self._written_to(waiting.pop())
            if len(seen) + len(sources) > MAX_STEPS:
                return _BOTH
            found |= parts
            for source in sources:
                if source not in seen:
                    seen.add(source)
                    waiting.append(source)
        return found

    def _written_to(self, code: int) -> tuple[int, tuple[int, ...]]:
        """Returns the parts that instructions write to a register, and what others copy to it."""
        known = self._written.get(code)
        if known is None:
            parts, sources, flow = 0, set[int](), self._flow
            for write in writes_of(flow, code):
                record = record_of(flow, write)
                if not isinstance(record, Shape) or record.name not in GIVING or is_pack(record):
                    continue
                statement = flow.index.statement(write)
                if record.name not in COPYING or is_unpack(record):
                    parts |= self._taken(record, write, statement)
                    continue
                read = self._read_in(statement)
                sources.update(read)
                is_constant = not read and flow.registers.bank(code).type in _NARROW
                parts |= _CONSTANT * is_constant
            known = self._written[code] = parts, tuple(sources)
        return known

    def _taken(self, shape: Shape, write: int, statement: range) -> int:
        """Returns the parts that an instruction may write with a use."""
        ways = self._flow.uses.ways
        if shape.opcode in NARROWING:
            is_shifted = any(map(self._is_shifted, self._read_in(statement)))
            return _BOTH if is_shifted else _PART[LOW]
        if not is_unpack(shape) and not is_load_of_words(shape):
            return 0
        written = [each for each in statement if ways[each] & WRITES]
        if len(written) != n_words(shape, 0):
            return _BOTH
        return _PART[written.index(write) % _N_PARTS]

    def _is_shifted(self, code: int) -> bool:
        """Whether some instruction may shift the high half of a register to its low half."""
        if code not in self._shifted:
            records = (record_of(self._flow, write) for write in writes_of(self._flow, code))
            self._shifted[code] = any(
                isinstance(each, Shape) and each.opcode in SHIFTS for each in records
            )
        return self._shifted[code]

    def _read_in(self, statement: range) -> list[int]:
        """Returns the registers that an instruction reads, without its guard."""
        codes, ways = self._flow.uses.codes, self._flow.uses.ways
        return [codes[each] for each in statement if ways[each] & (READS | GUARDS) == READS]


def _has_constant(shape: Shape) -> bool:
    """Whether an element of the vector that an instruction packs is a number."""
    return any(each.form is not OperandForm.IDENTIFIER for each in shape.operands[1].elements)
