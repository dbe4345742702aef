"""A launch of a kernel, as an example of what its threads do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.launches import special_numbers
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from ptx_ls.values.launch import LaunchSizes

_BLOCK: Final = "%ctaid."
"""Begins the names of registers that are 0 in the first block."""
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
        if name.startswith(_BLOCK):
            return (0,) * self.n_threads
        return special_numbers(name, self.shape)


def launch_example(bounds: LaunchSizes) -> LaunchExample:
    """Returns a launch of a kernel; in one dimension if it does not state the shape of blocks."""
    if bounds.threads is not None:
        return LaunchExample(bounds.threads, is_stated=True)
    n_threads = bounds.max_threads if bounds.max_threads < MAX_THREADS else _ASSUMED_THREADS
    return LaunchExample((n_threads, 1, 1), is_stated=False)
