"""Known facts about the values of special registers.

Source: PTX ISA, "Special Registers".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.abstract_value import (
    AbstractValue,
    constant,
    from_bits,
    from_range,
    unknown,
)
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ptx_ls.values.launch import LaunchSizes

_WORD: Final = 32
_LANES: Final = 32
_MAX_DEPTH: Final = 64
"""Maximum number of threads of a block in its third dimension."""
_MAX_GRID: Final = ((1 << 31) - 1, (1 << 16) - 1, (1 << 16) - 1)
"""Maximum number of blocks of a grid in each dimension."""
_MAX_RANKS: Final = 16
"""Maximum number of blocks of a cluster."""
_DIMENSIONS: Final = "xyz"
_HIGHEST: Final = 1 << 31
_MASKS: Final = {
    "%lanemask_le": (0, 1),
    "%lanemask_lt": (_HIGHEST, 0),
    "%lanemask_ge": (0, _HIGHEST),
    "%lanemask_gt": (1, 0),
}
"""The known bits of masks of lanes."""


class Attained(NamedTuple):
    """The smallest and the largest number that a value surely gets; None where that is unknown."""

    low: int | None
    high: int | None


NOT_ATTAINED: Final = Attained(None, None)


@lru_cache(maxsize=1 << 8)
def special_value(name: str, width: int, bounds: LaunchSizes) -> AbstractValue:
    """Returns what is known of a special register, such as `%tid.x`, of a width."""
    found = _word(name, bounds) if width == _WORD else None
    return unknown(width) if found is None else found


def _word(name: str, bounds: LaunchSizes) -> AbstractValue | None:
    family, _, component = name.partition(".")
    if name in _MASKS:
        return from_bits(_WORD, _MASKS[name])
    if family in _UNDIMENSIONED:
        return _UNDIMENSIONED[family](bounds) if not component else None
    if component not in _DIMENSIONS or len(component) != 1:
        return constant(_WORD, 0) if component == "w" and family in _DIMENSIONED else None
    if family not in _DIMENSIONED:
        return None
    sizes, is_number = _DIMENSIONED[family]
    smallest, largest = sizes(bounds, _DIMENSIONS.index(component))
    return from_range(_WORD, *((0, largest - 1) if is_number else (smallest, largest)))


def _threads(bounds: LaunchSizes, number: int) -> tuple[int, int]:
    """Returns the smallest and largest number of threads in a dimension."""
    if bounds.threads is not None:
        return bounds.threads[number], bounds.threads[number]
    most = min(bounds.max_threads, _MAX_DEPTH if number == _DIMENSIONS.index("z") else MAX_THREADS)
    return 1, most


def _ranks(bounds: LaunchSizes, number: int) -> tuple[int, int]:
    """Returns the smallest and largest number of blocks of a cluster in a dimension."""
    if bounds.blocks is not None:
        return bounds.blocks[number], bounds.blocks[number]
    return 1, bounds.max_blocks or _MAX_RANKS


def _grid(_: LaunchSizes, number: int) -> tuple[int, int]:
    """Returns the smallest and largest number of blocks of a grid in a dimension."""
    return 1, _MAX_GRID[number]


def _all_ranks(bounds: LaunchSizes) -> tuple[int, int]:
    """Returns the smallest and largest number of blocks of a cluster."""
    if bounds.blocks is not None:
        first, second, third = bounds.blocks
        return first * second * third, first * second * third
    return 1, bounds.max_blocks or _MAX_RANKS


_UNDIMENSIONED: Final[Mapping[str, Callable[[LaunchSizes], AbstractValue]]] = {
    "%laneid": lambda _: from_range(_WORD, 0, _LANES - 1),
    "%lanemask_eq": lambda _: from_range(_WORD, 1, _HIGHEST),
    "%cluster_ctarank": lambda bounds: from_range(_WORD, 0, _all_ranks(bounds)[1] - 1),
    "%cluster_nctarank": lambda bounds: from_range(_WORD, *_all_ranks(bounds)),
}
_DIMENSIONED: Final[Mapping[str, tuple[Callable[[LaunchSizes, int], tuple[int, int]], bool]]] = {
    "%tid": (_threads, True),
    "%ntid": (_threads, False),
    "%ctaid": (_grid, True),
    "%nctaid": (_grid, False),
    "%clusterid": (_grid, True),
    "%nclusterid": (_grid, False),
    "%cluster_ctaid": (_ranks, True),
    "%cluster_nctaid": (_ranks, False),
}
"""The smallest and largest size in a dimension, and whether the register is a number below it."""


def attained(name: str, bounds: LaunchSizes) -> Attained:
    """Returns which numbers of a special register some thread of every launch surely has."""
    family, _, component = name.partition(".")
    if family == "%laneid":
        n_threads = _n_threads(bounds)
        return Attained(0, min(_LANES, n_threads) - 1 if bounds.threads is not None else None)
    if family not in ("%tid", "%ctaid", "%cluster_ctaid") or component not in _DIMENSIONS:
        return NOT_ATTAINED
    number = _DIMENSIONS.index(component)
    if family == "%tid" and bounds.threads is not None:
        return Attained(0, bounds.threads[number] - 1)
    if family == "%cluster_ctaid" and bounds.blocks is not None:
        return Attained(0, bounds.blocks[number] - 1)
    return Attained(0, None)


def _n_threads(bounds: LaunchSizes) -> int:
    """Returns how many threads every block has at least."""
    if bounds.threads is None:
        return 1
    first, second, third = bounds.threads
    return first * second * third
