"""Draws operands of `wgmma` and `tcgen05.mma` in shared memory, with their descriptors."""

from __future__ import annotations

from typing import Final

from ptx_ls.handbook.chapters.swizzle_pictures import mode_named
from ptx_ls.handbook.page import Block, Code
from ptx_ls.isa.matrices.placement import UNIT, MatrixPlacement

_K_MAJOR: Final = "K-major"
_SHOWN: Final = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
"""Rows or columns that are drawn: a whole group, and the start of the next one."""
_ADDRESS: Final = 0x2000
"""The address of the operand in the example of a descriptor."""
_GROUP_BYTES: Final = 128
"""Bytes of eight units, which is the size of a group without swizzling."""


def placement(major: str, mode: str, *, is_dense: bool = True) -> MatrixPlacement:
    """Returns an operand without gaps, of two groups along its major dimension.

    Without `is_dense`, the offset that swizzled K-major operands do not use is 0.
    """
    swizzle = mode_named(mode)
    is_k_major = major == _K_MAJOR
    size = _GROUP_BYTES << swizzle.bits
    if not swizzle.bits and is_k_major:
        return MatrixPlacement(is_k_major, swizzle, size, 2 * size)
    if not swizzle.bits:
        return MatrixPlacement(is_k_major, swizzle, 2 * size, size)
    if is_k_major:
        return MatrixPlacement(is_k_major, swizzle, size if is_dense else 0, size)
    return MatrixPlacement(is_k_major, swizzle, size, 2 * size)


def matrix_picture(arguments: str) -> list[Block]:
    """Draws the place of each 16 bytes, counted in 16 bytes: `K-major, 64 bytes`."""
    major, _, mode = arguments.partition(", ")
    found = placement(major, mode)
    width = 1 << found.mode.bits
    columns = 2 if not found.mode.bits else width if found.is_k_major else 2 * width
    outer, inner = ("row", "along K") if found.is_k_major else ("k", "along M or N")
    lines = [f"{'':8}{inner}: 16 bytes each"]
    lines.append(f"{'':6}" + "".join(f"{number:4}" for number in range(columns)))
    for number in _SHOWN:
        places = (found.offset(number, column) // UNIT for column in range(columns))
        lines.append(f"{outer:>3} {number} " + "".join(f"{place:4}" for place in places))
    return [Code("\n".join(lines), "text")]


def descriptor_example(arguments: str) -> list[Block]:
    """Computes the descriptor of an operand: `wgmma, K-major, 128 bytes`."""
    opcode, major, mode = arguments.split(", ", 2)
    found = placement(major, mode, is_dense=False)
    value = found.descriptor(opcode, _ADDRESS)
    lines = (
        f"start address        0x{_ADDRESS:x} >> 4 = 0x{_ADDRESS >> 4:x}",
        f"leading dimension    {found.leading} >> 4 = {found.leading >> 4}",
        f"stride dimension     {found.stride} >> 4 = {found.stride >> 4}",
        f"swizzling mode       {found.mode.numbers[opcode]}",
        f"descriptor           0x{value:016x}",
    )
    return [Code("\n".join(lines), "text")]
