"""Finds what goes wrong in a kernel in all launches that are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.async_sites import async_sites_of, has_copies
from ptx_ls.protocols.execution.assumed_launches import AssumedLaunches
from ptx_ls.protocols.execution.clusters import ClusterShape
from ptx_ls.protocols.execution.faults import StuckWait, are_alike
from ptx_ls.protocols.mbarriers.bulk_reads import early_bulk_reads
from ptx_ls.protocols.mbarriers.lifetimes import wrong_lifetimes
from ptx_ls.protocols.mbarriers.objects import mbarrier_objects
from ptx_ls.protocols.mbarriers.phases import repeated_parities, wrong_arrivals, wrong_bytes
from ptx_ls.protocols.mbarriers.slot_releases import early_slot_releases
from ptx_ls.protocols.mbarriers.trace import wrong_parities
from ptx_ls.protocols.mbarriers.waits import single_waits
from ptx_ls.protocols.named_barriers import NamedBarriers
from ptx_ls.threads.uniformity.launches import BlockShape
from ptx_ls.threads.uniformity.levels import LANES, WARPS_OF_GROUP
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.protocols.execution.faults import RunFault
    from ptx_ls.protocols.mbarriers.objects import MbarrierObjects
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.values.function_values import FunctionValues

_WARPGROUP: Final = LANES * WARPS_OF_GROUP
_OF_WARPGROUPS: Final = ("wgmma", "setmaxnreg")
"""Opcodes that all warps of a warpgroup execute."""
_COMMON: Final = (128, 256, 384, 512, 192, 64)
"""The sizes of blocks that are tried first, because most kernels are right for one of them."""
_OTHERS: Final = [it for it in range(LANES, MAX_THREADS + 1, LANES) if it not in _COMMON]
_MOST_STEPS: Final = 100_000
"""Number of steps up to which blocks of another size are run."""


def fault_of(values: FunctionValues, uniformity: FunctionUniformity) -> RunFault | None:
    """Returns what goes wrong when a kernel runs, in blocks of any size if it states none.

    None if nothing does that is certain, or if a check that needs no run finds the cause.
    """
    bounds = values.given.bounds
    blocks = bounds.blocks or (1, 1, 1)
    objects = None
    if has_copies(values.flow.text):
        objects = mbarrier_objects(async_sites_of(uniformity))
        if not objects.sites.sites or (objects.has_remote and blocks == (1, 1, 1)):
            return None
    elif NamedBarriers(uniformity).violations:
        return None
    first: RunFault | None = None
    n_steps = 0
    for shape in _shapes(values):
        launches = AssumedLaunches(values, ClusterShape(shape, blocks))
        found = launches.fault() if n_steps < _MOST_STEPS else None
        if found is None or not are_alike(first or found, found):
            return None
        if first is None and objects is not None and _is_explained(objects):
            return None
        first = first or found
        n_steps += launches.n_steps
    for shape in _other_shapes(values, first):
        launches = AssumedLaunches(values, ClusterShape(shape, blocks))
        if first is None or n_steps >= _MOST_STEPS or not launches.go_wrong_like(first):
            return None
        n_steps += launches.n_steps
    return first


def _block(n_threads: int) -> BlockShape:
    return BlockShape((n_threads, 1, 1), is_stated=True)


def _is_tried(n_threads: int, values: FunctionValues) -> bool:
    """Whether a kernel may be right for a number of threads: it may need whole warpgroups."""
    return n_threads >= _WARPGROUP or not values.flow.text.has_opcodes(_OF_WARPGROUPS)


def _states_no_size(values: FunctionValues) -> bool:
    bounds = values.given.bounds
    return bounds.threads is None and bounds.max_threads == MAX_THREADS


def _shapes(values: FunctionValues) -> Iterator[BlockShape]:
    """Yields the shape of the blocks of a kernel, or common ones if it states no size."""
    bounds = values.given.bounds
    if bounds.threads is not None:
        yield BlockShape(bounds.threads, is_stated=True)
    elif not _states_no_size(values):
        yield BlockShape((bounds.max_threads, 1, 1), is_stated=False)
    else:
        yield from (_block(it) for it in _COMMON if _is_tried(it, values))


def _other_shapes(values: FunctionValues, known: RunFault | None) -> Iterator[BlockShape]:
    """Yields less common shapes of the blocks of a kernel that states no size.

    The last warp is not full in blocks in which as many threads as needed may arrive. The other
    threads may be those of one warp.
    """
    if not _states_no_size(values):
        return
    count = known.count if isinstance(known, StuckWait) else 0
    partial = (it for it in (count, count + LANES) if it % LANES and it <= MAX_THREADS)
    yield from (_block(it) for it in (*_OTHERS, *partial) if _is_tried(it, values))


def _is_explained(objects: MbarrierObjects) -> bool:
    """Whether another check finds something about the objects."""
    finders = (
        wrong_arrivals,
        wrong_bytes,
        repeated_parities,
        wrong_parities,
        wrong_lifetimes,
        early_slot_releases,
    )
    return (
        any(True for find in finders for _ in find(objects))
        or any(True for _ in single_waits(objects))
        or bool(early_bulk_reads(objects.sites))
    )
