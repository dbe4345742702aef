"""Finds the constants that `mov` brings into the register operands of instructions.

Compilers bring nearly all operands of `shfl` into registers first. This reads only the definitions
of these registers, so it is cheap in large functions, too.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

from ptx_ls.flow.slices.sources import record_of
from ptx_ls.flow.slices.statement_reads import uses_at
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.semantics.constants.values import integer_of
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.names import without_registers
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import Record

_MAX_COPIES: Final = 8
"""Number of copies from register to register to follow."""
_COPY: Final = "mov"
READERS: Final = {"shfl": 2, "prmt": 3, "vote": -1, "match": -1, "redux": -1, "elect": -1}
"""Opcodes of instructions with operands that compilers move to registers; the first of these."""
Mistake = TypeVar("Mistake")


class _ConstantSource(NamedTuple):
    """A constant, as a number and as text, and the place of the `mov` with it."""

    number: int
    text: str
    start: FunctionPosition
    end: FunctionPosition


class MovedConstant(NamedTuple):
    """A constant that an operand surely has.

    Attributes:
        number: its value.
        text: the constant as written.
        register: the register that is the operand; "" if the constant itself is.
        span: the place of the operand.
        moved: the instruction that writes the constant to a register, or None.
    """

    number: int
    text: str
    register: str
    span: FunctionSpan
    moved: FunctionSpan | None


def judged(
    flow: FunctionFlow,
    shapes: AbstractSet[Shape],
    judge: Callable[[Found], Mistake | None],
) -> Iterator[Mistake]:
    """Yields the mistakes that `judge` finds in instructions of some shapes of `READERS`.

    `judge` may only depend on the text of an instruction without registers, and on the constants in
    these. If it finds no mistake in one of several that are alike in that, it is not asked about
    the others.
    """
    for group in _constants(flow).groups:
        if group[0].record in shapes and judge(group[0]) is not None:
            yield from (each for each in map(judge, group) if each is not None)


class _MovedConstants:
    """The constants that `mov` brings into the registers of a function, found on demand."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow
        self._known: dict[int, _ConstantSource | None] = {}

    @cached_property
    def groups(self) -> tuple[list[Found], ...]:
        """The instructions with the opcodes `READERS`, in groups that are alike.

        Those of a group have the same text without registers, and the same constants in these.
        """
        found: dict[object, list[Found]] = {}
        for each in self._flow.text.instructions(self._flow.text.shapes_of(READERS)):
            key = without_registers(each.text), self._read_by(each)
            found.setdefault(key, []).append(each)
        return tuple(found.values())

    def _read_by(self, found: Found) -> object:
        """Returns the constants in the registers that are operands of interest.

        The place of the instruction if a register is named twice, so that it is like no other.
        """
        n_wanted, ways = _n_registers(found.record), self._flow.uses.ways
        read = [it for it in uses_at(self._flow, found) if ways[it] & (READS | GUARDS) == READS]
        if len(read) < n_wanted:
            return found.start
        sources = map(self.source, read[len(read) - n_wanted :])
        return tuple([None if each is None else each.number for each in sources])

    def source(self, use: int) -> _ConstantSource | None:
        """Returns the constant in the register at a use, and the instruction that writes it."""
        write = self._flow.definition(use)
        if write is None:
            return None
        if write not in self._known:
            self._known[write] = self._find_source(write)
        return self._known[write]

    def _find_source(self, write: int) -> _ConstantSource | None:
        flow, following = self._flow, write
        for _ in range(_MAX_COPIES):
            record = record_of(flow, following)
            if not isinstance(record, Shape) or record.name != _COPY:
                return None
            if flow.index.guard(following) is not None:
                return None
            found = flow.statement(following)
            source = written_operands(record, found.text)[-1]
            if source.form is OperandForm.INTEGER:
                value = integer_of(source.text)
                return (
                    None
                    if value is None
                    else _ConstantSource(value, source.text, found.start, found.end)
                )
            read = uses_in(flow, found, READS).get(source.text)
            before = None if read is None else flow.definition(read)
            if before is None:
                return None
            following = before
        return None


@lru_cache(maxsize=1 << 8)
def _n_registers(record: Record) -> int:
    """Returns the number of registers among the operands of interest of an instruction."""
    if not isinstance(record, Shape):
        return 0
    wanted = record.operands[READERS[record.name] :]
    return sum(each.form is OperandForm.IDENTIFIER for each in wanted)


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _constants(flow: FunctionFlow) -> _MovedConstants:
    return _MovedConstants(flow)


def moved_constant(flow: FunctionFlow, found: Found, number: int) -> MovedConstant | None:
    """Returns the constant that an operand of a statement is, by its number from 0.

    The operand is an integer, or a register that only one `mov` of a constant writes.
    """
    if not isinstance(found.record, Shape) or number >= len(found.record.operands):
        return None
    operand = written_operands(found.record, found.text)[number]
    span = shifted(operand.start, found.start), shifted(operand.end, found.start)
    if operand.form is OperandForm.INTEGER:
        value = integer_of(operand.text)
        return None if value is None else MovedConstant(value, operand.text, "", span, None)
    if operand.form is not OperandForm.IDENTIFIER:
        return None
    use = uses_in(flow, found, READS).get(operand.text)
    source = None if use is None else _constants(flow).source(use)
    if source is None:
        return None
    moved = source.start, source.end
    return MovedConstant(source.number, source.text, operand.text, span, moved)
