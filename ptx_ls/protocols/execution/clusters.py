"""The blocks of a cluster, and the addresses of their shared memory.

Sources: PTX ISA, "Cluster of Cooperative Thread Arrays", "mapa", "Special Registers". The window of
a cluster has the shared memory of each block at an offset; compiled code relies on its size.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import LANES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.threads.uniformity.launches import BlockShape
    from ptx_ls.values.launch import Shape

_WINDOW: Final = 24
"""The number of bits of an address within the shared memory of a block."""
_IN_WINDOW: Final = (1 << _WINDOW) - 1
_GRID: Final = (2, 1, 1)
"""How many clusters the grid has in each dimension."""
_DIMENSIONS: Final = "xyz"


class ClusterShape(NamedTuple):
    """The blocks of a cluster.

    `block`: the shape of each. `blocks`: how many there are in each dimension; one block is a
    cluster of its own.
    """

    block: BlockShape
    blocks: Shape

    @property
    def n_blocks(self) -> int:
        """The number of blocks."""
        return prod(self.blocks)

    def rank_of(self, warp: int) -> int:
        """Returns the number of the block of a warp. Warps are numbered through the cluster."""
        return warp // self.block.n_warps

    def threads_of(self, rank: int) -> int:
        """Returns the threads of a block, as a set with a bit for each of the cluster."""
        n_bits = self.block.n_warps * LANES
        return ((1 << n_bits) - 1) << rank * n_bits

    @property
    def everyone(self) -> int:
        """All threads."""
        return (1 << self.n_blocks * self.block.n_warps * LANES) - 1

    def special(self, name: str, rank: int) -> int | None:
        """Returns what a block of the first cluster reads from a special register."""
        family, _, dimension = name.partition(".")
        plain = {
            "%cluster_ctarank": rank,
            "%cluster_nctarank": self.n_blocks,
            "%is_explicit_cluster": int(self.n_blocks > 1),
        }
        if name in plain:
            return plain[name]
        if not dimension or dimension not in _DIMENSIONS:
            return None
        at = _DIMENSIONS.index(dimension)
        place = rank // prod(self.blocks[:at]) % self.blocks[at]
        return {
            "%ctaid": place,
            "%nctaid": self.blocks[at] * _GRID[at],
            "%cluster_ctaid": place,
            "%cluster_nctaid": self.blocks[at],
            "%clusterid": 0,
            "%nclusterid": _GRID[at],
        }.get(family)


def address_in(rank: int, address: int) -> int:
    """Returns the address of the same place in the shared memory of another block."""
    return address & _IN_WINDOW | rank << _WINDOW


def addresses_in(ranks: Sequence[int], address: int) -> Sequence[int]:
    """Returns the addresses that an instruction names in some blocks; its own one if in none."""
    return [address_in(rank, address) for rank in ranks] or [address]


def rank_of(address: int) -> int:
    """Returns the number of the block in whose shared memory an address is."""
    return address >> _WINDOW
