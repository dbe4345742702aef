"""How data in shared memory is swizzled, so that the rows of a matrix fall into different banks.

The data is part of `data/layouts.toml`; `wgmma` and `tcgen05` name a mode in matrix descriptors,
bulk tensor copies in tensor maps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from ptx_ls.isa.database import database

_OPCODES: Final = ("wgmma", "tcgen05", "tensormap")
"""Instructions with descriptors of matrices in shared memory, and the one for tensor maps."""


@dataclass(frozen=True, slots=True)
class Swizzle:
    """A swizzling mode of matrices in shared memory.

    In the offset of a byte, `bits` bits starting at bit `low` are XORed with as many starting at
    bit `source`. The pattern repeats after `repeat` bytes.
    """

    name: str
    bits: int
    low: int
    source: int
    repeat: int
    numbers: Mapping[str, int]
    """The number of the mode in matrix descriptors or tensor maps, by opcode."""

    @property
    def atom(self) -> int:
        """The number of bytes that stay together."""
        return 1 << self.low

    def apply(self, offset: int) -> int:
        """Returns the swizzled offset of the byte that is at `offset` in the plain matrix."""
        moved = (offset >> self.source) & ((1 << self.bits) - 1)
        return offset ^ (moved << self.low)


def modes_of(opcode: str) -> tuple[tuple[int, Swizzle], ...]:
    """Returns the modes that an instruction's matrix descriptors can name, with their numbers."""
    found = [(mode.numbers[opcode], mode) for mode in swizzles() if opcode in mode.numbers]
    return tuple(sorted(found, key=itemgetter(0)))


def swizzles() -> tuple[Swizzle, ...]:
    """Returns the swizzling modes of shared memory."""
    return tuple(
        Swizzle(
            name=entry["name"],
            bits=entry["bits"],
            low=entry["low"],
            source=entry["from"],
            repeat=entry["repeat"],
            numbers={opcode: entry[opcode] for opcode in _OPCODES if opcode in entry},
        )
        for entry in database().layouts["swizzle"]
    )
