"""Finds the constants that `mov` brings into the register operands of instructions.

Compilers bring nearly all operands of `shfl` into registers first. This reads only the definitions
of these registers, so it is cheap in large functions, too.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from ptx_ls.flow.slices.sources import record_of, writes_of
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

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import Record

_MAX_COPIES: Final = 8
"""Number of copies from register to register to follow."""
_COPY: Final = "mov"
READERS: Final = {"shfl": 2, "prmt": 3, "vote": -1, "match": -1, "redux": -1, "elect": -1}
"""Opcodes of instructions with operands that compilers move to registers; the first of these."""
_VARIED: Final = "several writes, of which some may be constants"

_Content: TypeAlias = "int | str | None"
"""A constant in a register; None for none, and `_VARIED`."""
Mistake = TypeVar("Mistake")


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
    for key, group in _constants(flow).groups.items():
        if group[0].record in shapes:
            chosen = group if _VARIED in key[1] or judge(group[0]) is not None else ()
            yield from (each for each in map(judge, chosen) if each is not None)


class _MovedConstants:
    """The constants in the registers of a function, found on demand."""

    def __init__(self, flow: FunctionFlow) -> None:
        self._flow = flow
        self._known: dict[int, _Content] = {}

    @cached_property
    def groups(self) -> dict[tuple[str, tuple[_Content, ...]], list[Found]]:
        """The instructions with the opcodes `READERS`.

        Their keys are the text without registers, and the constants in the registers.
        """
        found: dict[tuple[str, tuple[_Content, ...]], list[Found]] = {}
        for each in self._flow.text.instructions(self._flow.text.shapes_of(READERS)):
            key = without_registers(each.text), self._read_by(each)
            found.setdefault(key, []).append(each)
        return found

    def _read_by(self, found: Found) -> tuple[_Content, ...]:
        """Returns the constants in the registers that are operands of interest."""
        n_wanted = _n_registers(found.record)
        read = self._read_in(uses_at(self._flow, found))
        is_certain = len(read) >= n_wanted
        wanted = read[len(read) - n_wanted :] if is_certain else ()
        return tuple([self._of(each) for each in wanted]) if is_certain else (_VARIED,)

    def _read_in(self, statement: range) -> list[int]:
        """Returns the registers that a statement reads, in order."""
        codes, ways = self._flow.uses.codes, self._flow.uses.ways
        return [codes[each] for each in statement if ways[each] & (READS | GUARDS) == READS]

    def _of(self, code: int) -> _Content:
        """Returns the constant in a register; None if it has none, `_VARIED` if at times."""
        if code not in self._known:
            self._known[code] = _VARIED  # in case the register copies itself
            self._known[code] = self._found(code)
        return self._known[code]

    def _found(self, code: int) -> _Content:
        writes = [*writes_of(self._flow, code)]
        moved = {self._moved(each) for each in writes}
        if len(writes) == 1 or moved == {None}:
            return moved.pop()
        return _VARIED if moved else None

    def _moved(self, write: int) -> _Content:
        """Returns the constant that an instruction writes to a register, if it is a `mov`."""
        record = record_of(self._flow, write)
        if not isinstance(record, Shape) or record.name != _COPY:
            return None
        if self._flow.index.guard(write) is not None:
            return _VARIED
        if record.operands[-1].form is OperandForm.IDENTIFIER:
            read = self._read_in(self._flow.index.statement(write))
            return self._of(read[0]) if len(read) == 1 else None
        found = self._flow.statement(write)
        return integer_of(written_operands(record, found.text)[-1].text)


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
    source = None if use is None else _source(flow, use)
    if source is None:
        return None
    value, text, moved = source
    return MovedConstant(value, text, operand.text, span, moved)


def _source(flow: FunctionFlow, use: int) -> tuple[int, str, FunctionSpan] | None:
    """Returns the constant in the register at a use, and the instruction that writes it."""
    for _ in range(_MAX_COPIES):
        write = flow.definition(use)
        if write is None or flow.index.guard(write) is not None:
            return None
        record = record_of(flow, write)
        if not isinstance(record, Shape) or record.name != _COPY:
            return None
        found = flow.statement(write)
        *_, source = written_operands(record, found.text)
        if source.form is OperandForm.INTEGER:
            value = integer_of(source.text)
            return None if value is None else (value, source.text, (found.start, found.end))
        following = uses_in(flow, found, READS).get(source.text)
        if following is None:
            return None
        use = following
    return None
