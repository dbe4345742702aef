"""How matrices in shared memory are swizzled, so that their rows fall into different banks.

The data is part of `data/layouts.toml`; `wgmma` and `tcgen05` name a mode in matrix descriptors.
"""

from __future__ import annotations

from dataclasses import dataclass

from ptx_ls.isa.database import database


@dataclass(frozen=True, slots=True)
class Swizzle:
    """A swizzling mode of matrices in shared memory.

    Bits of the offset of a byte: `bits` from `low` on are combined by exclusive or with those from
    `source` on. The pattern repeats after `repeat` bytes.
    """

    name: str
    bits: int
    low: int
    source: int
    repeat: int
    wgmma: int | None
    """Its number in the matrix descriptors of `wgmma`, None when they have it not."""
    tcgen05: int | None
    """Its number in the matrix descriptors of `tcgen05`."""

    def apply(self, offset: int) -> int:
        """Where the byte at `offset` of the plain matrix lies."""
        moved = (offset >> self.source) & ((1 << self.bits) - 1)
        return offset ^ (moved << self.low)


def swizzles() -> tuple[Swizzle, ...]:
    """The swizzling modes of shared memory."""
    return tuple(
        Swizzle(
            name=entry["name"],
            bits=entry["bits"],
            low=entry["low"],
            source=entry["from"],
            repeat=entry["repeat"],
            wgmma=entry.get("wgmma"),
            tcgen05=entry.get("tcgen05"),
        )
        for entry in database().layouts["swizzle"]
    )
