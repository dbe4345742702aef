"""Where in a variable an instruction accesses memory, and whether that is possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.problems import MisalignedAccess, OutOfBounds
from ptx_ls.semantics.declarations.storage import alignment_of, most_bytes_of
from ptx_ls.semantics.instructions.checks.addresses import wider_type
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.lint.addresses.access import Access
    from ptx_ls.semantics.symbols.symbols import Symbol

_PARAMETER: Final = ".param"


class PlacedAccess(NamedTuple):
    """An access to a variable, at an offset in bytes from its start.

    Attributes:
        access: the access.
        symbol: the variable or parameter.
        low: the smallest possible offset.
        high: the largest possible offset.
    """

    access: Access
    symbol: Symbol
    low: int
    high: int


def problems_of(placed: PlacedAccess) -> Iterator[OutOfBounds | MisalignedAccess]:
    """Yields what is wrong with an access to a variable."""
    outside = _outside(placed)
    if outside is not None:
        yield outside
    misaligned = _misaligned(placed)
    if misaligned is not None and (outside is None or misaligned.remainder):
        yield misaligned


def _outside(placed: PlacedAccess) -> OutOfBounds | None:
    n_bytes, size = most_bytes_of(placed.symbol), placed.access.operand.size
    if n_bytes is None or size <= 0:
        return None
    if placed.high >= 0 and placed.low <= n_bytes - size:
        return None
    return OutOfBounds(placed.symbol, n_bytes, placed.low, placed.high, size, *placed.access.span)


def is_judged_by_type(access: Access, symbol: Symbol) -> bool:
    """Whether the check of the instruction reports an access, because its type is too wide."""
    shape = access.shape
    is_single = not symbol.dimensions and symbol.vector_size == 1
    return is_single and bool(wider_type(shape.name, modifiers_of(shape.opcode), symbol.type))


def _misaligned(placed: PlacedAccess) -> MisalignedAccess | None:
    access, symbol = placed.access, placed.symbol
    needed, known = access.operand.alignment, alignment_of(symbol)
    if needed <= 1 or placed.low != placed.high:
        return None
    remainder = placed.low % min(needed, known)
    if not remainder and (known >= needed or access.operand.space.startswith(_PARAMETER)):
        return None  # ptxas splits accesses to parameters, whose places it knows
    return MisalignedAccess(symbol, access.address.text, needed, known, remainder, *access.span)
