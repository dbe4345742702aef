"""Finds what goes wrong in a kernel in all launches that are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from ptx_ls.protocols.named_barriers import NamedBarriers
from ptx_ls.threads.uniformity.launches import BlockShape

if TYPE_CHECKING:
    from ptx_ls.protocols.execution.faults import RunFault
    from ptx_ls.protocols.mbarriers.objects import MbarrierObjects
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.values.function_values import FunctionValues


def fault_of(values: FunctionValues, uniformity: FunctionUniformity) -> RunFault | None:
    """Returns what goes wrong when a kernel with blocks of a known size runs.

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
