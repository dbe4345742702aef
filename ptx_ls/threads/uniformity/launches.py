"""The threads of a block, and how they form warps.

Source: PTX ISA, "Programming Model", "Special Registers".
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import ALL_LANES, LANES, WARPS_OF_GROUP, Level
from ptx_ls.values.abstract_value import AbstractValue, constant
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.values.launch import LaunchSizes, Shape

_WORD: Final = 32
_DIMENSIONS: Final = "xyz"
_SIZES: Final = "%ntid"
_TWO_DIMENSIONAL: Final[tuple[Shape, ...]] = ((32, 2, 1), (16, 16, 1), (64, 4, 1), (32, 8, 1))
_THREE_DIMENSIONAL: Final[tuple[Shape, ...]] = ((32, 1, 2), (16, 8, 2), (8, 8, 4), (32, 4, 2))
_FEWEST_THREADS: Final = 64
"""Number of threads of the smallest block that is examined: two warps.

A kernel whose blocks always have 256 threads may compare an index with 256.
"""


class BlockShape(NamedTuple):
    """The shape of a block of threads.

    `is_stated`: whether the kernel can only be launched with this one.
    """

    sizes: Shape
    is_stated: bool

    @property
    def n_threads(self) -> int:
        """The number of threads."""
        first, second, third = self.sizes
        return first * second * third

    @property
    def everyone(self) -> int:
        """All threads, as a set with one bit for each."""
        return (1 << self.n_threads) - 1

    @property
    def n_warps(self) -> int:
        """The number of warps; the last one may have fewer threads."""
        return -(-self.n_threads // LANES)

    def group(self, level: Level) -> int:
        """Returns the number of threads in a part of the block that is a group of a level."""
        size = {Level.DIVERGENT: 1, Level.WARP: LANES, Level.WARPGROUP: LANES * WARPS_OF_GROUP}
        return size.get(level, self.n_threads)

    def groups(self, level: Level) -> Iterator[int]:
        """Yields the sets of threads that are groups of a level."""
        size = self.group(level)
        for first in range(0, self.n_threads, size):
            count = min(size, self.n_threads - first)
            yield ((1 << count) - 1) << first


def block_shapes(bounds: LaunchSizes, n_dimensions: int) -> tuple[BlockShape, ...]:
    """Returns the shape of a kernel's blocks, or typical ones with the smallest first.

    `n_dimensions`: how many dimensions of a block the kernel asks for. Only the first one of a
    kernel that asks for one is enumerated: the smallest and the largest number of threads.
    Without blocks of each typical shape, none is typical.
    """
    if bounds.threads is not None:
        first, second, third = bounds.threads
        if first * second * third <= MAX_THREADS:
            return (BlockShape(bounds.threads, is_stated=True),)
        return ()
    if n_dimensions <= 1:
        most = bounds.max_threads
        sizes = (most,) if most <= _FEWEST_THREADS else (_FEWEST_THREADS, most)
        return tuple(BlockShape((each, 1, 1), is_stated=False) for each in sizes)
    typical = _TWO_DIMENSIONAL if n_dimensions == 2 else _THREE_DIMENSIONAL  # noqa: PLR2004
    shapes = tuple(BlockShape(each, is_stated=False) for each in typical)
    return shapes if all(each.n_threads <= bounds.max_threads for each in shapes) else ()


@lru_cache(maxsize=1 << 8)
def index_values(name: str, shape: BlockShape) -> tuple[AbstractValue, ...] | None:
    """Returns a special register in each thread of a block; None if other numbers decide it."""
    if name.startswith(_SIZES) and not shape.is_stated:
        return None
    numbers = special_numbers(name, shape.sizes)
    return None if numbers is None else tuple(constant(_WORD, each) for each in numbers)


@lru_cache(maxsize=1 << 8)
def special_numbers(name: str, sizes: Shape) -> tuple[int, ...] | None:
    """Returns what each thread of a block of a shape reads from a special register.

    None if the shape and the index of the thread do not decide it.
    """
    family, _, dimension = name.partition(".")
    places = [*_places(sizes)]
    if name in _OF_LANES:
        return tuple(_OF_LANES[name](number % LANES) for number in range(len(places)))
    if dimension not in (*_DIMENSIONS,):
        return None
    at = _DIMENSIONS.index(dimension)
    if family == _SIZES:
        return (sizes[at],) * len(places)
    return tuple(place[at] for place in places) if family == "%tid" else None


_OF_LANES: Final = {
    "%laneid": lambda lane: lane,
    "%lanemask_eq": lambda lane: 1 << lane,
    "%lanemask_lt": lambda lane: (1 << lane) - 1,
    "%lanemask_le": lambda lane: (2 << lane) - 1,
    "%lanemask_gt": lambda lane: ALL_LANES & ~((2 << lane) - 1),
    "%lanemask_ge": lambda lane: ALL_LANES & ~((1 << lane) - 1),
}


def _places(sizes: Shape) -> Iterator[tuple[int, int, int]]:
    """Yields the places of the threads of a block in the order of their linear index."""
    first, second, third = sizes
    for z, y, x in product(range(third), range(second), range(first)):
        yield x, y, z
