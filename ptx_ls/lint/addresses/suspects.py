"""Finds the accesses to memory that may be wrong.

In a program that works, nearly all addresses show at a glance that nothing is wrong with them, and
to evaluate what is known of an address takes long. So each register that an address depends on gets
an outline, and only the accesses are judged for which that is not enough.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.access import accesses_in
from ptx_ls.lint.addresses.outlines import value_outline
from ptx_ls.lint.addresses.outlines.outline_slice import OutlineSlice
from ptx_ls.lint.addresses.outlines.value_outline import (
    BASED,
    ENDED,
    EXTENDED,
    FIRST_POINTER,
    HALF,
    MANY,
    MAX_STEP,
    NEGATIVE,
    PART,
    REACHED,
    ROUNDED,
    SUMMED,
    VARYING,
    ValueOutline,
)
from ptx_ls.lint.addresses.spaces import CONSTANT, INNER_SPACES, kind_of, mistaken
from ptx_ls.semantics.declarations.storage import alignment_of, bytes_of, most_bytes_of
from ptx_ls.semantics.instructions.memory_operands import memory_operands
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.values.affine import GENERIC, TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.instructions.memory_operands import MemoryOperand
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import Record
    from ptx_ls.values.affine import AffineForm

_CONVERTING: Final = ("cvta", "mapa")
_GLOBAL: Final = ".global"
_MAX_FOLLOWED: Final = 48
"""Number of lines with accesses in a large function whose indices are followed, too."""
_MAX_POINTERS: Final = 16
"""Number of pointers in one register that are told apart."""
_COMMENT: Final = "/"
_PLAIN_DIGITS: Final = 9
"""Number of digits of a decimal number that surely fits in 31 bits."""
_LIMITED: Final = NEGATIVE | ENDED
"""The marks of numbers that may be the first or the last of several that are surely reached."""


class _Addresses(NamedTuple):
    """The addresses in a register in lines of one shape: the rows, and the constants added there.

    `operand`: how they are accessed; None for addresses that are converted. `found`: the statement
    with the address; None if it is the only one on its line. `converting`: its opcode, if it
    converts the address.
    """

    code: int
    operand: MemoryOperand | None
    places: list[tuple[int, int]]
    found: Found | None = None
    converting: str = ""


def suspicious_accesses(
    seen: CheckInput,
    flow: FunctionFlow,
    rows: list[int],
    pointers: set[int] | None,
) -> Iterator[Found]:
    """Yields the instructions in some lines whose accesses or conversions may be wrong.

    `pointers`: None to be thorough, else the registers of a large function that may have addresses.
    Then, if there are many accesses, nothing is known of the other registers, and the accesses for
    which the range of an index has to be found, which takes long, are left out.
    """
    addresses = _addresses(flow, rows)
    followed = pointers if len(rows) > _MAX_FOLLOWED else None
    outline = OutlineSlice(seen, flow, {each.code for each in addresses}, followed)
    judge = _Judge(outline, is_thorough=pointers is None, is_generated=seen.is_generated)
    found: dict[FunctionPosition, Found] = {}
    for each in addresses:
        accepted = judge.accepted(each)
        for row, added in each.places:
            if accepted is not None and accepted.contains(added):
                continue
            for it in flow.text.statements((row,)) if each.found is None else (each.found,):
                found[it.start] = it
    return (found[place] for place in sorted(found))


def _addresses(flow: FunctionFlow, rows: list[int]) -> list[_Addresses]:
    """Returns the addresses in some lines that begin with registers."""
    code_of, shared = flow.registers.code, flow.registers.shared
    by_name: dict[tuple[str, Record], list[tuple[int, int]] | None] = {}
    found: list[_Addresses] = []
    for row, line, record in flow.text.rows(rows):
        name, _, added = line.partition("[")[2].partition("]")[0].partition("+")
        key = name, record
        if key not in by_name:
            places: list[tuple[int, int]] = []
            by_name[key] = places
            code = code_of(name.strip())
            only = _only_access(record) if isinstance(record, Shape) else None
            if only is None or (code >= 0 and shared and shared[code]):
                by_name[key] = None
            elif code >= 0:
                found.append(_Addresses(code, only, places))
        known = by_name[key]
        if known is None or _COMMENT in line:
            found += _addresses_in(flow, row)
        else:
            known.append((row, _offset(added)))
    return found


def _offset(added: str) -> int:
    """Returns the number that is added to a register; 0 if nothing is, or no number."""
    if len(added) <= _PLAIN_DIGITS and added.isdecimal() and added[0] != "0":
        return int(added)
    return value_outline.outline_of_constant(added.strip()).offset if added else 0


@lru_cache(maxsize=1 << 12)
def _only_access(shape: Shape) -> MemoryOperand | None:
    """Returns the access of a shape with one address and a fixed size; None for others."""
    accessed = memory_operands(shape)
    if len(accessed) != 1 or shape.text.count("[") != 1 or accessed[0].size_number >= 0:
        return None
    return accessed[0]._replace(alignment=accessed[0].alignment or accessed[0].size)


def _addresses_in(flow: FunctionFlow, row: int) -> Iterator[_Addresses]:
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
                yield _Addresses(code, None, [(row, _offset(added))], found, shape.opcode)
        for access in accesses_in(found):
            name, _, added = access.address.text.partition("+")
            code = _code_at(flow, name.strip(), found)
            if code >= 0:
                yield _Addresses(code, access.operand, [(row, _offset(added))], found)


def _code_at(flow: FunctionFlow, name: str, found: Found) -> int:
    """Returns the code of the register that a name in a statement means; -1 for other names."""
    code = flow.registers.code(name)
    shared = flow.registers.shared
    return flow.registers.code_at(code, found.start) if code >= 0 and shared else code


class _Base(NamedTuple):
    """A possible base of an address, for one kind of access.

    `is_wrong`: whether that is an address of another kind. `alignment` and `n_bytes`: those of the
    variable; None if they do not matter. `is_sized`: whether its declaration states the size.
    """

    is_wrong: bool
    alignment: int | None = None
    n_bytes: int | None = None
    is_sized: bool = True


class _Accepted(NamedTuple):
    """The constants for which the sum with a register is surely right as an address.

    They are in [low, high], and multiples of `divisor`, a power of two.
    """

    low: float
    high: float
    divisor: int

    def contains(self, number: int) -> bool:
        """Whether a constant is one of them."""
        return self.low <= number <= self.high and not number & self.divisor - 1


_ANY: Final = _Accepted(-inf, inf, 1)


class _Judge:
    """Tells which accesses through a register are surely right."""

    def __init__(self, slice_: OutlineSlice, *, is_thorough: bool, is_generated: bool) -> None:
        self._slice, self._is_thorough, self._is_generated = slice_, is_thorough, is_generated
        self._bases: dict[tuple[MemoryOperand, int], list[_Base]] = {}

    def accepted(self, addresses: _Addresses) -> _Accepted | None:
        """Returns the constants that may be added to a register; None if even 0 may be wrong."""
        outline = self._slice.values.get(addresses.code, value_outline.PARAMETER)
        operand, marks = addresses.operand, outline.marks
        if marks & MANY or (marks >> FIRST_POINTER).bit_count() > _MAX_POINTERS:
            return None if self._is_thorough else _ANY
        if marks & EXTENDED and self._is_thorough:
            return None
        if operand is None:
            opcode, pointers = addresses.converting, self._slice.marks.pointers(outline)
            is_doubtful = any(_is_conversion_doubtful(opcode, each) for each in pointers)
            return None if is_doubtful else _ANY
        if operand.space in ("", _GLOBAL):
            is_half = marks & HALF or (marks & PART and self._is_thorough)
            if is_half or (self._is_thorough and marks & (BASED | SUMMED) != BASED):
                return None
        if operand.space.startswith(INNER_SPACES) and not marks & BASED:
            return None
        divisor, needed = 1, operand.alignment
        if 0 < needed <= MAX_STEP and not needed & needed - 1:
            divisor = min(needed, outline.blur)
            if outline.step < divisor:
                return None
        return self._within(operand, outline, _ANY._replace(divisor=divisor))

    def _within(
        self, operand: MemoryOperand, outline: ValueOutline, accepted: _Accepted
    ) -> _Accepted | None:
        """Returns those of the constants that are right for all variables an address may be in."""
        key = operand, outline.marks >> FIRST_POINTER
        bases = self._bases.get(key)
        if bases is None:
            pointers = self._slice.marks.pointers(outline)
            from_outside = self._slice.come_from_outside
            bases = [_base(operand, each, from_outside=from_outside) for each in pointers]
            self._bases[key] = bases
        is_rounded = not self._is_thorough and outline.marks & ROUNDED
        for base in bases:
            if is_rounded and base.alignment is not None and base.alignment < outline.step:
                continue  # where it begins is not known, after rounding
            if base.is_wrong:
                return None
            if base.alignment is None:
                continue
            if base.alignment < operand.alignment <= min(outline.step, outline.blur):
                return None
            if base.n_bytes is not None and operand.size > 0:
                last = base.n_bytes - operand.size
                limits = self._limits(outline, last, is_sized=base.is_sized)
                if limits is None:
                    return None
                low, high = limits
                accepted = accepted._replace(
                    low=max(accepted.low, low), high=min(accepted.high, high)
                )
        return accepted

    def _limits(
        self, outline: ValueOutline, last: int, *, is_sized: bool
    ) -> tuple[float, int] | None:
        """Returns the constants that are right if accesses may begin at [0, last] of a variable.

        Compilers compute no index that is larger than all shared memory.
        """
        marks, low, high = outline.marks, -outline.offset, last - outline.offset
        if not marks & VARYING:
            return low, high
        if not self._is_thorough:
            return low - max(last, 0), high  # no index is larger than the variable
        if self._is_generated and not is_sized:
            return low, high
        return None if marks & REACHED and marks & _LIMITED else (low, high)


def _base(operand: MemoryOperand, pointer: AffineForm, *, from_outside: bool) -> _Base:
    base, needed = pointer.base, operand.space or GENERIC
    kind = kind_of(pointer, needed, from_outside=from_outside)
    is_wrong = mistaken(kind, needed) or (needed == GENERIC and kind.space == CONSTANT)
    if base is None or base.kind is not TermKind.SYMBOL or base.symbol is None:
        return _Base(is_wrong)
    n_bytes, most = bytes_of(base.symbol), most_bytes_of(base.symbol)
    return _Base(is_wrong, alignment_of(base.symbol), most, is_sized=n_bytes == most)


def _is_conversion_doubtful(opcode: str, pointer: AffineForm) -> bool:
    kind = kind_of(pointer)
    if kind.space == _GLOBAL and kind.view in ("", GENERIC, _GLOBAL):
        return _GLOBAL not in opcode
    is_back = ".to." in opcode
    return kind.space not in opcode or not kind.space or is_back is not (kind.view in (GENERIC, ""))
