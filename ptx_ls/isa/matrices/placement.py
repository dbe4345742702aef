"""Where the operands of `wgmma` and `tcgen05.mma` are in shared memory, and their descriptors.

Source: PTX ISA, "Shared Memory Matrix Layout", "Strides", "Canonical Layouts", "Matrix Descriptor
Format" and "Shared Memory Descriptor". Places are those of 16 bytes, which is the unit of the
formulas: eight elements of `.f16`, four of `.tf32`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ptx_ls.isa.matrices.swizzle import Swizzle

UNIT: Final = 16
"""Bytes that are always adjacent."""
_GROUP: Final = 8
"""Rows, or columns, of a group that is as wide as the swizzling mode."""
_ADDRESS_BITS: Final = 0x3FFFF
_MODE_BITS: Final = {"wgmma": 62, "tcgen05": 61}
"""The lowest bit of the swizzling mode in the descriptors of each instruction."""
_CONSTANT: Final = {"wgmma": 0, "tcgen05": 1 << 46}
"""Bits that all descriptors of an instruction have."""


@dataclass(frozen=True, slots=True)
class MatrixPlacement:
    """How an operand is stored: `is_k_major` if 16 bytes extend along K, else along M or N.

    `leading` and `stride` are the two offsets of its descriptor, in bytes.
    """

    is_k_major: bool
    mode: Swizzle
    leading: int
    stride: int

    def offset(self, outer: int, inner: int) -> int:
        """Returns the offset of 16 bytes from the start of the matrix.

        `inner` counts units of 16 bytes along the major dimension, `outer` the rows or columns
        across it.
        """
        group, line = divmod(outer, _GROUP)
        if not self.mode.bits and self.is_k_major:
            return line * UNIT + group * self.stride + inner * self.leading
        if not self.mode.bits:
            return line * UNIT + group * self.leading + inner * self.stride
        width = 1 << self.mode.bits
        repeat, unit = (0, inner) if self.is_k_major else divmod(inner, width)
        in_group = (line * width + unit) * UNIT
        return self.mode.apply(in_group + group * self.stride + repeat * self.leading)

    def descriptor(self, opcode: str, address: int) -> int:
        """Returns the descriptor of the operand for `wgmma` or `tcgen05`; its base offset is 0."""
        fields = _encoded(address) | _encoded(self.leading) << 16 | _encoded(self.stride) << 32
        return fields | _CONSTANT[opcode] | self.mode.numbers[opcode] << _MODE_BITS[opcode]


def _encoded(number: int) -> int:
    return (number & _ADDRESS_BITS) >> 4
