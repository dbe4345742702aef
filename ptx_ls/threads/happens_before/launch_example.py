"""A launch of a kernel, as an example of what its threads do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.values.launch import LaunchSizes

WARP: Final = 32
_ASSUMED_THREADS: Final = 128
"""Number of threads of a block if the kernel does not state it."""


class LaunchExample(NamedTuple):
    """The first block of a launch.

    `shape`: the number of its threads in each dimension. `is_stated`: whether the kernel can only
    be launched with this shape.
    """

    shape: tuple[int, int, int]
    is_stated: bool

    @property
    def n_threads(self) -> int:
        """The number of threads."""
        return self.shape[0] * self.shape[1] * self.shape[2]

    def special(self, name: str) -> tuple[int, ...] | None:
        """Returns what each thread reads from a special register; None if that is unknown."""
        compute = _SPECIAL.get(name)
        if compute is None:
            return None
        return tuple(compute(self.shape, thread) for thread in range(self.n_threads))


def launch_example(bounds: LaunchSizes) -> LaunchExample:
    """Returns a launch of a kernel; in one dimension if it does not state the shape of blocks."""
    if bounds.threads is not None:
        return LaunchExample(bounds.threads, is_stated=True)
    n_threads = bounds.max_threads if bounds.max_threads < MAX_THREADS else _ASSUMED_THREADS
    return LaunchExample((n_threads, 1, 1), is_stated=False)


_Shape = tuple[int, int, int]
_SPECIAL: Final[dict[str, Callable[[_Shape, int], int]]] = {
    "%tid.x": lambda shape, thread: thread % shape[0],
    "%tid.y": lambda shape, thread: thread // shape[0] % shape[1],
    "%tid.z": lambda shape, thread: thread // (shape[0] * shape[1]),
    "%ntid.x": lambda shape, _: shape[0],
    "%ntid.y": lambda shape, _: shape[1],
    "%ntid.z": lambda shape, _: shape[2],
    "%laneid": lambda _, thread: thread % WARP,
    "%ctaid.x": lambda _shape, _thread: 0,
    "%ctaid.y": lambda _shape, _thread: 0,
    "%ctaid.z": lambda _shape, _thread: 0,
    "%lanemask_eq": lambda _, thread: 1 << thread % WARP,
    "%lanemask_lt": lambda _, thread: (1 << thread % WARP) - 1,
    "%lanemask_le": lambda _, thread: (2 << thread % WARP) - 1,
    "%lanemask_gt": lambda _, thread: (1 << WARP) - (2 << thread % WARP),
    "%lanemask_ge": lambda _, thread: (1 << WARP) - (1 << thread % WARP),
}
"""What a thread of the first block reads from special registers, by its number in the block."""
