"""Decides which kernels are run to find what goes wrong in them."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.instructions.barrier_opcodes import has_counts
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS, region_text
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.values.function_values import function_values
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from ptx_ls.document.function import Function
    from ptx_ls.protocols.execution.faults import RunFault
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.values.function_values import FunctionValues

_OBJECTS: Final = ("mbarrier",)
_OF_OTHER_DIMENSIONS: Final = ("%tid.y", "%tid.z", "%ntid.y", "%ntid.z")
_MOST_BLOCKS: Final = 4
"""Number of blocks of a cluster up to which a kernel is run."""


def may_be_run(text: RegionText) -> bool:
    """Whether threads of a function may wait for others at objects or barriers; a quick test."""
    return any(True for _ in text.shapes_of(_OBJECTS)) or has_counts(text)


def run_fault(function: Function, module: ModuleFacts) -> RunFault | None:
    """Returns what goes wrong when a kernel runs; None if nothing does that is certain.

    Only kernels are run that do everything themselves. Nothing is returned if a check that needs no
    run finds the cause.
    """
    if not may_be_run(region_text(function)):
        return None
    values = function_values(function, module)
    return _fault_of(values, function_uniformity(function, module)) if _is_run(values) else None


def _is_run(values: FunctionValues) -> bool:
    """Whether a function is a kernel in blocks of a known size, or of one dimension, and in few."""
    bounds = values.given.bounds
    is_limited = bounds.threads is not None or bounds.max_threads < MAX_THREADS
    if not is_limited and any(map(values.flow.has_text, _OF_OTHER_DIMENSIONS)):
        return False
    is_alone = bounds.blocks is None and (bounds.max_blocks or 1) == 1
    is_small = is_alone or (bounds.blocks is not None and prod(bounds.blocks) <= _MOST_BLOCKS)
    return values.given.is_kernel and is_small


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _fault_of(values: FunctionValues, uniformity: FunctionUniformity) -> RunFault | None:
    if not uniformity.is_known:
        return None
    from ptx_ls.protocols.execution.tried_launches import fault_of  # noqa: PLC0415  for few kernels

    return fault_of(values, uniformity)
