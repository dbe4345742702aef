"""Finds allocations and deallocations of Tensor Memory with a wrong number of columns.

Source: PTX ISA, "tcgen05.alloc, tcgen05.dealloc, tcgen05.relinquish_alloc_permit".
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import number_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.protocols.tensor_memory import TensorMemory
    from ptx_ls.threads.events.sites import EventSite

_COLUMNS: Final = "nCols"
_MAX_ALLOCATIONS: Final = 8
"""Number of allocations that are compared; a kernel has one or two."""


class WrongColumns(NamedTuple):
    """A number of columns that does not fit an earlier allocation.

    Attributes:
        site: the instruction, with the number of its columns.
        other: the allocation, with the number of its columns; None if the kernel has none.
        is_growing: whether the instruction allocates more; else it frees another number.
    """

    site: EventSite
    n_columns: int
    other: EventSite | None
    n_other: int
    is_growing: bool


def wrong_columns(memory: TensorMemory) -> Iterator[WrongColumns]:
    """Yields the wrong numbers of columns in a kernel, in order."""
    found = memory.found
    allocated = _numbered(memory, "allocate")
    is_seen = found.is_kernel and not any(map(found.is_opaque, range(len(memory.sites))))
    if not is_seen or len(allocated) > _MAX_ALLOCATIONS:
        return
    yield from _growing(memory, allocated)
    sizes = [size for _, size in allocated]
    if None in sizes:
        return
    known = [each for each in sizes if each is not None]
    sums = {sum(own) for n in range(1, len(known) + 1) for own in combinations(known, n)}
    for site, size in _numbered(memory, "free"):
        if size is not None and size not in sums:
            other, n_other = (allocated[0][0], known[0]) if known else (None, 0)
            yield WrongColumns(site, size, other, n_other, is_growing=False)


def _growing(
    memory: TensorMemory, allocated: list[tuple[EventSite, int | None]]
) -> Iterator[WrongColumns]:
    """Yields the allocations of more columns than one that surely precedes them."""
    dominates = memory.found.values.graph.dominators.dominates
    for (first, size), (site, own) in combinations(allocated, 2):
        if size is None or own is None or own <= size or first.is_guarded:
            continue
        if dominates(first.block, site.block):
            yield WrongColumns(site, own, first, size, is_growing=True)


def _numbered(memory: TensorMemory, action: str) -> list[tuple[EventSite, int | None]]:
    """Returns the sites that do something, with the number of columns if it is known."""
    values = memory.found.values
    sites = [memory.sites[each] for each in memory.found.of_action(action)]
    return [(each, number_of(values, each, _COLUMNS)) for each in sites]
