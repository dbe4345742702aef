"""Finds the accesses to memory that may be wrong.

In a program that works, nearly all addresses show at a glance that nothing is wrong with them, and
to evaluate what is known of an address takes long. So each register that an address depends on gets
an outline, and only the accesses are judged for which that is not enough.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses import outlines
from ptx_ls.lint.addresses.access import accesses_in
from ptx_ls.lint.addresses.outline_slices import OutlineSlice
from ptx_ls.lint.addresses.outlines import (
    ENDED,
    EXTENDED,
    FIRST_POINTER,
    HALF,
    MANY,
    MAX_STEP,
    NEGATIVE,
    PART,
    REACHED,
    VARYING,
    ValueOutline,
    step_of,
)
from ptx_ls.lint.addresses.spaces import kind_of, mistaken
from ptx_ls.semantics.declarations.storage import alignment_of, most_bytes_of
from ptx_ls.semantics.instructions.memory_operands import memory_operands
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.values.affine import GENERIC, TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.instructions.memory_operands import MemoryOperand
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.affine import AffineForm

_CONVERTING: Final = ("cvta", "mapa")
_GLOBAL: Final = ".global"
_MAX_FOLLOWED: Final = 48
"""Number of lines with accesses in a large function whose indices are followed, too."""
_MAX_POINTERS: Final = 16
"""Number of pointers in one register that are told apart."""
_COMMENT: Final = "/"
_LIMITED: Final = NEGATIVE | ENDED
"""The marks of numbers that may be the first or the last of several that are surely reached."""


class _ExaminedAddress(NamedTuple):
    """An address in a line: the registers and constants in it, and how it is accessed.

    `operand`: None for an address that is converted.
    """

    row: int
    code: int
    offset: int
    operand: MemoryOperand | None
    found: Found | None
    shape: Shape


def suspicious_accesses(
    seen: CheckInput, flow: FunctionFlow, rows: list[int], pointers: set[int] | None
) -> Iterator[Found]:
    """Yields the instructions in some lines whose accesses or conversions may be wrong.

    `pointers`: None to be thorough, else the registers of a large function that may have addresses.
    Then, accesses for which the range of an index has to be found are left out, because that takes
    long, and if there are many accesses, nothing is known of the other registers.
    """
    is_thorough = pointers is None
    addresses = [*_addresses(flow, rows)]
    followed = pointers if len(rows) > _MAX_FOLLOWED else None
    outline = OutlineSlice(seen, flow, {each.code for each in addresses}, followed)
    judge = _Judge(outline, is_thorough=is_thorough)
    last: object = None
    for each in addresses:
        place = each.row if each.found is None else each.found.start
        if place != last and judge.is_suspicious(each):
            last = place
            if each.found is not None:
                yield each.found
            else:
                yield from flow.text.statements((each.row,))


def _addresses(flow: FunctionFlow, rows: list[int]) -> Iterator[_ExaminedAddress]:
    """Yields the addresses in some lines that begin with registers."""
    code_of, shared = flow.registers.code, flow.registers.shared
    codes: dict[str, int] = {}
    for row, line, record in flow.text.rows(rows):
        only = _only_access(record) if isinstance(record, Shape) else None
        name, _, added = line.partition("[")[2].partition("]")[0].partition("+")
        code = codes.get(name)
        if code is None:
            code = codes[name] = code_of(name.strip())
        is_usual = code < 0 or not (shared and shared[code])
        if isinstance(record, Shape) and only is not None and is_usual and _COMMENT not in line:
            if code >= 0:
                yield _ExaminedAddress(row, code, _offset(added), only, None, record)
        else:
            yield from _addresses_in(flow, row)


def _offset(added: str) -> int:
    return outlines.outline_of_constant(added.strip()).offset if added else 0


@lru_cache(maxsize=1 << 12)
def _only_access(shape: Shape) -> MemoryOperand | None:
    """Returns the access of a shape with one address and a fixed size; None for others."""
    accessed = memory_operands(shape)
    if len(accessed) != 1 or shape.text.count("[") != 1 or accessed[0].size_number >= 0:
        return None
    return accessed[0]._replace(alignment=accessed[0].alignment or accessed[0].size)


def _addresses_in(flow: FunctionFlow, row: int) -> Iterator[_ExaminedAddress]:
    """Yields the addresses in the statements of a line."""
    for found in flow.text.statements((row,)):
        shape = found.record
        if not isinstance(shape, Shape):
            continue
        if shape.name in _CONVERTING:
            source = found.text.rstrip(" \t\r\n;").split(",")
            name, _, added = source[1].partition("+") if len(source) > 1 else ("", "", "")
            code = _code_at(flow, name.strip(), found)
            if code >= 0:
                yield _ExaminedAddress(row, code, _offset(added), None, found, shape)
        for access in accesses_in(found):
            name, _, added = access.address.text.partition("+")
            code = _code_at(flow, name.strip(), found)
            if code >= 0:
                yield _ExaminedAddress(row, code, _offset(added), access.operand, found, shape)


def _code_at(flow: FunctionFlow, name: str, found: Found) -> int:
    """Returns the code of the register that a name in a statement means; -1 for other names."""
    code = flow.registers.code(name)
    shared = flow.registers.shared
    return flow.registers.code_at(code, found.start) if code >= 0 and shared else code


class _Base(NamedTuple):
    """A possible base of an address, for one kind of access.

    `is_wrong`: whether that is an address of another kind. `alignment` and `n_bytes`: those of the
    variable; None if they do not matter.
    """

    is_wrong: bool
    alignment: int | None = None
    n_bytes: int | None = None


class _Judge:
    """Tells whether an access may be wrong."""

    def __init__(self, slice_: OutlineSlice, *, is_thorough: bool) -> None:
        self._slice, self._is_thorough = slice_, is_thorough
        self._bases: dict[tuple[MemoryOperand, int], list[_Base]] = {}

    def is_suspicious(self, address: _ExaminedAddress) -> bool:
        """Whether something may be wrong with an address."""
        outline = self._slice.values.get(address.code, outlines.PARAMETER)
        operand, marks = address.operand, outline.marks
        if marks & MANY or (marks >> FIRST_POINTER).bit_count() > _MAX_POINTERS:
            return self._is_thorough
        if marks & EXTENDED and self._is_thorough:
            return True
        if operand is None:
            pointers = self._slice.pointers(outline)
            return any(_is_conversion_doubtful(address.shape, each) for each in pointers)
        is_half = marks & HALF or (marks & PART and self._is_thorough)
        if is_half and operand.space in ("", _GLOBAL):
            return True
        needed = operand.alignment
        step = min(outline.step, step_of(address.offset))
        if step < needed <= MAX_STEP and step < outline.blur and not needed & needed - 1:
            return True
        key = operand, marks >> FIRST_POINTER
        bases = self._bases.get(key)
        if bases is None:
            pointers = self._slice.pointers(outline)
            bases = self._bases[key] = [_base(operand, each) for each in pointers]
        return any(self._is_doubtful(operand, each, outline, address.offset) for each in bases)

    def _is_doubtful(
        self, operand: MemoryOperand, base: _Base, outline: ValueOutline, added: int
    ) -> bool:
        """Whether an access may be wrong because of what it is based on."""
        needed, marks, low = operand.alignment, outline.marks, outline.offset + added
        if base.alignment is None or base.is_wrong:
            return base.is_wrong
        if base.alignment < needed <= min(outline.step, outline.blur):
            return True
        if base.n_bytes is None or operand.size <= 0:
            return False
        if low > base.n_bytes - operand.size or not marks & VARYING:
            return not 0 <= low <= base.n_bytes - operand.size
        is_limited = bool(marks & REACHED and marks & _LIMITED)
        return self._is_thorough and (low < 0 or is_limited)


def _base(operand: MemoryOperand, pointer: AffineForm) -> _Base:
    base, is_wrong = pointer.base, mistaken(kind_of(pointer), operand.space or GENERIC)
    if base is None or base.kind is not TermKind.SYMBOL or base.symbol is None:
        return _Base(is_wrong)
    return _Base(is_wrong, alignment_of(base.symbol), most_bytes_of(base.symbol))


def _is_conversion_doubtful(shape: Shape, pointer: AffineForm) -> bool:
    kind = kind_of(pointer)
    if kind.space == _GLOBAL and kind.view in ("", GENERIC, _GLOBAL):
        return _GLOBAL not in shape.opcode
    is_back = ".to." in shape.opcode
    return (
        kind.space not in shape.opcode
        or not kind.space
        or is_back is not (kind.view in (GENERIC, ""))
    )
