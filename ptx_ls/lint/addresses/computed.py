"""Judges accesses by what is known of the values in the registers of their addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.larger_blocks import needs_larger_block
from ptx_ls.lint.addresses.pointer_sums import invalid_address
from ptx_ls.lint.addresses.problems import (
    MisalignedAccess,
    OutOfBounds,
    TruncatedAddress,
    WrongAddressSpace,
    ZeroExtendedIndex,
)
from ptx_ls.lint.addresses.spaces import CONSTANT, WRITABLE, kind_of, mistaken
from ptx_ls.lint.addresses.strides import iteration_stride, thread_stride
from ptx_ls.semantics.declarations.storage import (
    alignment_of,
    bytes_of,
    most_bytes_of,
    pointed_alignment,
)
from ptx_ls.values.affine import GENERIC, TermKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.lint.addresses.access import Access
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.function_values import FunctionValues
    from ptx_ls.values.special_registers import Attained

_GLOBAL: Final = ".global"
_WRITING: Final = ("st", "atom", "red")
_BITS: Final = 8
"""Number of bits in a byte."""
_NARROW: Final = 32
_WIDE: Final = 64
_LOWEST: Final = -(1 << 31)
_POINTERS: Final = (TermKind.PARAMETER, TermKind.DEFINITION, TermKind.MERGE)


def problems_at(
    access: Access, values: FunctionValues, *, from_outside: bool
) -> Iterator[Mismatch]:
    """Yields what is wrong with an access whose address is in a register."""
    value = values.address(access.found, access.operand.number)
    if value.is_impossible or values.guard(access.found).constant == 0:
        return
    form = value.affine
    if form is not None:
        wrong = (
            _wrong_space(access, form, from_outside=from_outside)
            or _truncated(access, form, values)
            or invalid_address(access, form, values)
            or _zero_extended(access, form, values)
        )
        if wrong is not None:
            yield wrong
            return
        index = values.bounds(form.index, access.found)
        if index.is_impossible:
            return
        outside = _outside(access, form, index, values)
        if outside is not None:
            yield outside
            if not outside.is_sometimes:
                return
    misaligned = _misaligned(access, value, values)
    if misaligned is not None:
        yield misaligned


def _wrong_space(
    access: Access, form: AffineForm, *, from_outside: bool
) -> WrongAddressSpace | None:
    needed = access.operand.space or GENERIC
    kind = kind_of(form, needed, from_outside=from_outside)
    if needed == GENERIC and kind.space == CONSTANT and access.shape.name in _WRITING:
        needed = WRITABLE
    elif not mistaken(kind, needed):
        return None
    start, end = access.span
    return WrongAddressSpace(
        access.address.text,
        kind.view,
        needed,
        kind.space,
        kind.symbol,
        start,
        end,
        is_from_outside=from_outside
        and needed != WRITABLE
        and not mistaken(kind_of(form, needed), needed),
    )


def _truncated(access: Access, form: AffineForm, values: FunctionValues) -> TruncatedAddress | None:
    """Returns a global or generic address that is only as wide as an offset in another space."""
    if access.operand.space not in ("", _GLOBAL) or form.base is not None:
        return None
    if not form.windows.keys() <= {_GLOBAL}:
        return None
    if any(abs(times) >> _NARROW for _, times in form.terms):
        return None  # the upper half is added, too
    for term, times in form.terms:
        if (term.width, times) != (_NARROW, 1):
            continue
        if term.kind is TermKind.PARAMETER and _declared_width(term) == _WIDE:
            return TruncatedAddress(access.address.text, term.name, None, *access.span)
        if term.kind is TermKind.DEFINITION:
            definition = term.definitions[0]
            pointer = _pointer_in(values.written(definition).affine)
            if pointer:
                found = values.flow.statement(definition)
                made = found.start, found.end
                return TruncatedAddress(access.address.text, pointer, made, *access.span)
    return None


def _pointer_in(form: AffineForm | None) -> str:
    """Returns the name of the wide pointer whose low bits are part of a number; or ""."""
    is_generic = form is not None and any(times == 1 for times in form.windows.values())
    for term, times in form.terms if form is not None else ():
        is_variable = is_generic or (term.symbol is not None and term.symbol.space == _GLOBAL)
        is_wide = term.kind in _POINTERS and _declared_width(term) == _WIDE
        if times == 1 and (is_wide or (term.kind is TermKind.SYMBOL and is_variable)):
            return term.name
    return ""


def _declared_width(term: AffineTerm) -> int:
    """Returns the width of a pointer; that of the declaration, if only a part of it is loaded."""
    is_start = term.kind is TermKind.PARAMETER and term.symbol is not None and not term.offset
    return _BITS * (bytes_of(term.symbol) or 0) if is_start and term.symbol else term.width


def _zero_extended(
    access: Access, form: AffineForm, values: FunctionValues
) -> ZeroExtendedIndex | None:
    """Returns the index in an address that is surely negative in some thread or iteration."""
    for term, _ in form.terms if form.width == _WIDE else ():
        if term.kind is not TermKind.DEFINITION or term.width != _NARROW or term.is_signed:
            continue
        definition = term.definitions[0]
        index = values.written(definition)
        if index.affine is None or index.signed_low >= 0:
            continue
        lowest = values.attained(index.affine, access.found, in_full_blocks=True).low
        if index.signed_high < 0:
            lowest = index.signed_high
        if lowest is not None and _LOWEST <= lowest < 0:
            found = values.flow.statement(definition)
            made = found.start, found.end
            return ZeroExtendedIndex(term.name, lowest, made, *access.span)
    return None


def _outside(
    access: Access, form: AffineForm, index: AbstractValue, values: FunctionValues
) -> OutOfBounds | None:
    base, size = form.base, access.operand.size
    if base is None or base.kind is not TermKind.SYMBOL or base.symbol is None or size <= 0:
        return None
    n_bytes = most_bytes_of(base.symbol)
    if n_bytes is None:
        return None
    low, high = index.signed_low, index.signed_high
    if high < 0 or low > n_bytes - size:
        is_unsure = needs_larger_block(access.found, n_bytes // size, values)
        found = OutOfBounds(base.symbol, n_bytes, low, high, size, *access.span)
        return found._replace(is_assumed=is_unsure)
    if access.operand.is_per_lane:
        return None
    for is_assumed, reached in _reached(form.index, access, values):
        for number in reached:
            if number is not None and not 0 <= number <= n_bytes - size:
                found = OutOfBounds(base.symbol, n_bytes, number, number, size, *access.span)
                return found._replace(is_sometimes=True, is_assumed=is_assumed)
    return None


def _reached(
    index: AffineForm, access: Access, values: FunctionValues
) -> Iterator[tuple[bool, Attained]]:
    """Yields what an index surely gets, and what it gets if masks of data are needed."""
    yield False, values.attained(index, access.found, in_full_blocks=True)
    yield True, values.assumed(index, access.found)


def _misaligned(
    access: Access, value: AbstractValue, values: FunctionValues
) -> MisalignedAccess | None:
    needed, text = access.operand.alignment, access.address.text
    if needed <= 1 or needed & (needed - 1):
        return None
    form = value.affine
    base = form.base if form is not None else None
    remainder = value.ones & (needed - 1)
    step = iteration_stride(form, access.found, values) if form is not None else None
    if form is None or base is None or base.symbol is None:
        found = MisalignedAccess(None, text, needed, 1, remainder, *access.span)
        if form is not None and not remainder:
            step = _stride(form, access, values, step)
        return found if remainder else _of_stride(found, step)
    index, known = values.bounds(form.index, access.found), _known_alignment(base)
    is_variable = base.kind is TermKind.SYMBOL
    symbol = base.symbol if is_variable or known > 1 else None
    divisor = min(known, needed)
    remainder = remainder or index.ones & (divisor - 1) or _remainder(form.index, divisor, values)
    found = MisalignedAccess(symbol, text, needed, known, remainder, *access.span)
    is_multiple = index.alignment >= needed or _is_multiple(form.index, needed, values)
    if remainder or (is_variable and is_multiple and needed > known):
        return found
    shift = _remainder(form.index, needed, values) if _is_usual_pointer(access, base) else 0
    if shift:
        return found._replace(symbol=base.symbol, remainder=shift, is_of_parameter=True)
    by_stride = _of_stride(found, _stride(form, access, values, step))
    if by_stride is not None:
        return by_stride
    if known < needed or is_multiple or access.operand.is_per_lane:
        return None
    for is_assumed, reached in _reached(form.index, access, values):
        remainder = max((each % needed for each in reached if each is not None), default=0)
        if remainder:
            return found._replace(remainder=remainder, is_sometimes=True, is_assumed=is_assumed)
    return None


def _stride(
    form: AffineForm, access: Access, values: FunctionValues, step: int | None
) -> int | None:
    """Returns how far apart two accesses are: of two threads, or `step`, of two iterations."""
    stride = thread_stride(form, access.found, values)
    is_wrong = stride and stride % access.operand.alignment
    return stride if is_wrong and values.by_whole_blocks(access.found) else step


def _of_stride(found: MisalignedAccess, stride: int | None) -> MisalignedAccess | None:
    """Returns an access as one that a stride misaligns in some thread or iteration, or None."""
    remainder = (stride or 0) % found.needed
    return found._replace(remainder=remainder, is_sometimes=True) if remainder else None


def _is_usual_pointer(access: Access, base: AffineTerm) -> bool:
    """Whether an address is based on a pointer parameter whose alignment is not stated."""
    is_pointer = base.kind is TermKind.PARAMETER and base.width == _WIDE
    return is_pointer and _known_alignment(base) == 1 and access.operand.space in ("", _GLOBAL)


def _remainder(form: AffineForm, divisor: int, values: FunctionValues) -> int:
    """Returns what a form always leaves when divided by a power of two; 0 if that is unknown."""
    for term, times in form.terms:
        if times * values.term_value(term).alignment % divisor:
            return 0
    return form.offset % divisor


def _is_multiple(form: AffineForm, divisor: int, values: FunctionValues) -> bool:
    """Whether a form is always a multiple of a power of two."""
    terms = (times * values.term_value(term).alignment for term, times in form.terms)
    return not any(each % divisor for each in (form.offset, *terms))


def _known_alignment(base: AffineTerm) -> int:
    """Returns what the base of an address is surely a multiple of."""
    if base.symbol is None:
        return 1
    is_variable = base.kind is TermKind.SYMBOL
    return alignment_of(base.symbol) if is_variable else pointed_alignment(base.symbol)
