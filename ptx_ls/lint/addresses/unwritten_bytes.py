"""Finds loads of bytes of a variable that nothing writes, though something writes others of it.

The bytes of each access are known up to a multiple of a step: `[table + 8*%tid.x + 4]` accesses
bytes 4 to 7 of some element of 8 bytes.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.object_accesses import AccessMode
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.lint.addresses.variable_offsets import access_of, offset_in
from ptx_ls.semantics.declarations.storage import bytes_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.values.function_values import function_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.flow.slices.object_accesses import ObjectAccess
    from ptx_ls.lint.addresses.access import Access
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues

_MAX_ACCESSES: Final = 64
"""Number of accesses to a variable up to which its bytes are told apart."""
_MAX_SIZE: Final = 64
"""Number of bytes of a load up to which they are told apart."""
_MATRICES: Final = "ldmatrix"
_WRITING: Final = frozenset(("st", "atom", "red", "cp", "stmatrix", "mbarrier", "tcgen05"))
"""Opcodes of instructions that do no more with an address in brackets than to access memory."""


class UnwrittenBytes(NamedTuple):
    """Bytes of a variable that an access reads, and nothing writes.

    `first` and `last`: the first and the last of them; None if they are not always the same ones.
    `is_part`: whether something writes others of the bytes that the access reads.
    """

    access: ObjectAccess
    first: int | None
    last: int | None
    is_part: bool


class _ByteSpan(NamedTuple):
    """The bytes that an access may have.

    They are `size` bytes from a number on that is `low`, or larger by a multiple of `step` but at
    most `high`. `step` is 0 if it is always `low`.
    """

    low: int
    high: int
    step: int
    size: int

    def byte(self, number: int) -> _ByteSpan:
        """Returns one of the bytes, by its number."""
        return _ByteSpan(self.low + number, self.high + number, self.step, 1)

    def may_meet(self, other: _ByteSpan) -> bool:
        """Whether an access may have bytes in common with another one."""
        if self.high + self.size <= other.low or other.high + other.size <= self.low:
            return False
        step = gcd(self.step, other.step)
        if not step:
            return True
        distance = (self.low - other.low) % step
        return distance < other.size or step - distance < self.size


def unwritten_bytes(
    seen: CheckInput, symbol: Symbol, accesses: Sequence[ObjectAccess]
) -> UnwrittenBytes | None:
    """Returns the first load of bytes of a variable that nothing writes.

    `accesses`: all that the function does with the variable.
    """
    if not {AccessMode.READ} < {each.mode for each in accesses} or len(accesses) > _MAX_ACCESSES:
        return None
    n_bytes = bytes_of(symbol)
    search = _ByteSearch(seen, symbol, n_bytes) if n_bytes else None
    return search.first_unwritten(accesses) if search is not None else None


class _ByteSearch:
    """The search for the bytes of a variable that accesses have."""

    def __init__(self, seen: CheckInput, symbol: Symbol, n_bytes: int) -> None:
        self._seen, self._symbol, self._n_bytes = seen, symbol, n_bytes
        self._flow = function_flow(seen.function, seen.module.never_returning)

    def first_unwritten(self, accesses: Sequence[ObjectAccess]) -> UnwrittenBytes | None:
        """Returns the first load of bytes that none of some accesses writes."""
        written: list[_ByteSpan] = []
        for each in accesses:
            if each.mode in (AccessMode.READ, AccessMode.NONE):
                continue
            span = self._written(each)
            if span is None:
                return None
            written.append(span)
        reads = [each for each in accesses if each.mode is AccessMode.READ]
        for each in sorted(reads, key=lambda it: it.found.start):
            span = self._read(each)
            if span is None:
                continue
            missing = [
                number
                for number in range(min(span.size, _MAX_SIZE))
                if not any(span.byte(number).may_meet(it) for it in written)
                and self._is_used(each, number, span.size)
            ]
            if len(missing) == span.size or (missing and not _loads_matrices(each.found)):
                return _unwritten(each, span, missing)
        return None

    def _is_used(self, access: ObjectAccess, number: int, size: int) -> bool:
        """Whether anything reads the register into which a byte is loaded.

        Code that loads three elements as four may ignore the last one.
        """
        record, flow = access.found.record, self._flow
        if not isinstance(record, Shape) or _loads_matrices(access.found):
            return True
        elements = written_operands(record, access.found.text)[0].elements
        if not elements:
            return True
        name = elements[number * len(elements) // size].text
        written = uses_in(flow, access.found, WRITES).get(name)
        return written is None or any(True for _ in flow.readers(written))

    def _written(self, access: ObjectAccess) -> _ByteSpan | None:
        """Returns the bytes that an access may write; None if they are unknown."""
        record = access.found.record
        if not isinstance(record, Shape) or record.name not in _WRITING:
            return None
        found = access_of(access)
        return None if found is None else self._span(found, found.operand.size or self._n_bytes)

    def _read(self, access: ObjectAccess) -> _ByteSpan | None:
        """Returns the bytes that a load surely reads; None if they are unknown."""
        found = access_of(access)
        span = self._span(found, found.operand.size) if found and found.operand.size else None
        if span is None or span.low < 0 or span.high + span.size > self._n_bytes:
            return None
        return span

    def _span(self, access: Access, size: int) -> _ByteSpan | None:
        """Returns the bytes of the variable that an access may have; None if they are unknown."""
        offset = offset_in(self._symbol, access, self._seen)
        if offset is None or offset.affine is None:
            return None
        low, high, first = offset.signed_low, offset.signed_high, offset.affine.offset
        if low == high:
            return _ByteSpan(low, high, 0, size)
        step = _step(offset.affine, function_values(self._seen.function, self._seen.module))
        if not -self._n_bytes <= low <= high <= self._n_bytes:
            step &= -step  # powers of two remain in a sum that overflows
        return _ByteSpan(low + (first - low) % step, high, step, size)


def _loads_matrices(found: Found) -> bool:
    """Whether an instruction loads rows of matrices, which may only be filled in part."""
    return isinstance(found.record, Shape) and found.record.name == _MATRICES


def _step(index: AffineForm, values: FunctionValues) -> int:
    """Returns a number that surely divides what an index adds to its constant."""
    return gcd(*(times * values.term_value(term).alignment for term, times in index.terms))


def _unwritten(access: ObjectAccess, span: _ByteSpan, missing: list[int]) -> UnwrittenBytes:
    is_part = len(missing) < span.size
    first, last = (span.low + missing[0], span.high + missing[-1])
    is_known = not span.step
    return UnwrittenBytes(access, first if is_known else None, last if is_known else None, is_part)
