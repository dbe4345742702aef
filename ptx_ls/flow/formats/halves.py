"""Finds which half of a wide value a register holds.

`mov.b64 {%r1, %r2}, %rd1` takes a value apart: the first element of the vector is the low half.
`ld.v2.b32 {%r1, %r2}, [%rd1]` loads the halves of a value in memory in the same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.format_trace import name_of, value_of
from ptx_ls.flow.slices.sources import record_of
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS, WRITES
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.operands import OperandSyntax

MOVE: Final = "mov.b64"
LOW: Final = 0
HIGH: Final = 1
_COPY: Final = "mov"
_SHUFFLE: Final = "shfl"
_PARTS: Final = 2
_HALF: Final = 32
NARROWING: Final = ("cvt.u32.u64", "cvt.s32.s64", "cvt.u32.s64", "cvt.s32.u64")
SHIFTS: Final = ("shr.u64", "shr.s64", "shr.b64")
_WORDS: Final = (".b32", ".u32", ".s32")
_LOADS: Final = ("ld", "ldu")
_STORE: Final = "st"
COPYING: Final = (_COPY, _SHUFFLE)
"""Opcodes whose results may be halves that they read."""
GIVING: Final = frozenset({*COPYING, "cvt", *_LOADS})
"""Opcodes whose results may be halves."""
MAX_STEPS: Final = 64
"""Number of definitions to look at for one register."""


class Half(NamedTuple):
    """A half of a wide value.

    Attributes:
        part: LOW or HIGH.
        wide: a use that reads the wide value; the one that writes the half, if it is loaded.
        values: the uses that may have written the wide value, or its loaded halves.
        is_shuffled: whether it may come from another thread.
        is_loaded: whether an instruction loads both halves.
    """

    part: int
    wide: int
    values: tuple[int, ...]
    is_shuffled: bool = False
    is_loaded: bool = False


def packed(found: Found) -> tuple[OperandSyntax, OperandSyntax] | None:
    """Returns the low and the high half that an instruction puts together, or None."""
    record = found.record
    if not isinstance(record, Shape) or not is_pack(record):
        return None
    low, high = written_operands(record, found.text)[1].elements
    return low, high


class _Source(NamedTuple):
    """Where a definition gets a half from: it copies what it reads, or takes a value apart."""

    reads: tuple[int, ...]
    half: Half | None
    is_shuffled: bool


def is_pack(shape: Shape) -> bool:
    """Whether instructions of a shape put two halves together."""
    return _is_vector_at(shape, 1)


def is_unpack(shape: Shape) -> bool:
    """Whether instructions of a shape take a value apart into two halves."""
    return _is_vector_at(shape, 0)


def is_store_of_words(shape: Shape) -> bool:
    """Whether instructions of a shape store several words of 32 bits."""
    return shape.name == _STORE and shape.opcode.endswith(_WORDS) and n_words(shape, 1) > 0


def is_load_of_words(shape: Shape) -> bool:
    """Whether instructions of a shape load several words of 32 bits."""
    return shape.name in _LOADS and shape.opcode.endswith(_WORDS) and n_words(shape, 0) > 0


def stored_pairs(found: Found) -> Iterator[tuple[OperandSyntax, OperandSyntax]]:
    """Yields the neighbouring words, at addresses for 64 bits, that an instruction stores."""
    if isinstance(found.record, Shape) and is_store_of_words(found.record):
        words = written_operands(found.record, found.text)[1].elements
        yield from zip(words[::2], words[1::2], strict=True)


def n_words(shape: Shape, number: int) -> int:
    """Returns the number of elements of a vector; 0 for other operands, and if it is odd."""
    operand = shape.operands[number] if number < len(shape.operands) else None
    if operand is None or operand.form is not OperandForm.VECTOR:
        return 0
    return 0 if len(operand.elements) % _PARTS else len(operand.elements)


def _is_vector_at(shape: Shape, number: int) -> bool:
    if shape.opcode != MOVE or len(shape.operands) != _PARTS:
        return False
    operand = shape.operands[number]
    return operand.form is OperandForm.VECTOR and len(operand.elements) == _PARTS


class HalfTrace:
    """The halves in the registers of a function."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow
        self._sources: dict[int, _Source | None] = {}

    def halves(self, use: int) -> tuple[Half, ...]:
        """Returns the halves that the register at a use may hold; none if there may be others."""
        found: list[Half] = []
        is_shuffled = False
        waiting, seen = [use], set[int]()
        while waiting:
            definitions = self._flow.definitions(waiting.pop())
            if definitions.from_entry or not definitions.writes:
                return ()
            for write in definitions.writes:
                if write in seen:
                    continue
                seen.add(write)
                source = self._source(write)
                if source is None or len(seen) > MAX_STEPS:
                    return ()
                is_shuffled |= source.is_shuffled
                found += [source.half] if source.half is not None else []
                waiting += source.reads
        return tuple([each._replace(is_shuffled=is_shuffled) for each in found])

    def _source(self, write: int) -> _Source | None:
        """Returns where a definition gets a half from; None if it may write anything else."""
        if write not in self._sources:
            self._sources[write] = self._source_of(write)
        return self._sources[write]

    def _source_of(self, write: int) -> _Source | None:
        record = record_of(self._flow, write)
        if not isinstance(record, Shape) or record.name not in GIVING:
            return None
        reads = () if is_unpack(record) else (*self._copied(write),)
        half = None if reads else self._taken(write)
        return _Source(reads, half, record.name == _SHUFFLE) if reads or half else None

    def constant(self, use: int) -> int | None:
        """Returns the number that a `mov` writes to the register at a use; None if none does."""
        definition = self._flow.definition(use)
        found = None if definition is None else self._flow.statement(definition)
        if found is None or not isinstance(found.record, Shape) or found.record.name != _COPY:
            return None
        return value_of(written_operands(found.record, found.text)[1])

    def _copied(self, write: int) -> Iterator[int]:
        """Yields the use whose value a copy or a shuffle passes on."""
        found = self._flow.statement(write)
        record = found.record
        if not isinstance(record, Shape) or record.name not in COPYING:
            return
        operands = written_operands(record, found.text)
        if len(operands) > 1 and name_of(operands[0]) == self._flow.name_of(write):
            yield from self._read(found, operands[1])

    def _taken(self, write: int) -> Half | None:
        """Returns the half of a wide value that an instruction writes."""
        found = self._flow.statement(write)
        record = found.record
        if not isinstance(record, Shape):
            return None
        if is_unpack(record):
            elements, source = written_operands(record, found.text)
            names = [each.text for each in elements.elements]
            name = self._flow.name_of(write)
            if names.count(name) != 1:
                return None
            return self._half(found, source, names.index(name))
        if record.opcode in NARROWING:
            return self._narrowed(found, written_operands(record, found.text)[1])
        return self._loaded(found, record, write)

    def _loaded(self, found: Found, record: Shape, write: int) -> Half | None:
        """Returns the half that a load writes with the other half of the same value."""
        if not is_load_of_words(record):
            return None
        names = [each.text for each in written_operands(record, found.text)[0].elements]
        name = self._flow.name_of(write)
        written = uses_in(self._flow, found, WRITES)
        if names.count(name) != 1:
            return None
        place = names.index(name)
        pair = names[place - place % _PARTS :][:_PARTS]
        values = tuple([written[each] for each in pair if each in written])
        return Half(place % _PARTS, write, values, is_loaded=True)

    def _narrowed(self, found: Found, source: OperandSyntax) -> Half | None:
        """Returns the half that a conversion to 32 bits keeps: the high one after a shift."""
        half = self._half(found, source, LOW)
        if half is None or len(half.values) != 1:
            return half
        made = self._flow.statement(half.values[0])
        if not isinstance(made.record, Shape) or made.record.opcode not in SHIFTS:
            return half
        _, shifted, amount = written_operands(made.record, made.text)
        return self._half(made, shifted, HIGH) if value_of(amount) == _HALF else None

    def _half(self, found: Found, source: OperandSyntax, part: int) -> Half | None:
        for wide in self._read(found, source):
            definitions = self._flow.definitions(wide)
            if definitions.writes and not definitions.from_entry:
                return Half(part, wide, definitions.writes)
        return None

    def _read(self, found: Found, source: OperandSyntax) -> Iterator[int]:
        """Yields the use with which a statement reads a register, if an operand is one."""
        use = uses_in(self._flow, found, READS).get(name_of(source))
        if use is not None:
            yield use
