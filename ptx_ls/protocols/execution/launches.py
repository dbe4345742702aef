"""Finds what goes wrong in a kernel in all launches that are tried."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.async_sites import async_sites_of, has_copies
from ptx_ls.protocols.execution.assumed_launches import AssumedLaunches
from ptx_ls.protocols.execution.clusters import ClusterShape
from ptx_ls.protocols.mbarriers.bulk_reads import early_bulk_reads
from ptx_ls.protocols.mbarriers.lifetimes import wrong_lifetimes
from ptx_ls.protocols.mbarriers.objects import mbarrier_objects
from ptx_ls.protocols.mbarriers.phases import repeated_parities, wrong_arrivals, wrong_bytes
from ptx_ls.protocols.mbarriers.slot_releases import early_slot_releases
from ptx_ls.protocols.mbarriers.trace import wrong_parities
from ptx_ls.protocols.mbarriers.waits import single_waits
from ptx_ls.protocols.named_barriers import NamedBarriers, has_counts
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS, region_text
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.threads.uniformity.launches import BlockShape
from ptx_ls.values.function_values import function_values
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from ptx_ls.document.function import Function
    from ptx_ls.protocols.execution.faults import RunFault
    from ptx_ls.protocols.mbarriers.objects import MbarrierObjects
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.values.function_values import FunctionValues

_OBJECTS: Final = ("mbarrier",)
_MOST_BLOCKS: Final = 4
"""Number of blocks of a cluster up to which a kernel is run."""


def may_be_run(text: RegionText) -> bool:
    """Whether threads of a function may wait for others at objects or barriers; a quick test."""
    return any(True for _ in text.shapes_of(_OBJECTS)) or has_counts(text)


def run_fault(function: Function, module: ModuleFacts) -> RunFault | None:
    """Returns what goes wrong when a kernel runs; None if nothing does that is certain.

    Only kernels are run that do everything themselves, in blocks of a known size. Nothing is
    returned if a check that needs no run finds the cause.
    """
    if not may_be_run(region_text(function)):
        return None
    return _fault_of(function_values(function, module), function_uniformity(function, module))


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _fault_of(values: FunctionValues, uniformity: FunctionUniformity) -> RunFault | None:
    bounds = values.given.bounds
    is_limited = bounds.threads is not None or bounds.max_threads < MAX_THREADS
    blocks = bounds.blocks or (1, 1, 1)
    is_alone = bounds.blocks is None and (bounds.max_blocks or 1) == 1
    is_small = is_alone or (bounds.blocks is not None and prod(blocks) <= _MOST_BLOCKS)
    if not (values.given.is_kernel and uniformity.is_known and is_limited and is_small):
        return None
    objects = None
    if has_copies(values.flow.text):
        objects = mbarrier_objects(async_sites_of(values, uniformity))
        if not objects.sites.sites or (objects.has_remote and prod(blocks) == 1):
            return None
    elif NamedBarriers(uniformity).violations:
        return None
    is_stated = bounds.threads is not None
    shape = BlockShape(bounds.threads or (bounds.max_threads, 1, 1), is_stated=is_stated)
    found = AssumedLaunches(values, ClusterShape(shape, blocks)).fault()
    is_other = found is not None and objects is not None and _is_explained(objects)
    return None if is_other else found


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
