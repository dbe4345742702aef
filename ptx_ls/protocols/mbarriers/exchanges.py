"""Tells whether the blocks of a cluster write to each other's shared memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.threads.events.remote_addresses import rank_of
from ptx_ls.threads.events.sites import address_of
from ptx_ls.values.data_sources import OF_BLOCKS, DataSourceFinder

if TYPE_CHECKING:
    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues


def is_exchange(values: FunctionValues, site: EventSite, event: AccessEvent) -> bool:
    """Whether all blocks surely run a statement, and each accesses the memory of another block.

    The rank of that block is derived from the own rank, as in `rank ^ 1`.
    """
    form = address_of(values, site, event.operand)
    rank = rank_of(values, form) if form is not None else None
    if rank is None or not _is_of_block(values, rank):
        return False
    return all(
        condition.facts.is_exact
        and not any(
            side is None or _is_of_block(values, side)
            for held in condition.facts.comparisons
            for each in (held.left, held.right)
            for side in (values.source_form(held.instruction, each, held.width),)
        )
        for condition in values.conditions(site.found)
    )


def _is_of_block(values: FunctionValues, form: AffineForm) -> bool:
    """Whether the number of the block decides a number, other than through data."""
    return DataSourceFinder(values, OF_BLOCKS).of_form(form).has_thread
