"""A launch of a kernel, as an example of what its threads do."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.launches import special_numbers
from ptx_ls.threads.uniformity.levels import LANES
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.values.launch import LaunchSizes

_BLOCK: Final = "%ctaid."
"""Begins the names of registers that are 0 in the first block."""
_IN_ROW: Final = "%tid.x"
_ASSUMED_THREADS: Final = 128
"""Number of threads of a block if the kernel does not state it."""
_FEWEST_THREADS: Final = 64
"""Number of threads of the smallest blocks with several dimensions: two warps."""
_MOST_THREADS, _MOST_IN_CUBE = 256, 128
"""Numbers of threads up to which all shapes of blocks with two or three dimensions are tried."""
_LARGE_SHAPES: Final = ((32, 16, 1), (16, 32, 1), (32, 32, 1))
_COLUMNS: Final = ((1, 64, 1), (1, 128, 1), (1, 16, 8))
"""Shapes of blocks whose threads all have the number 0 in the first dimension."""
_POWERS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class LaunchExample(NamedTuple):
    """The first block of a launch.

    `shape`: the number of its threads in each dimension. `is_stated`: whether the kernel can only
    be launched with this shape. `most`: how many threads are examined, from the first
    on; None for all. `is_any_block`: whether the block is not surely the first one.
    `is_any_shape`: whether the block may be smaller and have more dimensions, so that all that is
    known of its threads is which numbers they may have in the first dimension.
    """

    shape: tuple[int, int, int]
    is_stated: bool
    most: int | None = None
    is_any_block: bool = False
    is_any_shape: bool = False

    @property
    def n_threads(self) -> int:
        """The number of threads that are examined."""
        n_all = self.shape[0] * self.shape[1] * self.shape[2]
        return n_all if self.most is None else min(self.most, n_all)

    def special(self, name: str) -> tuple[int, ...] | None:
        """Returns what each thread reads from a special register; None if that is unknown."""
        if self.is_any_shape and name != _IN_ROW:
            return None
        if name.startswith(_BLOCK):
            if self.is_any_block:
                return None
            return (0,) * self.n_threads
        found = special_numbers(name, self.shape)
        return None if found is None else found[: self.n_threads]


def launch_examples(
    bounds: LaunchSizes, n_dimensions: int, *, has_rows: bool = True
) -> tuple[LaunchExample, ...]:
    """Returns launches of a kernel, with blocks of `n_dimensions` if it does not state the shape.

    A kernel that works with blocks of some shape works for one of these, or for all. `has_rows`:
    whether the kernel reads the number of a thread in the first dimension.
    """
    if bounds.threads is not None:
        return (LaunchExample(bounds.threads, is_stated=True),)
    if n_dimensions <= 1:
        n_threads = bounds.max_threads if bounds.max_threads < MAX_THREADS else _ASSUMED_THREADS
        return (LaunchExample((n_threads, 1, 1), is_stated=False),)
    shapes = _shapes(n_dimensions) if has_rows else _COLUMNS[:n_dimensions]
    launches = [LaunchExample(each, is_stated=False) for each in shapes]
    return tuple(each for each in launches if each.n_threads <= bounds.max_threads)


def launches_of_one_warp(launch: LaunchExample) -> Iterator[LaunchExample]:
    """Yields launches with as many dimensions, but only one warp in each block."""
    n_rows, n_planes = (_POWERS[: each.bit_length()] for each in launch.shape[1:])
    for height, depth in product(n_rows, n_planes):
        if LANES % (height * depth) == 0:
            yield launch._replace(shape=(LANES // (height * depth), height, depth))


@cache
def _shapes(n_dimensions: int) -> tuple[tuple[int, int, int], ...]:
    """Returns shapes of blocks with two or three dimensions, the smallest ones first.

    All lengths are powers of two; rows have at least eight threads, or four in cubes. Mistakes in
    a small block are mostly mistakes in a larger one, so only a few large blocks are needed.
    """
    planes = [
        (width, height, 1)
        for width, height in product(_POWERS[3:], _POWERS[1:])
        if _FEWEST_THREADS <= width * height <= _MOST_THREADS
    ]
    cubes = [
        (width, height, depth)
        for width, height, depth in product(_POWERS[2:], _POWERS, _POWERS[1:4])
        if _FEWEST_THREADS <= width * height * depth <= _MOST_IN_CUBE
    ]
    found = planes if n_dimensions == 2 else cubes + planes  # noqa: PLR2004
    return (*sorted(found, key=prod), *_LARGE_SHAPES)
