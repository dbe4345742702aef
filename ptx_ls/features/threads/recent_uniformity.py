"""The threads of the function that was asked about last, on each thread of the program."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ptx_ls.flow.function_flow import FunctionFlow
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
from ptx_ls.values.function_values import FunctionValues

if TYPE_CHECKING:
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.module import ModuleFacts


class _RecentUniformity(NamedTuple):
    function: Function
    module: ModuleFacts
    uniformity: FunctionUniformity


_recent = threading.local()
"""The threads of the last function on each thread: those of the linter change on another one."""


def recent_uniformity(function: Function, module: ModuleFacts) -> FunctionUniformity:
    """Returns which threads of a function agree; no other thread of the program changes it."""
    known: _RecentUniformity | None = getattr(_recent, "known", None)
    if known is not None and known.function is function and known.module is module:
        return known.uniformity
    flow = FunctionFlow(function, module.never_returning)
    made = FunctionUniformity(FunctionValues(flow, module))
    _recent.known = _RecentUniformity(function, module, made)
    return made
