"""The swizzling modes that descriptors of matrices in shared memory name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ptx_ls.handbook.page import Block, Heading, Table, Text
from ptx_ls.handbook.wording.phrases import code
from ptx_ls.isa.matrices.swizzle import Swizzle, modes_of

if TYPE_CHECKING:
    from ptx_ls.isa import Form

_DESCRIPTORS: Final = frozenset({"a-desc", "b-desc", "s-desc"})
"""The descriptors of matrices; others describe an instruction or a mask."""
_LEGEND: Final = (
    "The highest bits of a descriptor of a matrix in shared memory select one of these modes. A "
    "mode combines bits of each byte's offset with higher bits, so that the rows of a matrix are "
    "in different banks. The pattern repeats after the number of bytes in the last column."
)
HEADER: Final = ("mode", "in the descriptor", "bits of the offset", "bytes")


@dataclass(frozen=True, slots=True)
class SwizzleFacts:
    """A swizzling mode, and the number by which the descriptors of an instruction name it."""

    mode: str
    value: int
    bits: str
    """The change of a byte's offset: `bits 4..6 ^= bits 7..9`; "" if it is unchanged."""
    repeat: int


def is_descriptor(name: str) -> bool:
    """Whether an operand of that name is the descriptor of a matrix in shared memory."""
    return name in _DESCRIPTORS


def swizzle_facts(opcode: str, forms: Sequence[Form]) -> tuple[SwizzleFacts, ...]:
    """Returns the modes of an instruction; none if no form has such a descriptor."""
    if not any(is_descriptor(row.name) for form in forms for row in form.operands):
        return ()
    return tuple(
        SwizzleFacts(mode.name, value, _bits(mode), mode.repeat) for value, mode in modes_of(opcode)
    )


def swizzle_rows(modes: Sequence[SwizzleFacts]) -> list[tuple[str, ...]]:
    """Returns a row of a table for each mode, below `HEADER`."""
    return [
        (mode.mode, str(mode.value), code(mode.bits) if mode.bits else "kept", f"{mode.repeat:,}")
        for mode in modes
    ]


def swizzle_blocks(modes: Sequence[SwizzleFacts]) -> list[Block]:
    """Returns the part of a page about swizzling; [] if there are no modes."""
    if not modes:
        return []
    return [Heading(2, "Swizzling"), Text(_LEGEND), Table(HEADER, tuple(swizzle_rows(modes)))]


def _bits(mode: Swizzle) -> str:
    return f"{_range(mode.low, mode.bits)} ^= {_range(mode.source, mode.bits)}" if mode.bits else ""


def _range(first: int, count: int) -> str:
    return f"bit {first}" if count == 1 else f"bits {first}..{first + count - 1}"
